// The server as a client meets it: over a socket, with every fault a script can ask for.
#include "model/model_server.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>

#include "model/playback.hpp"
#include "tests/unit/http/raw_client.hpp"

namespace parley::model {
namespace {

using http::testing::RawClient;
using Clock = std::chrono::steady_clock;

std::unique_ptr<ModelServer> play(std::string_view script, const ModelServerOptions& options = {}) {
  return ModelServer::start(std::make_shared<Playback>(Script::parse(script).value()), options)
      .value();
}

std::string post(std::string_view target, std::string_view body) {
  return "POST " + std::string(target) + " HTTP/1.1\r\nHost: a\r\nx-api-key: sk-dummy\r\n" +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}
std::string ask(bool stream) {
  return post("/v1/messages?beta=true",
              std::string(R"({"model":"m","tools":[{"name":"Bash"}],"stream":)") +
                  (stream ? "true" : "false") +
                  R"(,"messages":[{"role":"user","content":"hello"}]})");
}

std::string body_of(const std::string& response) {
  const auto at = response.find("\r\n\r\n");
  return at == std::string::npos ? std::string() : response.substr(at + 4);
}
int count(std::string_view text, std::string_view what) {
  int found = 0;
  for (auto at = text.find(what); at != std::string_view::npos; at = text.find(what, at + 1)) {
    ++found;
  }
  return found;
}

constexpr std::string_view kHello = R"([{"content":[{"type":"text","text":"Hello there"}]}])";

TEST(ModelServer, Streams) {
  const auto server = play(kHello);
  RawClient client(server->port());
  client.send(ask(true));
  const std::string response = client.read_all();
  EXPECT_TRUE(response.starts_with("HTTP/1.1 200 OK\r\n")) << response;
  EXPECT_NE(response.find("Content-Type: text/event-stream; charset=utf-8\r\n"), std::string::npos);
  EXPECT_NE(response.find("request-id: req_stub0001\r\n"), std::string::npos);
  EXPECT_TRUE(body_of(response).starts_with("event: message_start\n"));
  EXPECT_TRUE(response.ends_with("event: message_stop\ndata: {\"type\": \"message_stop\"}\n\n"));
}

TEST(ModelServer, Whole) {
  const auto server = play(kHello);
  RawClient client(server->port());
  client.send(ask(false));
  const auto message = Json::parse(body_of(client.read_response()));
  ASSERT_TRUE(message);
  EXPECT_EQ((*message)["content"][0]["text"].as_string(), "Hello there");
  EXPECT_EQ((*message)["stop_reason"].as_string(), "end_turn");
  EXPECT_EQ((*message)["model"].as_string(), "m");
}

TEST(ModelServer, CountsTokens) {
  const auto server = play("[]");
  RawClient client(server->port());
  client.send(post("/v1/messages/count_tokens?beta=true", R"({"model":"m","messages":[]})"));
  EXPECT_EQ(body_of(client.read_response()), R"({"input_tokens":100})");
}

TEST(ModelServer, Errors) {
  const auto server = play(
      R"([{"status":529,"error":{"type":"error","error":{"type":"overloaded_error","message":"x"}},
           "headers":{"retry-after":"3","request-id":"mine"}},
          {"status":500,"raw_body":"<html>"}])");
  RawClient client(server->port());
  client.send(ask(true));
  const std::string overloaded = client.read_response();
  EXPECT_TRUE(overloaded.starts_with("HTTP/1.1 529 Overloaded\r\n"));
  EXPECT_NE(overloaded.find("retry-after: 3\r\n"), std::string::npos);
  EXPECT_NE(overloaded.find("request-id: mine\r\n"), std::string::npos);
  EXPECT_EQ(body_of(overloaded),
            R"({"type":"error","error":{"type":"overloaded_error","message":"x"}})");
  client.send(ask(true));
  EXPECT_EQ(body_of(client.read_response()), "<html>");
}

TEST(ModelServer, WhatIsNoQuestion) {
  const auto server = play("[]");
  RawClient client(server->port());
  const auto status = [&](const std::string& request) {
    client.send(request);
    return client.read_response().substr(9, 3);
  };
  EXPECT_EQ(status("GET / HTTP/1.1\r\nHost: a\r\n\r\n"), "200");
  EXPECT_EQ(status("GET /v1/models HTTP/1.1\r\nHost: a\r\n\r\n"), "404");
  EXPECT_EQ(status("GET /v1/messages HTTP/1.1\r\nHost: a\r\n\r\n"), "405");
  EXPECT_EQ(status(post("/v1/messages", "{broken")), "400");
  EXPECT_EQ(status(post("/v1/messages", "[]")), "400");
  client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(client.read_until("\r\n\r\n").substr(9, 3), "200");
}

