// The frames of WebSocket (RFC 6455) as a server reads and writes them. No I/O.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parley::http {

enum class Opcode : std::uint8_t {
  continuation = 0x0,
  text = 0x1,
  binary = 0x2,
  close = 0x8,
  ping = 0x9,
  pong = 0xA,
};

/// Why a connection ends, where this code has to say so itself.
namespace close_code {
inline constexpr std::uint16_t kGoingAway = 1001;
inline constexpr std::uint16_t kProtocol = 1002;
inline constexpr std::uint16_t kUnsupported = 1003;
inline constexpr std::uint16_t kNone = 1005;      ///< A close frame without a code; never sent.
inline constexpr std::uint16_t kAbnormal = 1006;  ///< No close frame; never sent.
inline constexpr std::uint16_t kBadText = 1007;
inline constexpr std::uint16_t kTooBig = 1009;
}  // namespace close_code

/// What stands before the payload of a message in one frame.
[[nodiscard]] std::string frame_head(Opcode opcode, std::size_t payload);
/// As much of the reason as fits is in it, in whole characters. kNone makes a frame without a code.
[[nodiscard]] std::string close_frame(std::uint16_t code, std::string_view reason);
/// The value of Sec-WebSocket-Accept for a client's Sec-WebSocket-Key.
[[nodiscard]] std::string accept_key(std::string_view key);

/// Something that a client has said.
struct Said {
  enum class Kind {
    text,   ///< A whole message.
    ping,   ///< To be answered with the same payload.
    pong,   ///< That it is there.
    close,  ///< Goodbye: `code`, and the reason as payload.
    broken  ///< Nothing that can be understood: `code` to end with, and why as payload.
  };
  Kind kind = Kind::text;
  std::string payload;
  std::uint16_t code = 0;

  bool operator==(const Said&) const = default;
};

/// Takes a client's bytes in portions of any size. Nothing follows `close` and `broken`.
class FrameReader {
 public:
  /// `most` is the longest message that is taken. Whoever announces a longer one is broken.
  explicit FrameReader(std::size_t most) : most_(most) {}

  void push(std::string_view bytes);
  /// The next that is complete.
  [[nodiscard]] std::optional<Said> next();
  /// Bytes held.
  [[nodiscard]] std::size_t buffered() const { return input_.size() + message_.size(); }

 private:
  struct Frame {
    Opcode opcode;
    bool last;
    std::uint64_t left;  ///< Bytes of its payload that have not come.
    char mask[4];
    unsigned turn = 0;  ///< The byte of the mask that is next.
  };

  std::optional<Said> read_head();
  std::optional<Said> end_frame();
  Said end_message();
  Said end_control();
  Said broken(std::uint16_t code, std::string why);
  [[nodiscard]] bool is_control() const;

  const std::size_t most_;
  std::string input_;
  std::size_t consumed_ = 0;    ///< Of input_.
  std::optional<Frame> frame_;  ///< The one whose payload comes.
  bool within_message_ = false;
  std::string message_;
  std::string control_;  ///< The payload of a control frame, which may come within a message.
  bool over_ = false;
};

}  // namespace parley::http
