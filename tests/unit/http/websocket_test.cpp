#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "server_fixture.hpp"

namespace parley::http {
namespace {

using namespace testing;

constexpr std::string_view kHandshake =
    "GET /socket HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

/// A frame as a client sends it, masked with zeros.
std::string frame(int first_byte, std::string_view payload) {
  std::string bytes(1, static_cast<char>(first_byte));
  if (payload.size() < 126) {
    bytes += static_cast<char>(0x80 | payload.size());
  } else if (payload.size() < 65536) {
    bytes += static_cast<char>(0x80 | 126);
    bytes += static_cast<char>(payload.size() >> 8);
    bytes += static_cast<char>(payload.size() & 0xff);
  } else {
    bytes += static_cast<char>(0x80 | 127);
    for (int shift = 56; shift >= 0; shift -= 8) {
      bytes += static_cast<char>((payload.size() >> shift) & 0xff);
    }
  }
  return bytes + std::string(4, '\0') + std::string(payload);
}
std::string text(std::string_view payload) { return frame(0x81, payload); }

/// The next frame of the server: its first byte and payload.
std::pair<int, std::string> read_frame(RawClient& client) {
  const std::string head = client.read(2);
  if (head.size() < 2) return {0, "(ended)"};
  std::size_t size = static_cast<unsigned char>(head[1]);
  if (size >= 126) {
    const std::string more = client.read(size == 126 ? 2 : 8);
    size = 0;
    for (const char c : more) size = size << 8 | static_cast<unsigned char>(c);
  }
  return {static_cast<unsigned char>(head[0]), client.read(size)};
}

/// The code of the close frame that comes next, 0 if something else comes.
int read_close(RawClient& client) {
  const auto [kind, payload] = read_frame(client);
  if (kind != 0x88 || payload.size() < 2) return 0;
  return static_cast<unsigned char>(payload[0]) << 8 | static_cast<unsigned char>(payload[1]);
}

/// What a server under test did.
struct Seen {
  Signal closed;
  std::atomic<int> code{0};
};

/// Sends every message back.
Handler echo_messages(Seen& seen) {
  return [&seen](const std::shared_ptr<Exchange>& exchange) {
    const auto socket = std::make_shared<std::weak_ptr<WebSocket>>();
    WebSocket::Handlers handlers;
    handlers.on_message = [socket](std::string message) {
      if (const auto open = socket->lock()) open->send(message);
    };
    handlers.on_close = [&seen](std::uint16_t code, const std::string&) {
      seen.code = code;
      seen.closed.set();
    };
    const auto upgraded = exchange->upgrade(std::move(handlers));
    if (!upgraded) return exchange->respond(Response::text(400, upgraded.error().what()));
    *socket = *upgraded;
  };
}

void shake_hands(RawClient& client) {
  client.send(kHandshake);
  const std::string head = client.read_until("\r\n\r\n");
  EXPECT_TRUE(head.starts_with("HTTP/1.1 101 ")) << head;
  EXPECT_NE(head.find("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), std::string::npos);
}

TEST(WebSocketServer, MessagesBothWays) {
  Seen seen;
  const auto server = serve(echo_messages(seen));
  RawClient client(server->port());
  shake_hands(client);
  for (const std::size_t size : {0U, 1U, 125U, 126U, 65535U, 65536U, 300000U}) {
    const std::string message(size, 'm');
    client.send(text(message));
    const auto [kind, payload] = read_frame(client);
    EXPECT_EQ(kind, 0x81);
    EXPECT_TRUE(payload == message) << size;
  }
  client.send(frame(0x89, "ping"));
  EXPECT_EQ(read_frame(client), std::make_pair(0x8a, std::string("ping")));
  client.send(frame(0x88, "\x03\xe8"));
  EXPECT_EQ(read_close(client), 1000);
  EXPECT_TRUE(seen.closed.wait());
  EXPECT_EQ(seen.code, 1000);
  EXPECT_TRUE(client.ended());
}

TEST(WebSocketServer, FragmentsAndSingleBytes) {
  Seen seen;
  const auto server = serve(echo_messages(seen));
  RawClient client(server->port());
  shake_hands(client);
  const std::string bytes = frame(0x01, "one ") + frame(0x00, "two ") + frame(0x80, "three");
  for (const char c : bytes) client.send({&c, 1});
  EXPECT_EQ(read_frame(client).second, "one two three");
}

TEST(WebSocketServer, NoHandshake) {
  Seen seen;
  const auto server = serve(echo_messages(seen));
  RawClient client(server->port());
  client.send(get("/socket"));
  EXPECT_EQ(status_of(client.read_response()), "HTTP/1.1 400");
  // Frames before the answer: there is nobody yet to read them.
  RawClient hasty(server->port());
  hasty.send(std::string(kHandshake) + text("too early"));
  EXPECT_EQ(status_of(hasty.read_all()), "HTTP/1.1 400");
  EXPECT_TRUE(seen.closed.wait());
}

TEST(WebSocketServer, SendsAtOnceAndFromOtherThreads) {
  std::thread sender;
  const auto server = serve([&](const std::shared_ptr<Exchange>& exchange) {
    sender = std::thread([socket = exchange->upgrade({}).value()] {
      for (int i = 0; i < 1000; ++i) socket->send(std::to_string(i));
      socket->close(1000, "that was all");
    });
  });
  RawClient client(server->port());
  shake_hands(client);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(read_frame(client).second, std::to_string(i));
  EXPECT_EQ(read_close(client), 1000);
  sender.join();
}

TEST(WebSocketServer, WhatIsRefused) {
  Limits limits;
  limits.message = 1000;
  const struct {
    std::string bytes;
    int code;
  } cases[] = {
      {text(std::string(1001, 'x')), 1009},
      {frame(0x01, std::string(600, 'x')) + frame(0x80, std::string(600, 'x')), 1009},
      {frame(0x82, "binary"), 1003},
      {text("\xff\xfe"), 1007},
      {frame(0x83, "unknown"), 1002},
      {frame(0xc1, "reserved bit"), 1002},
      {std::string("\x81\x05hello", 7), 1002},  // not masked
      {frame(0x80, "no beginning"), 1002},
      {frame(0x89, std::string(126, 'x')), 1002},  // a ping that long
  };
  for (const auto& [bytes, code] : cases) {
    Seen seen;
    const auto server = serve(echo_messages(seen), limits);
    RawClient client(server->port());
    shake_hands(client);
    client.send(bytes);
    EXPECT_EQ(read_close(client), code);
    client.send(frame(0x88, "\x03\xe8"));
    EXPECT_TRUE(client.ended());
    client.close();
    EXPECT_TRUE(seen.closed.wait());
  }
}

TEST(WebSocketServer, HugeFrameIsRefusedByItsHeader) {
  Seen seen;
  const auto server = serve(echo_messages(seen));
  RawClient client(server->port());
  shake_hands(client);
  client.send(std::string("\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff", 10) + std::string(4, '\0'));
  EXPECT_EQ(read_close(client), 1009);
}

TEST(WebSocketServer, SilentClientsArePingedAndThenEnded) {
  Limits limits;
  limits.websocket_idle_time = 200ms;
  Seen seen;
  const auto server = serve(echo_messages(seen), limits);
  RawClient client(server->port());
  shake_hands(client);
  EXPECT_EQ(read_frame(client).first, 0x89);
  EXPECT_TRUE(seen.closed.wait());
  EXPECT_EQ(seen.code, 1006);
}

TEST(WebSocketServer, WhoReadsTooSlowlyIsSentAway) {
  Limits limits;
  limits.unsent = 1'000'000;
  Signal closed;
  std::thread sender;
  const auto server = serve(
      [&](const std::shared_ptr<Exchange>& exchange) {
        WebSocket::Handlers handlers;
        handlers.on_close = [&](std::uint16_t, const std::string&) { closed.set(); };
        sender = std::thread([socket = exchange->upgrade(handlers).value()] {
          while (socket->open()) socket->send(std::string(10'000, 'x'));
          EXPECT_LE(socket->unsent(), 1'010'000U);
        });
      },
      limits);
  RawClient client(server->port());
  client.shrink_buffers();
  client.send(kHandshake);
  EXPECT_TRUE(closed.wait());
  sender.join();
}

TEST(WebSocketServer, PauseHoldsTheClientBack) {
  std::atomic<int> received{0};
  Signal first, second;
  std::shared_ptr<WebSocket> socket;
  const auto server = serve([&](const std::shared_ptr<Exchange>& exchange) {
    WebSocket::Handlers handlers;
    handlers.on_message = [&](const std::string&) {
      if (++received == 1) {
        socket->pause();
        first.set();
      } else {
        second.set();
      }
    };
    socket = exchange->upgrade(handlers).value();
  });
  RawClient client(server->port());
  shake_hands(client);
  client.send(text("1"));
  ASSERT_TRUE(first.wait());
  socket->resume();
  client.send(text("2"));
  EXPECT_TRUE(second.wait());
}

TEST(WebSocketServer, LostConnection) {
  Seen seen;
  const auto server = serve(echo_messages(seen));
  RawClient client(server->port());
  shake_hands(client);
  client.reset();
  EXPECT_TRUE(seen.closed.wait());
  EXPECT_EQ(seen.code, 1006);
}

TEST(WebSocketServer, StopSaysGoodbye) {
  Seen seen;
  const auto server = serve(echo_messages(seen));
  RawClient client(server->port());
  shake_hands(client);
  std::thread polite([&] {
    EXPECT_EQ(read_close(client), 1001);
    client.send(frame(0x88, "\x03\xe9"));
    client.close();
  });
  server->stop(std::chrono::milliseconds(kPatienceMs));
  polite.join();
  EXPECT_EQ(seen.code, 1001);
}

TEST(WebSocketServer, StopDoesNotWaitForSilentClients) {
  Seen seen;
  std::shared_ptr<WebSocket> kept;
  auto server = serve([&](const std::shared_ptr<Exchange>& exchange) {
    WebSocket::Handlers handlers;
    handlers.on_close = [&](std::uint16_t, const std::string&) { seen.closed.set(); };
    kept = exchange->upgrade(handlers).value();
  });
  RawClient client(server->port());
  shake_hands(client);
  server->stop(20ms);
  EXPECT_TRUE(seen.closed.wait());
  EXPECT_FALSE(kept->open());
  server.reset();
  kept->send("too late, and harmless");
}

}  // namespace
}  // namespace parley::http
