#include "http/websocket_frames.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "support/text/utf8.hpp"

namespace parley::http {
namespace {

constexpr unsigned kLast = 0x80;
constexpr unsigned kReserved = 0x70;
constexpr unsigned kControl = 0x08;
constexpr unsigned kMasked = 0x80;
/// Lengths that say where the length is.
constexpr unsigned kTwoBytes = 126;
constexpr unsigned kEightBytes = 127;
constexpr std::size_t kMostControl = 125;

unsigned byte_at(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) value = value << 8U | byte_at(bytes, i);
  return value;
}

void put_big_endian(std::string& out, std::uint64_t value, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
    out += static_cast<char>(value >> static_cast<unsigned>(shift) & 0xFFU);
  }
}

bool may_be_sent(std::uint64_t code) {
  const bool of_protocol = code >= 1000 && code <= 1014 && code != 1004 &&
                           code != close_code::kNone && code != close_code::kAbnormal;
  return of_protocol || (code >= 3000 && code <= 4999);
}

/// As much of the text as fits, in whole characters.
std::string_view fitting(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (byte_at(text, most) & 0xC0U) == 0x80U) --most;
  return text.substr(0, most);
}

}  // namespace

std::string frame_head(Opcode opcode, std::size_t payload) {
  std::string head(1, static_cast<char>(kLast | static_cast<unsigned>(opcode)));
  if (payload < kTwoBytes) {
    head += static_cast<char>(payload);
  } else if (payload <= 0xFFFF) {
    head += static_cast<char>(kTwoBytes);
    put_big_endian(head, payload, 2);
  } else {
    head += static_cast<char>(kEightBytes);
    put_big_endian(head, payload, 8);
  }
  return head;
}

std::string close_frame(std::uint16_t code, std::string_view reason) {
  if (code == close_code::kNone) return frame_head(Opcode::close, 0);
  reason = fitting(reason, kMostControl - 2);
  std::string frame = frame_head(Opcode::close, 2 + reason.size());
  put_big_endian(frame, code, 2);
  frame += reason;
  return frame;
}

std::string accept_key(std::string_view key) {
  const std::string text = std::string(key) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  std::array<unsigned char, 20> digest{};
  unsigned size = 0;
  EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha1(), nullptr);
  std::array<unsigned char, 29> encoded{};  // 28 characters and an end
  EVP_EncodeBlock(encoded.data(), digest.data(), static_cast<int>(digest.size()));
  return {encoded.begin(), encoded.end() - 1};
}

// ---- reading ------------------------------------------------------------------------------------

bool FrameReader::is_control() const {
  return (static_cast<unsigned>(frame_->opcode) & kControl) != 0;
}

void FrameReader::push(std::string_view bytes) {
  if (over_) return;
  input_.erase(0, consumed_);
  consumed_ = 0;
  input_ += bytes;
}

std::optional<Said> FrameReader::next() {
  while (!over_) {
    if (!frame_) {
      if (auto wrong = read_head()) return wrong;
      if (!frame_) return std::nullopt;  // not all of it is there
    }
    std::string& payload = is_control() ? control_ : message_;
    const auto count =
        static_cast<std::size_t>(std::min<std::uint64_t>(frame_->left, input_.size() - consumed_));
    const std::size_t begin = payload.size();
    payload.append(input_, consumed_, count);
    for (char* c = payload.data() + begin; c != payload.data() + payload.size(); ++c) {
      *c = static_cast<char>(*c ^ frame_->mask[frame_->turn++ % 4]);
    }
    consumed_ += count;
    frame_->left -= count;
    if (frame_->left > 0) return std::nullopt;
    if (auto said = end_frame()) return said;
  }
  return std::nullopt;
}

