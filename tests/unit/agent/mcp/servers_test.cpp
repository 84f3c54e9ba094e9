// Servers in a client: how they are greeted, called, changed and left.
#include "agent/mcp/servers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "agent/mcp/status.hpp"
#include "fake_host.hpp"

namespace parley::agent {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

McpServerEntry in_client(const std::string& name) {
  McpServerEntry entry;
  entry.name = name;
  entry.scope = "dynamic";
  entry.config.type = McpTransport::sdk;
  return entry;
}

std::shared_future<void> at_once() {
  std::promise<void> promise;
  promise.set_value();
  return promise.get_future().share();
}

std::vector<std::string> tool_names(const McpServers& servers) {
  std::vector<std::string> names;
  for (const SharedTool& tool : servers.tools()) names.emplace_back(tool->name());
  return names;
}

struct Rig {
  explicit Rig(ScriptedHost::Answer answer = ScriptedHost::well_behaved)
      : host(std::move(answer)), servers(settings(), host) {}
  static McpSettings settings() {
    McpSettings some;
    some.connect_patience = some.call_patience = milliseconds(2000);
    return some;
  }
  void start(const std::vector<std::string>& names = {"calc"}) {
    std::vector<McpServerEntry> entries;
    for (const std::string& name : names) entries.push_back(in_client(name));
    servers.start_in_client(entries, at_once());
    servers.wait_until_settled({});
  }
  ScriptedHost host;
  McpServers servers;
};

TEST(McpServers, AServerIsGreetedAndItsToolsAreOffered) {
  Rig rig;
  rig.start();
  EXPECT_THAT(rig.host.methods(),
              ElementsAre("initialize", "notifications/initialized", "tools/list"));
  EXPECT_THAT(tool_names(rig.servers), ElementsAre("mcp__calc__add"));
  const SharedTool tool = rig.servers.tool("mcp__calc__add");
  EXPECT_EQ(tool->display_name(), "Add");
  EXPECT_EQ(tool->origin()->source, "sdk");
  EXPECT_EQ(status_of(rig.servers)[0].status, McpConnection::connected);
}

TEST(McpServers, TheRestOfTheHandshakeWaitsForTheAnswerToTheClient) {
  Rig rig;
  std::promise<void> answered;
  rig.servers.start_in_client({in_client("calc")}, answered.get_future().share());
  EXPECT_THAT(rig.host.methods(), ElementsAre("initialize"));
  answered.set_value();
  rig.servers.wait_until_settled({});
  EXPECT_EQ(rig.host.methods().size(), 3U);
}

TEST(McpServers, AServerThatRefusesIsTriedTwice) {
  Rig rig([](const JsonRpcMessage&, const std::stop_token&) {
    return Result<RawJson>(Error(ErrorCode::remote, "no such server"));
  });
  rig.start();
  EXPECT_THAT(rig.host.methods(), ElementsAre("initialize", "initialize"));
  const McpServerStatus status = status_of(rig.servers)[0];
  EXPECT_EQ(status.status, McpConnection::failed);
  EXPECT_EQ(status.error, "no such server");
}

TEST(McpServers, ACallIsAnsweredOrFails) {
  Rig rig([](const JsonRpcMessage& message, const std::stop_token& stop) {
    if (message.method == "tools/call" && message.params->text.find("fail") != std::string::npos) {
      return Result<RawJson>(Error(ErrorCode::remote, "server exploded"));
    }
    return ScriptedHost::well_behaved(message, stop);
  });
  rig.start();
  const auto server = rig.servers.find("calc");
  EXPECT_THAT(server->call("add", RawJson("{}"), {})->text, HasSubstr("11"));
  EXPECT_EQ(server->call("fail", RawJson("{}"), {}).error().message(), "server exploded");
}

TEST(McpServers, ACallThatIsGivenUpIsAnnouncedOnce) {
  const auto stop = std::make_shared<std::stop_source>();
  std::atomic<bool> called = false;
  Rig rig([&](const JsonRpcMessage& message, const std::stop_token& stopped) {
    if (message.method != "tools/call") return ScriptedHost::well_behaved(message, stopped);
    called = true;
    called.notify_all();
    while (!stopped.stop_requested()) std::this_thread::yield();
    return Result<RawJson>(Error(ErrorCode::cancelled, "interrupted"));
  });
  rig.start();
  std::jthread caller([&] {
    McpServer::CallOptions options;
    options.stop = stop->get_token();
    EXPECT_EQ(rig.servers.find("calc")->call("add", RawJson("{}"), options).error().code(),
              ErrorCode::cancelled);
  });
  called.wait(false);
  rig.servers.announce_cancellation();
  EXPECT_EQ(rig.host.methods().back(), "notifications/cancelled");
  stop->request_stop();
  caller.join();
  const auto methods = rig.host.methods();
  EXPECT_EQ(std::count(methods.begin(), methods.end(), "notifications/cancelled"), 1);
}

TEST(McpServers, ToolsChange) {
  std::atomic<bool> grown = false;
  Rig rig([&](const JsonRpcMessage& message, const std::stop_token& stop) {
    if (message.method == "tools/list" && grown) {
      return Result<RawJson>(ScriptedHost::result(
          message, R"({"tools":[{"name":"late","inputSchema":{"type":"object"}}]})"));
    }
    if (message.method == "tools/call") grown = true;
    return ScriptedHost::well_behaved(message, stop);
  });
  rig.start();
  const auto server = rig.servers.find("calc");
  grown = true;
  JsonRpcMessage changed;
  changed.method = "notifications/tools/list_changed";
  for (int i = 0; i < 1000; ++i) server->deliver(changed);
  // A call waits for the list that it may have changed.
  EXPECT_TRUE(server->call("add", RawJson("{}"), {}).ok());
  EXPECT_THAT(tool_names(rig.servers), ElementsAre("mcp__calc__late"));
  const auto methods = rig.host.methods();
  EXPECT_LT(std::count(methods.begin(), methods.end(), "tools/list"), 20);
}

TEST(McpServers, WhatIsAskedOfAClientIsRefused) {
  Rig rig;
  rig.start();
  JsonRpcMessage question;
  question.id = RawJson("900");
  question.method = "sampling/createMessage";
  rig.servers.find("calc")->deliver(question);
  EXPECT_EQ(rig.host.methods().back(), "");
}

TEST(McpServers, ToolsThatTheApiWouldRefuseAreLeftOut) {
  Rig rig([](const JsonRpcMessage& message, const std::stop_token& stop) {
    if (message.method != "tools/list") return ScriptedHost::well_behaved(message, stop);
    return Result<RawJson>(
        ScriptedHost::result(message, R"({"tools":[{"name":"a b","inputSchema":{"type":"object"}},
                    {"name":"a_b","inputSchema":{"type":"object"}},
                    {"name":"","inputSchema":{"type":"object"}},
                    {"name":"list","inputSchema":{"type":"array"}},{"name":"text","inputSchema":"x"},
                    7,{"name":")" + std::string(200, 'x') +
                                          R"(","inputSchema":{"type":"object"}}]})"));
  });
  rig.start();
  EXPECT_THAT(tool_names(rig.servers), ElementsAre("mcp__calc__a_b"));
  EXPECT_EQ(rig.servers.address_of("mcp__calc__a_b")->tool, "a b");
  EXPECT_THAT(rig.host.log(), HasSubstr("is left out"));
}

