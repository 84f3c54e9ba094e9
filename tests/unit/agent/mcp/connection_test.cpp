// Requests over a transport that does what the test says: each ends, whatever the server does.
#include "agent/mcp/connection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "wire/codec/codec.hpp"

namespace parley::agent {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Answers a message by calling the receiver, on the thread that sends.
class ScriptedTransport final : public ServerTransport {
 public:
  using OnSend = std::function<void(const JsonRpcMessage& message, McpReceiver& receiver)>;
  explicit ScriptedTransport(OnSend on_send) : on_send_(std::move(on_send)) {}

  Result<void> open(McpReceiver& receiver, const McpSendOptions&) override {
    receiver_ = &receiver;
    return {};
  }
  Result<void> send(const JsonRpcMessage& message, const McpSendOptions&) override {
    on_send_(message, *receiver_);
    return {};
  }
  void close() override {}

 private:
  const OnSend on_send_;
  McpReceiver* receiver_ = nullptr;
};

class Peer final : public McpPeer {
 public:
  void on_request(const JsonRpcMessage& request) override { asked.push_back(*request.method); }
  void on_notification(const JsonRpcMessage& note) override { told.push_back(*note.method); }
  void on_closed(const Error&) override { closed = true; }
  void on_nonsense(std::string_view what) override { nonsense.emplace_back(what); }
  std::vector<std::string> asked, told, nonsense;
  bool closed = false;
};

struct Rig {
  explicit Rig(ScriptedTransport::OnSend on_send)
      : connection(std::make_unique<ScriptedTransport>(std::move(on_send)), peer) {
    EXPECT_TRUE(connection.open({}).ok());
  }
  Result<RawJson> ask(milliseconds patience = milliseconds(5000), std::stop_token stop = {}) {
    McpRequest request;
    request.id = connection.new_id();
    request.method = "tools/call";
    request.patience = patience;
    request.stop = std::move(stop);
    request.on_progress = [this](const mcp::ProgressParams& p) { progress.push_back(p.progress); };
    return connection.request(request);
  }
  Peer peer;
  std::vector<double> progress;
  ServerConnection connection;
};

std::string answer(const std::string& id, const std::string& result = "1") {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":)" + result + "}";
}

TEST(ServerConnection, TheFirstAnswerCounts) {
  Rig rig([](const JsonRpcMessage& message, McpReceiver& receiver) {
    EXPECT_TRUE(receiver.on_message(answer(message.id->text, "\"first\"")));
    EXPECT_FALSE(receiver.on_message(answer(message.id->text, "\"second\"")));
  });
  EXPECT_EQ(rig.ask()->text, "\"first\"");
  EXPECT_THAT(rig.peer.nonsense, ElementsAre("an answer to no request"));
}

TEST(ServerConnection, AnswersToOthersAreNonsense) {
  Rig rig([](const JsonRpcMessage& message, McpReceiver& receiver) {
    for (const char* id : {"77", "-1", "\"x\"", "null", "{}", "1e30"}) {
      EXPECT_FALSE(receiver.on_message(answer(id)));
    }
    receiver.on_message(answer("\"" + message.id->text + "\"", "\"as text\""));
  });
  EXPECT_EQ(rig.ask()->text, "\"as text\"");
  EXPECT_EQ(rig.peer.nonsense.size(), 6U);
}

TEST(ServerConnection, WhatIsNoJsonChangesNothing) {
  Rig rig([](const JsonRpcMessage& message, McpReceiver& receiver) {
    for (const char* line : {"", "x", "{\"jsonrpc\":", "[1]", "\"a\"", "{}"}) {
      EXPECT_FALSE(receiver.on_message(line));
    }
    receiver.on_message(answer(message.id->text));
  });
  EXPECT_TRUE(rig.ask().ok());
  EXPECT_EQ(rig.peer.nonsense.size(), 6U);
}

TEST(ServerConnection, AnErrorIsTheServersWords) {
  Rig rig([](const JsonRpcMessage& message, McpReceiver& receiver) {
    receiver.on_message(R"({"jsonrpc":"2.0","id":)" + message.id->text +
                        R"(,"error":{"code":-1,"message":"exploded"}})");
  });
  const auto got = rig.ask();
  EXPECT_EQ(got.error().code(), ErrorCode::remote);
  EXPECT_EQ(got.error().message(), "exploded");
}

TEST(ServerConnection, SilenceEndsInTime) {
  std::vector<std::string> methods;
  Rig rig([&](const JsonRpcMessage& message, McpReceiver&) { methods.push_back(*message.method); });
  EXPECT_EQ(rig.ask(milliseconds(20)).error().code(), ErrorCode::timeout);
  EXPECT_THAT(methods, ElementsAre("tools/call", "notifications/cancelled"));
}

TEST(ServerConnection, AStopEndsTheWaitAndIsTold) {
  const auto stop = std::make_shared<std::stop_source>();
  std::vector<std::string> methods;
  Rig rig([&](const JsonRpcMessage& message, McpReceiver&) {
    methods.push_back(*message.method);
    stop->request_stop();
  });
  EXPECT_EQ(rig.ask(milliseconds(60'000), stop->get_token()).error().code(), ErrorCode::cancelled);
  EXPECT_THAT(methods, ElementsAre("tools/call", "notifications/cancelled"));
}

TEST(ServerConnection, TheEndOfTheServerFailsEverything) {
  Rig rig([](const JsonRpcMessage&, McpReceiver& receiver) {
    receiver.on_closed(Error(ErrorCode::closed, "gone"));
  });
  EXPECT_EQ(rig.ask().error().message(), "gone");
  EXPECT_TRUE(rig.peer.closed);
  EXPECT_EQ(rig.ask().error().message(), "gone");
}

TEST(ServerConnection, AnAnswerThatIsTooLongFailsItsRequestOnly) {
  Rig rig([](const JsonRpcMessage& message, McpReceiver& receiver) {
    if (message.id->text == "0") {
      receiver.on_too_long(R"({"jsonrpc":"2.0","id": 0,"result":{"con)");
    } else {
      receiver.on_message(answer(message.id->text));
    }
  });
  EXPECT_THAT(rig.ask().error().message(), HasSubstr("longer than 32 MB"));
  EXPECT_TRUE(rig.ask().ok());
}

TEST(ServerConnection, OneThatIsTooLongAndNamesNobodyFailsAll) {
  Rig rig([](const JsonRpcMessage&, McpReceiver& receiver) {
    receiver.on_too_long(R"({"result":{"con)");
  });
  EXPECT_EQ(rig.ask().error().code(), ErrorCode::too_large);
}

TEST(ServerConnection, ProgressReachesWhoAsked) {
  Rig rig([](const JsonRpcMessage& message, McpReceiver& receiver) {
    const auto report = [&](const std::string& token) {
      receiver.on_message(
          R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)" +
          token + R"(,"progress":0.5}})");
    };
    report(message.id->text);
    report("99");
    report("\"x\"");
    receiver.on_message(answer(message.id->text));
  });
  EXPECT_TRUE(rig.ask().ok());
  EXPECT_THAT(rig.progress, ElementsAre(0.5));
}

TEST(ServerConnection, RequestsAndNotificationsGoToThePeer) {
  Rig rig([](const JsonRpcMessage& message, McpReceiver& receiver) {
    receiver.on_message(R"({"jsonrpc":"2.0","id":"q","method":"ping"})");
    receiver.on_message(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
    receiver.on_message(answer(message.id->text));
  });
  EXPECT_TRUE(rig.ask().ok());
  EXPECT_THAT(rig.peer.asked, ElementsAre("ping"));
  EXPECT_THAT(rig.peer.told, ElementsAre("notifications/tools/list_changed"));
}

TEST(ServerConnection, RequestsAtTheSameTimeGetTheirOwnAnswers) {
  Rig rig([](const JsonRpcMessage& message, McpReceiver& receiver) {
    receiver.on_message(answer(message.id->text, message.id->text));
  });
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 100; ++j) {
        McpRequest request;
        request.id = rig.connection.new_id();
        request.method = "x";
        EXPECT_EQ(rig.connection.request(request)->text, std::to_string(request.id));
      }
    });
  }
}

}  // namespace
}  // namespace parley::agent