/// Begins the next frame, if its head is complete; what is wrong with it, if something is.
std::optional<Said> FrameReader::read_head() {
  const std::string_view rest = std::string_view(input_).substr(consumed_);
  if (rest.size() < 2) return std::nullopt;
  const unsigned first = byte_at(rest, 0);
  const unsigned length = byte_at(rest, 1) & ~kMasked;
  const auto opcode = static_cast<Opcode>(first & 0x0FU);
  const bool last = (first & kLast) != 0;
  if ((first & kReserved) != 0) return broken(close_code::kProtocol, "a reserved bit is set");
  if ((byte_at(rest, 1) & kMasked) == 0) {
    return broken(close_code::kProtocol, "the frame is not masked");
  }
  switch (opcode) {
    case Opcode::continuation:
      if (!within_message_) return broken(close_code::kProtocol, "nothing to continue");
      break;
    case Opcode::text:
      if (within_message_) return broken(close_code::kProtocol, "a message within a message");
      break;
    case Opcode::binary: return broken(close_code::kUnsupported, "text messages only");
    case Opcode::close:
    case Opcode::ping:
    case Opcode::pong:
      if (!last || length > kMostControl) {
        return broken(close_code::kProtocol, "a control frame is too long");
      }
      break;
    default: return broken(close_code::kProtocol, "there is no such kind of frame");
  }
  const std::size_t length_bytes = length == kTwoBytes ? 2 : length == kEightBytes ? 8 : 0;
  const std::size_t size = 2 + length_bytes + 4;
  if (rest.size() < size) return std::nullopt;
  const std::uint64_t payload =
      length_bytes > 0 ? big_endian(rest.substr(2, length_bytes)) : length;
  if ((length_bytes == 2 && payload < kTwoBytes) || (length_bytes == 8 && payload <= 0xFFFF) ||
      payload >> 63U != 0) {
    return broken(close_code::kProtocol, "the length of a frame is not written as it must be");
  }
  // Control frames are short, and not part of the message.
  const bool control = (static_cast<unsigned>(opcode) & kControl) != 0;
  if (!control && payload > most_ - message_.size()) {
    return broken(close_code::kTooBig, "the message is too long");
  }
  frame_ = Frame{opcode, last, payload, {}};
  std::memcpy(frame_->mask, rest.data() + size - 4, 4);
  consumed_ += size;
  return std::nullopt;
}

std::optional<Said> FrameReader::end_frame() {
  const bool control = is_control();
  const Frame frame = *frame_;
  if (control) {
    auto said = end_control();
    frame_.reset();
    return said;
  }
  frame_.reset();
  within_message_ = !frame.last;
  if (within_message_) return std::nullopt;
  return end_message();
}

Said FrameReader::end_message() {
  if (!is_utf8(message_)) return broken(close_code::kBadText, "the text is not UTF-8");
  return {Said::Kind::text, std::exchange(message_, {}), 0};
}

Said FrameReader::end_control() {
  std::string payload = std::exchange(control_, {});
  if (frame_->opcode == Opcode::ping) return {Said::Kind::ping, std::move(payload), 0};
  if (frame_->opcode == Opcode::pong) return {Said::Kind::pong, std::move(payload), 0};
  if (payload.empty()) {
    over_ = true;
    return {Said::Kind::close, {}, close_code::kNone};
  }
  const std::uint64_t code = big_endian(std::string_view(payload).substr(0, 2));
  if (payload.size() < 2 || !may_be_sent(code)) {
    return broken(close_code::kProtocol, "there is no such reason to close");
  }
  payload.erase(0, 2);
  if (!is_utf8(payload)) return broken(close_code::kBadText, "the reason is not UTF-8");
  over_ = true;
  return {Said::Kind::close, std::move(payload), static_cast<std::uint16_t>(code)};
}

Said FrameReader::broken(std::uint16_t code, std::string why) {
  over_ = true;
  input_.clear();
  consumed_ = 0;
  message_.clear();
  return {Said::Kind::broken, std::move(why), code};
}

}  // namespace parley::http