TEST(McpServers, NamesOfServersMayComeOutEqual) {
  Rig rig;
  rig.start({"a b", "a_b"});
  EXPECT_THAT(tool_names(rig.servers), ElementsAre("mcp__a_b__add"));
}

TEST(McpServers, SettingServersReplacesThoseThatWereSet) {
  Rig rig;
  rig.start();
  const auto first = rig.servers.set_servers({in_client("x"), in_client("y")}, {}, {});
  EXPECT_THAT(*first.added, ElementsAre("x", "y"));
  const auto second = rig.servers.set_servers({in_client("y")}, {}, {});
  EXPECT_THAT(*second.added, ElementsAre());
  EXPECT_THAT(*second.removed, ElementsAre("x"));
  EXPECT_THAT(tool_names(rig.servers), ElementsAre("mcp__calc__add", "mcp__y__add"));
}

TEST(McpServers, OneThatIsSwitchedOffOffersNothing) {
  Rig rig;
  rig.start();
  const auto server = rig.servers.find("calc");
  server->disable();
  EXPECT_THAT(tool_names(rig.servers), ElementsAre());
  EXPECT_FALSE(server->call("add", RawJson("{}"), {}).ok());
  EXPECT_TRUE(server->connect({}).ok());
  EXPECT_THAT(tool_names(rig.servers), ElementsAre("mcp__calc__add"));
}

}  // namespace
}  // namespace parley::agent
