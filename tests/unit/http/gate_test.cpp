// What is decided about a request before its body is read, and how much all bodies may take.
#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "server_fixture.hpp"

namespace parley::http {
namespace {

using namespace testing;

std::string post(std::string_view target, std::size_t length, std::string_view fields = {}) {
  return "POST " + std::string(target) +
         " HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(length) + "\r\n" +
         std::string(fields) + "\r\n";
}
constexpr std::string_view kExpect = "Expect: 100-continue\r\n";
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

/// Nobody gets to /closed.
std::unique_ptr<Server> serve_behind_gate(Handler handler) {
  ServerOptions options;
  options.gate = [](const Request& request) -> std::optional<Response> {
    EXPECT_TRUE(request.body.empty());
    EXPECT_FALSE(request.peer.empty());
    if (request.path() == "/throw") throw std::runtime_error("oops");
    if (request.path() != "/closed") return std::nullopt;
    return Response::text(401, "closed");
  };
  return Server::start(options, std::move(handler)).value();
}

TEST(HttpGate, RefusesWithoutReadingTheBody) {
  const auto server = serve_behind_gate([](const auto&) { ADD_FAILURE(); });
  for (const std::string& request :
       {post("/closed", 8'000'000), post("/closed", 8'000'000, kExpect),
        std::string("POST /closed HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")}) {
    RawClient client(server->port());
    client.send(request);
    const std::string response = client.read_all();
    EXPECT_EQ(status_of(response), "HTTP/1.1 401") << response;
    EXPECT_NE(response.find("Connection: close\r\n"), std::string::npos);
    EXPECT_EQ(body_of(response), "closed");
  }
}

TEST(HttpGate, AClientThatSendsItAllTheSameGetsItsAnswer) {
  const auto server = serve_behind_gate([](const auto&) { ADD_FAILURE(); });
  RawClient client(server->port());
  EXPECT_TRUE(client.send(post("/closed", 8'000'000) + std::string(8'000'000, 'x')));
  EXPECT_EQ(status_of(client.read_response()), "HTTP/1.1 401");
}

TEST(HttpGate, NothingBehindARefusedBodyIsARequest) {
  const auto server = serve_behind_gate([](const auto&) { ADD_FAILURE(); });
  RawClient client(server->port());
  client.send(post("/closed", 1000) + get("/smuggled"));
  EXPECT_EQ(body_of(client.read_all()), "closed");
}

TEST(HttpGate, WithoutABodyTheConnectionStays) {
  const auto server = serve_behind_gate(echo);
  RawClient client(server->port());
  client.send(get("/closed") + "HEAD /closed HTTP/1.1\r\nHost: a\r\n\r\n" + get("/throw") +
              get("/open"));
  EXPECT_EQ(body_of(client.read_response()), "closed");
  EXPECT_EQ(status_of(client.read_until("\r\n\r\n")), "HTTP/1.1 401");
  EXPECT_EQ(status_of(client.read_response()), "HTTP/1.1 500");
  EXPECT_EQ(body_of(client.read_response()), "GET /open ");
}

TEST(HttpGate, AsksForTheBodyWhenItHasAgreed) {
  const auto server = serve_behind_gate(echo);
  RawClient client(server->port());
  client.send(post("/open", 3, kExpect));
  EXPECT_EQ(client.read_until("\r\n\r\n"), kContinue);
  client.send("abc" + post("/open", 2));
  EXPECT_EQ(body_of(client.read_response()), "POST /open abc");
  client.send("d");
  client.send("e" + get("/last"));
  EXPECT_EQ(body_of(client.read_response()), "POST /open de");
  EXPECT_EQ(body_of(client.read_response()), "GET /last ");
}

TEST(HttpGate, BodiesThatComeWhileAnAnswerIsGiven) {
  Signal asked;
  std::shared_ptr<Exchange> first;
  const auto server = serve_behind_gate([&](const std::shared_ptr<Exchange>& exchange) {
    if (exchange->request().target != "/first") return echo(exchange);
    first = exchange;
    asked.set();
  });
  RawClient client(server->port());
  client.send(get("/first"));
  ASSERT_TRUE(asked.wait());
  client.send(post("/second", 6) + "abc");
  echo(std::exchange(first, nullptr));
  EXPECT_EQ(body_of(client.read_response()), "GET /first ");
  client.send("def" + get("/third"));
  EXPECT_EQ(body_of(client.read_response()), "POST /second abcdef");
  EXPECT_EQ(body_of(client.read_response()), "GET /third ");
}

class HttpBodies : public ::testing::Test {
 protected:
  HttpBodies() {
    limits_.body = 1000;
    limits_.bodies = 2;
    server_ = serve([this](const auto& exchange) { handle(exchange); }, limits_);
  }
  void handle(const std::shared_ptr<Exchange>& exchange) {
    if (exchange->request().target != "/keep") return echo(exchange);
    kept_ = exchange;
    asked_.set();
  }
  /// A client that was asked for its body of that many bytes and has not sent it.
  std::unique_ptr<RawClient> begin(std::size_t length, std::string_view target = "/") {
    auto client = std::make_unique<RawClient>(server_->port());
    client->send(post(target, length, kExpect));
    EXPECT_EQ(client->read_until("\r\n\r\n"), kContinue);
    return client;
  }
  std::string status(const std::string& request) {
    RawClient client(server_->port());
    client.send(request);
    return status_of(client.read_response());
  }
  /// As soon as the server has seen somebody go.
  void expect_room_again() {
    std::string said;
    for (int i = 0; i < 1000 && said != "HTTP/1.1 200"; ++i) {
      said = status(post("/", 1000) + std::string(1000, 'x'));
    }
    EXPECT_EQ(said, "HTTP/1.1 200");
  }

