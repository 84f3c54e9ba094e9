#include "framing.hpp"

#include <algorithm>
#include <cstring>

namespace parley {

namespace {

/// An idle framer gives back what a huge line made it take.
constexpr std::size_t kKeepCapacity = std::size_t{1} << 20;
/// How much of a line that is too long is shown.
constexpr std::size_t kExcerpt = 256;

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

std::span<char> LineFramer::prepare(std::size_t size) {
  if (begin_ == end_) {
    begin_ = end_ = scanned_ = 0;
    if (buffer_.size() > kKeepCapacity && size <= kKeepCapacity) {
      buffer_.clear();
      buffer_.shrink_to_fit();
    }
  }
  if (buffer_.size() - end_ < size) {
    if (begin_ > 0) {
      std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
      scanned_ -= begin_;
      end_ -= begin_;
      begin_ = 0;
    }
    // Doubling keeps a long line that comes in small portions linear.
    if (buffer_.size() - end_ < size) buffer_.resize(std::max(end_ + size, buffer_.size() * 2));
  }
  return {buffer_.data() + end_, size};
}

void LineFramer::commit(std::size_t size) { end_ += size; }

void LineFramer::push(std::string_view bytes) {
  if (bytes.empty()) return;
  std::memcpy(prepare(bytes.size()).data(), bytes.data(), bytes.size());
  commit(bytes.size());
}

void LineFramer::consume_to(std::size_t position) { begin_ = scanned_ = position; }

Frame LineFramer::too_long(std::size_t end) {
  dropping_ = true;
  return {Frame::Kind::too_long, {buffer_.data() + begin_, std::min(kExcerpt, end - begin_)}};
}

std::optional<Frame> LineFramer::next() {
  for (;;) {
    const char* base = buffer_.data();
    const void* found =
        scanned_ == end_ ? nullptr : std::memchr(base + scanned_, '\n', end_ - scanned_);
    if (found == nullptr) {
      scanned_ = end_;
      if (dropping_) {
        consume_to(end_);
        return std::nullopt;
      }
      // A \r that may belong to the line's end does not count against the limit.
      const std::size_t length = end_ - begin_;
      if (length > limit_ && (length > limit_ + 1 || base[end_ - 1] != '\r' || finished_)) {
        return too_long(end_);
      }
      if (!finished_ || length == 0) return std::nullopt;
      const std::string_view rest(base + begin_, length);
      consume_to(end_);
      if (is_blank(rest)) return std::nullopt;
      return Frame{Frame::Kind::unfinished, rest};
    }
    const auto newline = static_cast<std::size_t>(static_cast<const char*>(found) - base);
    std::string_view line(base + begin_, newline - begin_);
    if (dropping_) {
      dropping_ = false;
      consume_to(newline + 1);
      continue;
    }
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.size() > limit_) {
      // The newline is still ahead: the next call steps over it and ends the dropping.
      return too_long(begin_ + line.size());
    }
    consume_to(newline + 1);
    if (is_blank(line)) continue;
    return Frame{Frame::Kind::line, line};
  }
}

}  // namespace parley
