#include "http/websocket_frames.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace parley::http {
namespace {

constexpr std::string_view kMask = "\x11\x22\x33\x44";

/// A frame as a client sends it. `length` is how the length is written, in bytes; 0: as it must be.
std::string frame(unsigned first_byte, std::string_view payload, std::size_t length = 0) {
  std::string bytes(1, static_cast<char>(first_byte));
  if (length == 0) length = payload.size() < 126 ? 1 : payload.size() < 65536 ? 2 : 8;
  if (length == 1) {
    bytes += static_cast<char>(0x80U | payload.size());
  } else {
    bytes += static_cast<char>(length == 2 ? 0xFE : 0xFF);
    for (std::size_t i = length; i > 0; --i) {
      bytes += static_cast<char>(payload.size() >> (8 * (i - 1)) & 0xFFU);
    }
  }
  bytes += kMask;
  for (std::size_t i = 0; i < payload.size(); ++i) {
    bytes += static_cast<char>(payload[i] ^ kMask[i % 4]);
  }
  return bytes;
}

std::vector<Said> read_all(std::string_view bytes, std::size_t portion,
                           std::size_t most = 100'000) {
  FrameReader reader(most);
  std::vector<Said> all;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(portion, bytes.size()))) {
    reader.push(bytes.substr(0, portion));
    while (auto said = reader.next()) all.push_back(*std::move(said));
  }
  return all;
}

/// The code of what is said first, which must be broken; 0 if it is not.
int refusal(std::string_view bytes) {
  const auto all = read_all(bytes, bytes.size(), 1000);
  return all.size() == 1 && all[0].kind == Said::Kind::broken ? all[0].code : 0;
}

TEST(WebSocketFrames, MessagesOfEveryLengthInEveryPortion) {
  std::string bytes;
  std::vector<Said> expected;
  for (const std::size_t size : {0U, 1U, 3U, 125U, 126U, 127U, 1000U, 65535U, 65536U}) {
    bytes += frame(0x81, std::string(size, 'm'));
    expected.push_back({Said::Kind::text, std::string(size, 'm'), 0});
  }
  for (const std::size_t portion : {1UL, 2UL, 7UL, 4096UL, bytes.size()}) {
    EXPECT_TRUE(read_all(bytes, portion) == expected) << portion;
  }
}

TEST(WebSocketFrames, ControlFramesWithinAMessage) {
  const std::string bytes = frame(0x01, "gr\xc3") + frame(0x89, "ping") + frame(0x00, "\xb6\xc3") +
                            frame(0x8A, "") +
                            frame(0x80,
                                  "\x9f"
                                  "er");
  const std::vector<Said> expected = {
      {Said::Kind::ping, "ping", 0}, {Said::Kind::pong, "", 0}, {Said::Kind::text, "größer", 0}};
  EXPECT_EQ(read_all(bytes, 1), expected);
  EXPECT_EQ(read_all(bytes, bytes.size()), expected);
}

TEST(WebSocketFrames, NothingFollowsGoodbye) {
  const auto all = read_all(frame(0x88,
                                  "\x0f\xa0"
                                  "bye") +
                                frame(0x81, "after"),
                            3);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0], (Said{Said::Kind::close, "bye", 4000}));
  EXPECT_EQ(read_all(frame(0x88, ""), 1)[0], (Said{Said::Kind::close, "", close_code::kNone}));
}

TEST(WebSocketFrames, WhatIsRefused) {
  const struct {
    std::string bytes;
    int code;
  } cases[] = {
      {frame(0x82, "binary"), 1003},
      {frame(0x81, "\xff"), 1007},
      {frame(0x01, "\xc3") + frame(0x80, "x"), 1007},
      {frame(0x81, std::string(1001, 'x')), 1009},
      {frame(0x01, std::string(600, 'x')) + frame(0x80, std::string(401, 'x')), 1009},
      {frame(0x83, ""), 1002},
      {frame(0x8B, ""), 1002},
      {frame(0x91, "reserved bit"), 1002},
      {frame(0xC1, "reserved bit"), 1002},
      {std::string("\x81\x05hello"), 1002},  // not masked
      {frame(0x80, "nothing to continue"), 1002},
      {frame(0x01, "one") + frame(0x81, "within another"), 1002},
      {frame(0x09, "a ping in pieces"), 1002},
      {frame(0x89, std::string(126, 'x')), 1002},
      {frame(0x81, "short", 2), 1002},
      {frame(0x81, std::string(200, 'x'), 8), 1002},
      {std::string("\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff", 10) + "mask", 1002},
      {std::string("\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff", 10) + "mask", 1009},
      {frame(0x88, "x"), 1002},
      {frame(0x88, std::string("\x03\xe7", 2)), 1002},  // 999
      {frame(0x88, std::string("\x03\xed", 2)), 1002},  // 1005
      {frame(0x88, std::string("\x03\xee", 2)), 1002},  // 1006
      {frame(0x88, std::string("\x0b\xb7", 2)), 1002},  // 2999
      {frame(0x88, std::string("\x13\x88", 2)), 1002},  // 5000
      {frame(0x88, "\x03\xe8\xff"), 1007},
  };
  for (const auto& [bytes, code] : cases) {
    EXPECT_EQ(refusal(bytes), code) << ::testing::PrintToString(bytes.substr(0, 20));
    EXPECT_EQ(refusal(bytes + frame(0x81, "more")), code);
  }
  EXPECT_EQ(refusal(frame(0x01, std::string(600, 'x')) + frame(0x80, std::string(400, 'x'))), 0);
}

TEST(WebSocketFrames, Heads) {
  EXPECT_EQ(frame_head(Opcode::text, 0), std::string("\x81\x00", 2));
  EXPECT_EQ(frame_head(Opcode::text, 125), "\x81\x7d");
  EXPECT_EQ(frame_head(Opcode::ping, 126), std::string("\x89\x7e\x00\x7e", 4));
  EXPECT_EQ(frame_head(Opcode::text, 65535), "\x81\x7e\xff\xff");
  EXPECT_EQ(frame_head(Opcode::text, 65536), std::string("\x81\x7f\0\0\0\0\0\x01\0\0", 10));
}

TEST(WebSocketFrames, Goodbyes) {
  EXPECT_EQ(close_frame(1000, "bye"),
            "\x88\x05\x03\xe8"
            "bye");
  EXPECT_EQ(close_frame(close_code::kNone, ""), std::string("\x88\x00", 2));
  // 123 bytes have room, and a character that begins in there does not end in there.
  const std::string fits(122, 'x');
  const std::string cut = close_frame(1000, fits + "ß");
  EXPECT_EQ(cut, "\x88\x7c\x03\xe8" + fits);
}

TEST(WebSocketFrames, AcceptKeyOfTheStandard) {
  EXPECT_EQ(accept_key("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

}  // namespace
}  // namespace parley::http
