// Server-sent events out of a stream of bytes, cut anywhere. The data of an event comes out; its
// name, and what the stream says for those who want to go on with it, can be asked for.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace parley::agent {

/// A value without I/O. Lines end in LF, CR or CRLF; comments, unknown fields, a byte order mark
/// and an event that the stream ends in the middle of are dropped, as the standard wants it.
class SseParser {
 public:
  /// One event may have this many bytes of data, and one line of anything else too.
  explicit SseParser(std::size_t max_event_bytes = std::size_t{64} << 20)
      : max_event_bytes_(max_event_bytes) {}

  /// The text lives until the call returns. False: no more, stop here.
  using OnData = std::function<bool(std::string_view data)>;
  /// False once an event is too large or `on_data` said so; the parser then ignores the rest.
  bool push(std::string_view bytes, const OnData& on_data);

  /// While an event is handed over: its name, empty if it has none.
  [[nodiscard]] const std::string& event() const { return event_; }
  /// The id of the last event that was handed over and of those before it; empty if none had one.
  [[nodiscard]] const std::string& last_id() const { return last_id_; }
  /// How long to wait before the stream is asked for again, if it said so.
  [[nodiscard]] std::optional<std::chrono::milliseconds> retry() const { return retry_; }

  [[nodiscard]] bool too_large() const { return too_large_; }
  /// Bytes that are held for an event that is not complete.
  [[nodiscard]] std::size_t pending() const { return line_.size() + data_.size(); }

 private:
  bool take_line(std::string_view line, const OnData& on_data);
  void take_field(std::string_view name, std::string_view value);

  std::size_t max_event_bytes_;
  std::string line_;  ///< The beginning of a line that is not complete.
  std::string data_;  ///< Of the event so far, every line with its end.
  std::string event_, next_id_, last_id_;
  std::optional<std::chrono::milliseconds> retry_;
  bool first_line_ = true;
  bool skip_line_feed_ = false;  ///< The last byte was CR: a LF now belongs to it.
  bool has_data_ = false;
  bool too_large_ = false;
  bool stopped_ = false;
};

}  // namespace parley::agent