TEST(ModelServer, Drop) {
  const auto server = play(R"([{"drop":true}])");
  RawClient client(server->port());
  client.send(ask(true));
  EXPECT_TRUE(client.ended());
}

TEST(ModelServer, CutAndInjected) {
  const auto server = play(
      R"([{"content":[{"type":"text","text":"Hello there"}],"chunk":1,"cut_after":4},
          {"content":[{"type":"text","text":"Hello there"}],"inject_after":2,"inject":"bad\n\n"}])");
  RawClient client(server->port());
  client.send(ask(true));
  const std::string cut = client.read_all();
  EXPECT_EQ(count(cut, "event: "), 4);
  EXPECT_EQ(cut.find("message_stop"), std::string::npos);
  RawClient other(server->port());
  other.send(ask(true));
  const std::string injected = other.read_all();
  EXPECT_NE(injected.find("bad\n\nevent: content_block_delta"), std::string::npos) << injected;
  EXPECT_NE(injected.find("message_stop"), std::string::npos);
}

TEST(ModelServer, RawStream) {
  const auto server = play(R"([{"raw_sse":"<html>hello</html>"}])");
  RawClient client(server->port());
  client.send(ask(true));
  EXPECT_EQ(body_of(client.read_all()), "<html>hello</html>");
}

TEST(ModelServer, HangsUntilTheClientGoes) {
  const auto server = play(
      R"([{"content":[{"type":"text","text":"x"}],"hang_after":2},{"raw_sse":"x","hang":true}])");
  {
    RawClient client(server->port()), other(server->port());
    client.send(ask(true));
    EXPECT_EQ(
        count(client.read_until("content_block_start\"") + client.read_until("\n\n"), "event: "),
        2);
    other.send(ask(true));
    other.read_until("\r\n\r\nx");
  }
  server->stop();  // nothing is left that it would wait for
}

TEST(ModelServer, TakesItsTime) {
  const auto server = play(
      R"([{"content":[{"type":"text","text":"12345"}],"delay_ms":40,"chunk":1,"chunk_delay_ms":10,
           "hang_after":3,"hang_ms":40}])");
  RawClient client(server->port());
  const auto begin = Clock::now();
  client.send(ask(true));
  const std::string response = client.read_all();
  EXPECT_GE(Clock::now() - begin, std::chrono::milliseconds(40 + 5 * 10 + 40));
  EXPECT_EQ(count(response, "text_delta"), 5);
}

TEST(ModelServer, LongAnswersWaitForTheReader) {
  const std::string text(3'000'000, 'x');
  const auto server =
      play(R"([{"chunk":100,"content":[{"type":"text","text":")" + text + R"("}]}])");
  RawClient client(server->port());
  client.send(ask(true));
  const std::string response = client.read_all();
  EXPECT_EQ(count(response, "text_delta"), 30'000);
  EXPECT_TRUE(response.ends_with("\"message_stop\"}\n\n"));
}

TEST(ModelServer, RemembersWhatItWasAsked) {
  ModelServerOptions options;
  options.record = std::filesystem::temp_directory_path() / "model_server_test.jsonl";
  const auto server = play(kHello, options);
  RawClient client(server->port());
  client.send(ask(false));
  client.read_response();
  client.send("GET /favicon.ico HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer secret\r\n\r\n");
  client.read_response();
  client.send("GET /_parley/requests HTTP/1.1\r\nHost: a\r\n\r\n");
  const std::string lines = body_of(client.read_response());
  EXPECT_EQ(lines, server->requests());
  std::ifstream file(options.record, std::ios::binary);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), lines);
  ASSERT_EQ(count(lines, "\n"), 2);
  const auto first = Json::parse(lines.substr(0, lines.find('\n')));
  ASSERT_TRUE(first);
  EXPECT_EQ((*first)["target"].as_string(), "/v1/messages?beta=true");
  EXPECT_EQ((*first)["turn"].as_string(), "0");
  EXPECT_EQ((*first)["body"]["messages"][0]["content"].as_string(), "hello");
  EXPECT_EQ((*first)["headers"]["x-api-key"].as_string(), "sk-d... (8 characters)");
  EXPECT_EQ(lines.find("secret"), std::string::npos);
  std::filesystem::remove(options.record);
}

TEST(ModelServer, CannotStart) {
  ModelServerOptions options;
  options.record = "/nowhere/at/all";
  const auto source = std::make_shared<Playback>(Script());
  EXPECT_EQ(ModelServer::start(source, options).error().context(), "/nowhere/at/all");
  options = {};
  options.host = "example.com";
  EXPECT_EQ(ModelServer::start(source, options).error().code(), ErrorCode::invalid);
}

}  // namespace
}  // namespace parley::model
