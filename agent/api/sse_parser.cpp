#include "agent/api/sse_parser.hpp"

#include <charconv>

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
    last_id_ = next_id_;
    bool go_on = true;
    if (has_data_) {
      data_.pop_back();  // the end of the last line is no part of the data
      go_on = on_data(data_);
      data_.clear();
      has_data_ = false;
    }
    event_.clear();
    return go_on;
  }
  const std::size_t colon = line.find(':');
  std::string_view value =
      colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  take_field(line.substr(0, colon), value);
  return true;
}

void SseParser::take_field(std::string_view name, std::string_view value) {
  if (name == "data") {
    data_ += value;
    data_ += '\n';
    has_data_ = true;
  } else if (name == "event") {
    event_ = value;
  } else if (name == "id" && value.find('\0') == std::string_view::npos) {
    next_id_ = value;
  } else if (name == "retry") {
    int milliseconds = 0;
    const auto [end, error] =
        std::from_chars(value.data(), value.data() + value.size(), milliseconds);
    if (error == std::errc() && end == value.data() + value.size() && milliseconds >= 0) {
      retry_ = std::chrono::milliseconds(milliseconds);
    }
  }
}

}  // namespace parley::agent
