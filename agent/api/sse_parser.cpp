#include "agent/api/sse_parser.hpp"

namespace parley::agent {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

bool SseParser::push(std::string_view bytes, const OnData& on_data) {
  while (!stopped_ && !bytes.empty()) {
    if (skip_line_feed_) {
      skip_line_feed_ = false;
      if (bytes.front() == '\n') bytes.remove_prefix(1);
      continue;
    }
    const std::size_t end = bytes.find_first_of("\r\n");
    const std::string_view part = bytes.substr(0, end);
    if (line_.size() + part.size() + data_.size() > max_event_bytes_) {
      too_large_ = stopped_ = true;
      break;
    }
    if (end == std::string_view::npos) {
      line_ += part;
      break;
    }
    skip_line_feed_ = bytes[end] == '\r';
    bytes.remove_prefix(end + 1);
    // Nearly always a line comes in one piece and needs no copy.
    bool go_on = false;
    if (line_.empty()) {
      go_on = take_line(part, on_data);
    } else {
      line_ += part;
      go_on = take_line(line_, on_data);
      line_.clear();
    }
    if (!go_on) stopped_ = true;
  }
  return !stopped_;
}

bool SseParser::take_line(std::string_view line, const OnData& on_data) {
  if (first_line_ && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  first_line_ = false;
  if (line.empty()) {
    if (!has_data_) return true;
    data_.pop_back();  // the end of the last line is no part of the data
    const bool go_on = on_data(data_);
    data_.clear();
    has_data_ = false;
    return go_on;
  }
  const std::size_t colon = line.find(':');
  if (line.substr(0, colon) != "data") return true;
  std::string_view value =
      colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  data_ += value;
  data_ += '\n';
  has_data_ = true;
  return true;
}

}  // namespace parley::agent
