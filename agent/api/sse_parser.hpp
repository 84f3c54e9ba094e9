// Server-sent events out of a stream of bytes, cut anywhere. Only what the Messages API uses comes
// out: the data of an event, whose JSON names its own type.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace parley::agent {

/// A value without I/O. Lines end in LF, CR or CRLF; comments, other fields, a byte order mark and
/// an event that the stream ends in the middle of are dropped, as the standard wants it.
class SseParser {
 public:
  /// One event may have this many bytes of data, and one line of anything else too.
  explicit SseParser(std::size_t max_event_bytes = std::size_t{64} << 20)
      : max_event_bytes_(max_event_bytes) {}

  /// The text lives until the call returns. False: no more, stop here.
  using OnData = std::function<bool(std::string_view data)>;
  /// False once an event is too large or `on_data` said so; the parser then ignores the rest.
  bool push(std::string_view bytes, const OnData& on_data);

  [[nodiscard]] bool too_large() const { return too_large_; }
  /// Bytes that are held for an event that is not complete.
  [[nodiscard]] std::size_t pending() const { return line_.size() + data_.size(); }

 private:
  bool take_line(std::string_view line, const OnData& on_data);

  std::size_t max_event_bytes_;
  std::string line_;  ///< The beginning of a line that is not complete.
  std::string data_;  ///< Of the event so far, every line with its end.
  bool first_line_ = true;
  bool skip_line_feed_ = false;  ///< The last byte was CR: a LF now belongs to it.
  bool has_data_ = false;
  bool too_large_ = false;
  bool stopped_ = false;
};

}  // namespace parley::agent
