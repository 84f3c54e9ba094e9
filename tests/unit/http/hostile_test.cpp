// Clients that misbehave: each gets a plain status or is sent away, and the others notice nothing.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "server_fixture.hpp"

namespace parley::http {
namespace {

using namespace testing;

/// Whether the server still answers others.
void expect_alive(const Server& server) {
  RawClient client(server.port());
  client.send(get("/alive"));
  EXPECT_EQ(body_of(client.read_response()), "GET /alive ");
}

Limits small_limits() {
  Limits limits;
  limits.header = 2048;
  limits.body = 10'000;
  return limits;
}

TEST(HttpHostile, EveryByteAlone) {
  const auto server = serve(echo);
  RawClient client(server->port());
  for (const char c :
       std::string("POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nok")) {
    client.send({&c, 1});
  }
  EXPECT_EQ(body_of(client.read_response()), "POST /slow ok");
}

TEST(HttpHostile, RubbishGetsAStatusAndTheEnd) {
  const auto server = serve(echo, small_limits());
  const struct {
    std::string bytes;
    std::string_view status;
  } cases[] = {
      {"\x16\x03\x01\x02\x01\x01", ""},  // TLS: waits for the end of a header
      {"rubbish\r\n\r\n", "HTTP/1.1 400"},
      {"GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 400"},
      {"GET /" + std::string(50'000, 'a'), "HTTP/1.1 431"},
      {"GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(50'000, 'a'), "HTTP/1.1 431"},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10001\r\n\r\n", "HTTP/1.1 413"},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n" +
           std::string(1'000'000, 'a'),
       "HTTP/1.1 413"},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4000\r\n" +
           std::string(0x4000, 'a'),
       "HTTP/1.1 413"},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n",
       "HTTP/1.1 400"},
      {"POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 20000\r\n\r\n",
       "HTTP/1.1 413"},
  };
  for (const auto& [bytes, status] : cases) {
    RawClient client(server->port());
    client.send(bytes);
    client.end_sending();
    const std::string response = client.read_all();
    EXPECT_EQ(status_of(response), status) << bytes.substr(0, 80);
    EXPECT_EQ(response.empty(), response.find("Connection: close\r\n") == std::string::npos);
  }
  expect_alive(*server);
}

TEST(HttpHostile, NothingIsReadBehindARefusal) {
  const auto server = serve(echo, small_limits());
  RawClient client(server->port());
  client.send("rubbish\r\n\r\n" + get("/smuggled"));
  EXPECT_EQ(client.read_all().find("smuggled"), std::string::npos);
}

TEST(HttpHostile, SlowHeader) {
  Limits limits;
  limits.header_time = 100ms;
  const auto server = serve(echo, limits);
  RawClient silent(server->port()), slow(server->port());
  slow.send("GET / HTTP/1.1\r\nHost:");
  EXPECT_EQ(status_of(slow.read_all()), "HTTP/1.1 408");
  EXPECT_TRUE(silent.ended());
  expect_alive(*server);
}

TEST(HttpHostile, SlowBody) {
  Limits limits;
  limits.body_time = 100ms;
  const auto server = serve(echo, limits);
  RawClient client(server->port());
  client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc");
  EXPECT_EQ(status_of(client.read_all()), "HTTP/1.1 408");
}

TEST(HttpHostile, IdleConnectionsAreClosed) {
  Limits limits;
  limits.idle_time = 100ms;
  const auto server = serve(echo, limits);
  RawClient client(server->port());
  client.send(get("/"));
  client.read_response();
  EXPECT_TRUE(client.ended());
  EXPECT_EQ(server->connections(), 0U);
}

TEST(HttpHostile, AnAnswerForOneWhoDoesNotRead) {
  Limits limits;
  limits.write_time = 200ms;
  Signal gone;
  const auto server = serve(
      [&](const std::shared_ptr<Exchange>& exchange) {
        const auto stream = exchange->stream({}, Framing::chunked);
        stream->on_gone([&] { gone.set(); });
        stream->write(std::string(10'000'000, 'x'));
      },
      limits);
  RawClient client(server->port());
  client.shrink_buffers();
  client.send(get("/"));
  EXPECT_TRUE(gone.wait());
}

TEST(HttpHostile, WhoReadsTooSlowlyIsSentAway) {
  Limits limits;
  limits.unsent = 1'000'000;
  Signal gone;
  std::thread writer;
  const auto server = serve(
      [&](const std::shared_ptr<Exchange>& exchange) {
        const auto stream = exchange->stream({}, Framing::chunked);
        stream->on_gone([&] { gone.set(); });
        writer = std::thread([stream] {
          while (stream->open()) stream->write(std::string(10'000, 'x'));
          EXPECT_LE(stream->unsent(), 1'010'000U);
        });
      },
      limits);
  RawClient client(server->port());
  client.shrink_buffers();
  client.send(get("/"));
  EXPECT_TRUE(gone.wait());
  writer.join();
}

TEST(HttpHostile, HalfClosedClientsGetTheirResponse) {
  const auto server = serve([](const std::shared_ptr<Exchange>& exchange) {
    exchange->after(20ms, [exchange] { echo(exchange); });
  });
  RawClient client(server->port());
  client.send(get("/half"));
  client.end_sending();
  EXPECT_EQ(body_of(client.read_all()), "GET /half ");
}

TEST(HttpHostile, ResetsAtAnyPoint) {
  const auto server = serve([](const std::shared_ptr<Exchange>& exchange) {
    exchange->after(1ms, [exchange] { echo(exchange); });
  });
  const std::string request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc";
  for (std::size_t cut = 0; cut <= request.size(); ++cut) {
    RawClient client(server->port());
    client.send(request.substr(0, cut));
    client.reset();
  }
  RawClient client(server->port());
  client.send(get("/"));
  EXPECT_EQ(body_of(client.read_response()), "GET / ");
}

TEST(HttpHostile, FloodOfRequests) {
  Limits limits;
  limits.connections = 20;
  const auto server = serve(
      [](const std::shared_ptr<Exchange>& exchange) {
        if (exchange->request().target == "/") return echo(exchange);
        exchange->stream({200, {}, "x"}, Framing::chunked);  // and never ends
      },
      limits);
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 20; ++i) {
    clients.push_back(std::make_unique<RawClient>(server->port()));
    clients.back()->send(get("/stream"));
    EXPECT_EQ(status_of(clients.back()->read_until("x")), "HTTP/1.1 200");
  }
  RawClient late(server->port());
  late.send(get("/"));
  EXPECT_EQ(status_of(late.read_all()), "HTTP/1.1 503");
  for (int i = 0; i < 200; ++i) clients.push_back(std::make_unique<RawClient>(server->port()));
  EXPECT_LE(server->connections(), 20U + 32U);
  clients.clear();
  // Room again, as soon as the server has seen them go.
  std::string status;
  for (int i = 0; i < 1000 && status != "HTTP/1.1 200"; ++i) {
    RawClient client(server->port());
    client.send(get("/"));
    status = status_of(client.read_response());
  }
  EXPECT_EQ(status, "HTTP/1.1 200");
}

TEST(HttpHostile, WhoOnlyHoldsAConnectionKeepsNobodyOut) {
  Limits limits;
  limits.connections = 20;
  const auto server = serve(echo, limits);
  std::vector<std::unique_ptr<RawClient>> holders;
  for (int i = 0; i < 100; ++i) {
    holders.push_back(std::make_unique<RawClient>(server->port()));
    holders.back()->send(i % 3 == 0 ? "" : i % 3 == 1 ? "GET / HTTP/1.1\r\nHost:" : get("/"));
  }
  for (int i = 0; i < 30; ++i) {
    RawClient client(server->port());
    client.send(get("/in"));
    EXPECT_EQ(body_of(client.read_response()), "GET /in ");
  }
  EXPECT_LE(server->connections(), 20U + 32U);
}

TEST(HttpHostile, FloodOfPipelinedRequests) {
  const auto server = serve(echo);
  RawClient client(server->port());
  constexpr int kRequests = 5000;
  std::jthread sender([&] {
    std::string all;
    for (int i = 0; i < kRequests; ++i) all += get("/flood");
    client.send(all);
  });
  for (int i = 0; i < kRequests; ++i) {
    ASSERT_EQ(body_of(client.read_response()), "GET /flood ") << i;
  }
}

TEST(HttpHostile, StopUnderLoad) {
  auto server = serve(echo, {}, 2);
  std::vector<std::thread> clients;
  for (int c = 0; c < 6; ++c) {
    clients.emplace_back([port = server->port()] {
      for (;;) {
        RawClient client(port);
        if (!client.connected() || !client.send(get("/"))) return;
        if (client.read_response().empty()) return;
      }
    });
  }
  RawClient client(server->port());
  for (int i = 0; i < 200; ++i) {
    client.send(get("/"));
    client.read_response();
  }
  server->stop();
  server.reset();
  for (std::thread& thread : clients) thread.join();
}

}  // namespace
}  // namespace parley::http
