// The ways to servers: a process, and the web in its two ways.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <condition_variable>
#include <mutex>

#include "agent/mcp/transports/http_transport.hpp"
#include "agent/mcp/transports/sse_transport.hpp"
#include "agent/mcp/transports/stdio_transport.hpp"
#include "tests/support/raw_server.hpp"

namespace parley::agent {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Inbox final : public McpReceiver {
 public:
  bool on_message(std::string_view json) override { return note(std::string(json)); }
  void on_too_long(std::string_view) override { note("too long"); }
  void on_closed(const Error& why) override { note("closed: " + why.message()); }
  /// Waits until so many things have come.
  std::vector<std::string> wait(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, seconds(20), [&] { return came_.size() >= count; });
    return came_;
  }

 private:
  bool note(std::string text) {
    const std::lock_guard lock(mutex_);
    came_.push_back(std::move(text));
    changed_.notify_all();
    return came_.back().find("\"result\"") != std::string::npos;
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> came_;
};

JsonRpcMessage request() {
  JsonRpcMessage message;
  message.id = RawJson("1");
  message.method = "x";
  return message;
}

StdioTransport::Setup shell(const std::string& script) {
  StdioTransport::Setup setup;
  setup.command = "/bin/sh";
  setup.arguments = {"-c", script};
  setup.environment = {{"PATH", "/usr/bin:/bin"}};
  setup.cwd = "/";
  return setup;
}

TEST(StdioTransport, LinesGoThereAndBack) {
  Inbox inbox;
  StdioTransport transport(shell("while read -r line; do echo \"got $line\"; done"));
  ASSERT_TRUE(transport.open(inbox, {}).ok());
  ASSERT_TRUE(transport.send(request(), {}).ok());
  EXPECT_THAT(inbox.wait(1), ElementsAre(R"(got {"jsonrpc":"2.0","id":1,"method":"x"})"));
  transport.close();
}

TEST(StdioTransport, WhatIsSaidBeforeTheEndIsHeard) {
  Inbox inbox;
  StdioTransport transport(shell("echo one; echo two; exit 3"));
  ASSERT_TRUE(transport.open(inbox, {}).ok());
  EXPECT_THAT(inbox.wait(3), ElementsAre("one", "two", "closed: Connection closed"));
  EXPECT_FALSE(transport.send(request(), {}).ok());
}

TEST(StdioTransport, AProgramThatIsNotThereIsAnError) {
  Inbox inbox;
  StdioTransport::Setup setup = shell("");
  setup.command = "/nonexistent/program";
  StdioTransport transport(setup);
  EXPECT_THAT(transport.open(inbox, {}).error().message(), HasSubstr("/nonexistent/program"));
  setup.command = "no-such-program";
  StdioTransport other(setup);
  EXPECT_THAT(other.open(inbox, {}).error().message(), HasSubstr("PATH"));
}

TEST(StdioTransport, OneThatDoesNotReadCostsItsTimeOnly) {
  Inbox inbox;
  StdioTransport transport(shell("exec sleep 1000"));
  ASSERT_TRUE(transport.open(inbox, {}).ok());
  JsonRpcMessage large = request();
  large.params = RawJson("\"" + std::string(1 << 20, 'x') + "\"");
  EXPECT_EQ(transport.send(large, {{}, milliseconds(50), {}}).error().code(), ErrorCode::timeout);
  transport.close();
}

TEST(StdioTransport, NothingIsLeftOfOneThatWillNotEnd) {
  Inbox inbox;
  StdioTransport transport(
      shell("trap '' TERM; sleep 1000 & echo $!; while :; do sleep 1000; done"));
  ASSERT_TRUE(transport.open(inbox, {}).ok());
  const pid_t child = std::stoi(inbox.wait(1).at(0));
  const UniqueFd watched(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
  ASSERT_TRUE(watched.valid());
  transport.close();
  // Readable when it has ended.
  pollfd end{watched.get(), POLLIN, 0};
  EXPECT_EQ(::poll(&end, 1, 20'000), 1);
}

std::string http(const std::string& type, const std::string& body, const std::string& more = {}) {
  return "HTTP/1.1 200 OK\r\nContent-Type: " + type +
         "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + more + "\r\n" + body;
}

constexpr const char* kAnswer = R"({"jsonrpc":"2.0","id":1,"result":{}})";

TEST(HttpTransport, AnAnswerIsJsonOrAStream) {
  testing::RawServer server([](testing::Peer& peer) {
    const std::string asked = peer.read_request();
    EXPECT_THAT(asked, HasSubstr("Accept: application/json, text/event-stream"));
    peer.send(
        asked.find("/json") != std::string::npos
            ? http("application/json", kAnswer)
            : http("text/event-stream", "event: message\ndata: {\"method\":\"note\"}\n\ndata: " +
                                            std::string(kAnswer) + "\n\n"));
  });
  for (const char* path : {"/json", "/stream"}) {
    Inbox inbox;
    McpWebAccess access;
    access.url = server.url() + path;
    HttpTransport transport(access);
    ASSERT_TRUE(transport.open(inbox, {}).ok());
    EXPECT_TRUE(transport.send(request(), {}).ok());
    EXPECT_EQ(inbox.wait(1).back(), kAnswer);
  }
}

TEST(HttpTransport, RefusalsHaveTheirMeaning) {
  testing::RawServer server([](testing::Peer& peer) {
    const std::string asked = peer.read_request();
    const std::string code = asked.substr(asked.find('/') + 1, 3);
    peer.send("HTTP/1.1 " + code + " No\r\nContent-Length: 4\r\n\r\nsays");
  });
  const auto refused = [&](const std::string& code) {
    Inbox inbox;
    McpWebAccess access;
    access.url = server.url() + "/" + code;
    HttpTransport transport(access);
    EXPECT_TRUE(transport.open(inbox, {}).ok());
    return transport.send(request(), {}).error();
  };
  EXPECT_EQ(refused("401").code(), ErrorCode::permission);
  EXPECT_EQ(refused("404").code(), ErrorCode::not_found);
  EXPECT_EQ(refused("500").message(), "the server answered HTTP 500: says");
}

TEST(HttpTransport, AStreamThatBreaksOffIsGoneOnWith) {
  testing::RawServer server([](testing::Peer& peer) {
    const std::string asked = peer.read_request();
    if (asked.starts_with("POST")) {
      peer.send(http("text/event-stream", "id: 7\nretry: 10\ndata:\n\n"));
    } else {
      EXPECT_THAT(asked, HasSubstr("Last-Event-ID: 7"));
      peer.send(http("text/event-stream", "data: " + std::string(kAnswer) + "\n\n"));
    }
  });
  Inbox inbox;
  McpWebAccess access;
  access.url = server.url();
  HttpTransport transport(access);
  ASSERT_TRUE(transport.open(inbox, {}).ok());
  EXPECT_TRUE(transport.send(request(), {}).ok());
  EXPECT_THAT(inbox.wait(1), ElementsAre(kAnswer));
}

TEST(SseTransport, TheFirstEventNamesWhereToSpeak) {
  testing::RawServer server([](testing::Peer& peer) {
    const std::string asked = peer.read_request();
    if (asked.starts_with("GET")) {
      peer.send(
          "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
          "event: endpoint\ndata: /speak?id=1\n\nevent: message\ndata: hello\n\n");
      peer.wait_for_close();
    } else {
      EXPECT_THAT(asked, HasSubstr("POST /speak?id=1 "));
      peer.send("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n");
    }
  });
  Inbox inbox;
  McpWebAccess access;
  access.url = server.url() + "/sse";
  SseTransport transport(access);
  ASSERT_TRUE(transport.open(inbox, {}).ok());
  EXPECT_TRUE(transport.send(request(), {}).ok());
  EXPECT_THAT(inbox.wait(1), ElementsAre("hello"));
  transport.close();
}

TEST(SseTransport, AnotherHostIsNotSpokenTo) {
  testing::RawServer server([](testing::Peer& peer) {
    peer.read_request();
    peer.send(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
        "event: endpoint\ndata: http://example.com/steal\n\n");
    peer.wait_for_close();
  });
  Inbox inbox;
  McpWebAccess access;
  access.url = server.url();
  SseTransport transport(access);
  EXPECT_EQ(transport.open(inbox, {}).error().code(), ErrorCode::permission);
}

TEST(ResolveUrl, AsAPageWould) {
  EXPECT_EQ(resolve_url("http://h:1/a/b?c", "/x"), "http://h:1/x");
  EXPECT_EQ(resolve_url("http://h:1/a/b?c", "x"), "http://h:1/a/x");
  EXPECT_EQ(resolve_url("http://h:1", "x"), "http://h:1/x");
  EXPECT_EQ(resolve_url("http://h:1/a/b?c", "?d"), "http://h:1/a/b?d");
  EXPECT_EQ(resolve_url("http://h:1/a", "http://o/y"), "http://o/y");
}

}  // namespace
}  // namespace parley::agent