  Limits limits_;
  Signal asked_;
  std::shared_ptr<Exchange> kept_;
  std::unique_ptr<Server> server_;
};

TEST_F(HttpBodies, OfAllClientsAreBounded) {
  const auto keep = [this] {
    auto client = begin(1000, "/keep");
    client->send(std::string(1000, 'x'));
    EXPECT_TRUE(asked_.wait());
    return client;
  };
  const auto one = keep();
  const auto first = std::exchange(kept_, nullptr);
  const auto two = begin(1000);
  two->send(std::string(999, 'x'));
  // One byte is left; what is complete makes no room, what is on its way does.
  EXPECT_EQ(status(post("/", 1000) + std::string(1000, 'x')), "HTTP/1.1 200");
  EXPECT_EQ(status_of(two->read_response()), "HTTP/1.1 408");
  EXPECT_EQ(status(get("/")), "HTTP/1.1 200");
}

TEST_F(HttpBodies, OfSlowClientsKeepNobodyOut) {
  std::vector<std::unique_ptr<RawClient>> slow;
  for (int i = 0; i < 8; ++i) {
    slow.push_back(begin(1000));
    slow.back()->send(std::string(i % 2 == 0 ? 1 : 900, 'x'));
  }
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(status(post("/", 1000) + std::string(1000, 'x')), "HTTP/1.1 200");
  }
  // The last of them was not in the way: it can still come to its end.
  const auto last = begin(1000);
  last->send(std::string(1000, 'x'));
  EXPECT_EQ(status_of(last->read_response()), "HTTP/1.1 200");
}

TEST_F(HttpBodies, OfClientsThatGoLeaveRoom) {
  const auto one = begin(1000);
  const auto two = begin(1000);
  two->send("some");
  two->reset();
  expect_room_again();
}

TEST_F(HttpBodies, CountAsLongAsTheRequestIsHeld) {
  limits_.bodies = 1;
  server_ = serve([this](const auto& exchange) { handle(exchange); }, limits_);
  const auto client = begin(1000, "/keep");
  client->send(std::string(1000, 'x'));
  ASSERT_TRUE(asked_.wait());
  EXPECT_EQ(status(post("/", 1) + "x"), "HTTP/1.1 503");
  EXPECT_EQ(status("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n"),
            "HTTP/1.1 503");
  echo(kept_);
  EXPECT_EQ(status_of(client->read_response()), "HTTP/1.1 200");
  EXPECT_EQ(status(post("/", 1) + "x"), "HTTP/1.1 503");
  kept_.reset();
  EXPECT_EQ(status(post("/", 1000) + std::string(1000, 'x')), "HTTP/1.1 200");
}

TEST(HttpRefusal, IsWordedByTheOwner) {
  ServerOptions options;
  options.limits.header = 1000;
  options.refusal = [](int status) {
    return Response::json(status, Json::object({{"status", status}}));
  };
  const auto server = Server::start(options, [](const auto&) {}).value();
  for (const auto& [request, body] : std::vector<std::pair<std::string, std::string>>{
           {"rubbish\r\n\r\n", R"({"status":400})"},
           {"GET /" + std::string(2000, 'x'), R"({"status":431})"},
           {post("/", 9'000'000), R"({"status":413})"},
           {"GET / HTTP/9.9\r\nHost: a\r\n\r\n", R"({"status":505})"},
           {get("/nobody"), R"({"status":500})"}}) {
    RawClient client(server->port());
    client.send(request);
    const std::string response = client.read_response();
    EXPECT_EQ(body_of(response), body) << request.substr(0, 40);
    EXPECT_NE(response.find("Content-Type: application/json\r\n"), std::string::npos);
  }
}

}  // namespace
}  // namespace parley::http
