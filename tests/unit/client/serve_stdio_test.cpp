// An McpServer on two pipes: framing, errors, calls at the same time, cancellation, and input that
// nobody would send who means well.
#include "client/mcp/serve_stdio.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <set>

#include "client/handlers/tools.hpp"
#include "client/mcp/mcp_prompts.hpp"
#include "client/mcp/resources.hpp"
#include "support.hpp"
#include "support/files/io.hpp"
#include "support/files/unique_fd.hpp"
#include "wire/framing.hpp"

struct WordArgs {
  std::string word;
};
PARLEY_FIELDS(WordArgs, word)

namespace parley::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr const char* kHello =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
    R"("capabilities":{"elicitation":{},"sampling":{}},"clientInfo":{"name":"t","version":"1"}}})";

std::string rpc(int id, const std::string& method, const std::string& params = "{}") {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + method +
         R"(","params":)" + params + "}";
}
std::string call(int id, const std::string& name, const std::string& word = "x") {
  return rpc(id, "tools/call",
             R"({"name":")" + name + R"(","arguments":{"word":")" + word + R"("}})");
}
std::string cancel(int id) {
  return R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" +
         std::to_string(id) + "}}";
}

/// A server that is served, and the client's ends of its pipes.
class Client {
 public:
  explicit Client(const McpServer& server, StdioOptions options = {}) {
    auto input = make_pipe();
    auto output = make_pipe();
    to_ = std::move(input->write);
    from_ = std::move(output->read);
    options.input = input->read.get();
    options.output = output->write.get();
    served_ = std::async(std::launch::async, [server, options, in = std::move(input->read),
                                              out = std::move(output->write)]() mutable {
      // As a process has them: its end is theirs.
      const UniqueFd ours = std::move(in);
      const UniqueFd theirs = std::move(out);
      return serve_stdio(server, options);
    });
  }
  ~Client() {
    to_.reset();
    from_.reset();
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void send(const std::string& line) { EXPECT_TRUE(write_all(to_.get(), line + "\n")); }
  void send_bytes(std::string_view bytes) { EXPECT_TRUE(write_all(to_.get(), bytes)); }
  void end_input() { to_.reset(); }
  void stop_reading() { from_.reset(); }

  /// The next line, whole; null at the end of output.
  Json receive() {
    for (;;) {
      if (const auto frame = framer_.next()) {
        EXPECT_EQ(frame->kind, Frame::Kind::line) << frame->text;
        const auto json = Json::parse(frame->text);
        EXPECT_TRUE(json) << frame->text;
        return json ? *json : Json();
      }
      pollfd ready = {from_.get(), POLLIN, 0};
      const auto patience = std::chrono::milliseconds(kPatience).count();
      if (::poll(&ready, 1, static_cast<int>(patience)) != 1) {
        ADD_FAILURE() << "nothing came";
        return {};
      }
      const auto room = framer_.prepare(65536);
      const ssize_t got = ::read(from_.get(), room.data(), room.size());
      if (got <= 0) return {};
      framer_.commit(static_cast<std::size_t>(got));
    }
  }
  Json ask(const std::string& line) {
    send(line);
    return receive();
  }
  std::int64_t error_of(const std::string& line) { return ask(line)["error"]["code"].as_int(); }
  bool ended() { return served_.wait_for(kPatience) == std::future_status::ready; }
  Result<void> result() { return served_.get(); }

 private:
  UniqueFd to_, from_;
  LineFramer framer_;
  std::future<Result<void>> served_;
};

McpServer echo_server() {
  McpServer server("echo", "3.0");
  server.add(tool("echo", "Gives it back", [](const WordArgs& x) { return x.word; }));
  return server;
}

/// Rings `begun`, and waits for the end of the call.
ToolDefinition waiting_tool(Bell& begun) {
  return tool("wait", "Waits to be stopped", [&begun](const WordArgs&, ToolContext& context) {
    Bell stopped;
    const std::stop_callback on_stop(context.stop(), [&] { stopped.ring(); });
    begun.ring();
    EXPECT_TRUE(stopped.wait());
    return "stopped";
  });
}

// ---- the handshake ------------------------------------------------------------------------------

TEST(ServeStdio, AgreesUponARevision) {
  Client client(echo_server());
  const auto version = [&](const std::string& wanted) {
    const Json answer = client.ask(
        rpc(1, "initialize", R"({"protocolVersion":")" + wanted + R"(","capabilities":{}})"));
    return std::string(answer["result"]["protocolVersion"].as_string());
  };
  for (const char* known : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
    EXPECT_EQ(version(known), known);
  }
  EXPECT_EQ(version("2099-01-01"), "2025-11-25");
}

TEST(ServeStdio, SaysWhatItOffers) {
  Client client(echo_server());
  const Json hello = client.ask(kHello)["result"];
  EXPECT_EQ(hello["serverInfo"]["name"].as_string(), "echo");
  EXPECT_EQ(hello["serverInfo"]["version"].as_string(), "3.0");
  EXPECT_NE(hello["capabilities"].find("tools"), nullptr);
  EXPECT_EQ(hello["capabilities"].find("resources"), nullptr);
  EXPECT_EQ(client.error_of(rpc(1, "resources/list")), mcp::kMethodNotFound);
  EXPECT_EQ(client.error_of(rpc(2, "prompts/get", R"({"name":"x"})")), mcp::kMethodNotFound);
}

TEST(ServeStdio, AnswersUntilTheInputEnds) {
  Client client(echo_server());
  client.ask(kHello);
  client.send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  const Json answer = client.ask(call(7, "echo", "hear, hear"));
  EXPECT_EQ(answer["id"].as_int(), 7);
  EXPECT_EQ(answer["result"]["content"][0]["text"].as_string(), "hear, hear");
  EXPECT_EQ(client.ask(R"({"jsonrpc":"2.0","id":"a b","method":"ping"})")["id"].as_string(), "a b");
  client.end_input();
  EXPECT_TRUE(client.receive().is_null());
  ASSERT_TRUE(client.ended());
  EXPECT_TRUE(client.result());
}

TEST(ServeStdio, ALastLineNeedsNoEnd) {
  Client client(echo_server());
  client.send_bytes(call(1, "echo", "last"));
  client.end_input();
  EXPECT_EQ(client.receive()["result"]["content"][0]["text"].as_string(), "last");
}

// ---- errors -------------------------------------------------------------------------------------

TEST(ServeStdio, RefusesWhatIsNoRequest) {
  Client client(echo_server());
  EXPECT_EQ(client.error_of("{"), mcp::kParseError);
  EXPECT_EQ(client.error_of("hello"), mcp::kParseError);
  EXPECT_EQ(client.error_of("\"\xff\""), mcp::kParseError);
  EXPECT_EQ(client.error_of(std::string(100000, '[')), mcp::kParseError);
  EXPECT_EQ(client.error_of("42"), mcp::kInvalidRequest);
  EXPECT_EQ(client.error_of("{}"), mcp::kInvalidRequest);
  EXPECT_EQ(client.error_of(R"({"jsonrpc":"2.0"})"), mcp::kInvalidRequest);
  EXPECT_EQ(client.error_of(R"({"jsonrpc":"1.0","id":1,"method":"ping"})"), mcp::kInvalidRequest);
  EXPECT_EQ(client.error_of(R"({"jsonrpc":"2.0","id":{},"method":"ping"})"), mcp::kInvalidRequest);
  EXPECT_EQ(client.error_of(R"({"jsonrpc":"2.0","id":null,"method":"ping"})"),
            mcp::kInvalidRequest);
  EXPECT_EQ(client.error_of("[" + rpc(1, "ping") + "]"), mcp::kInvalidRequest);
  EXPECT_EQ(client.error_of(rpc(1, "dance")), mcp::kMethodNotFound);
  EXPECT_TRUE(client.ask(rpc(2, "ping")).find("result") != nullptr);
}

TEST(ServeStdio, AnErrorNamesTheRequestIfItCan) {
  Client client(echo_server());
  EXPECT_TRUE(client.ask("{")["id"].is_null());
  const Json answer = client.ask(R"({"jsonrpc":"2.0","id":12,"method":[]})");
  EXPECT_EQ(answer["id"].as_int(), 12);
  EXPECT_EQ(answer["error"]["code"].as_int(), mcp::kInvalidRequest);
}

TEST(ServeStdio, TellsBadCallsFromFailedOnes) {
  McpServer server = echo_server();
  server.add(tool("fail", "Fails",
                  [](const WordArgs&) -> std::string { throw std::runtime_error("broken"); }));
  Client client(server);
  EXPECT_EQ(client.error_of(call(1, "nothing")), mcp::kInvalidParams);
  EXPECT_EQ(client.error_of(rpc(2, "tools/call", "[]")), mcp::kInvalidParams);
  EXPECT_EQ(client.error_of(rpc(3, "logging/setLevel", R"({"level":"loud"})")),
            mcp::kInvalidParams);
  // These the model should read, and try again.
  const Json misfit = client.ask(rpc(4, "tools/call", R"({"name":"echo","arguments":{"word":1}})"));
  EXPECT_TRUE(misfit["result"]["isError"].as_bool());
  const Json failed = client.ask(call(5, "fail"))["result"];
  EXPECT_TRUE(failed["isError"].as_bool());
  EXPECT_THAT(std::string(failed["content"][0]["text"].as_string()), HasSubstr("broken"));
}

TEST(ServeStdio, NotificationsHaveNoAnswer) {
  Client client(echo_server());
  client.send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  client.send(R"({"jsonrpc":"2.0","method":"notifications/unheard_of","params":[1]})");
  client.send(R"({"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo"}})");
  client.send(R"({"jsonrpc":"2.0","id":99,"result":{}})");
  client.send(cancel(12345));
  client.send("\n  \r\n");
  EXPECT_EQ(client.ask(rpc(3, "ping"))["id"].as_int(), 3);
}

TEST(ServeStdio, ALineThatIsTooLongCostsOnlyItself) {
  StdioOptions options;
  options.line_bytes = 1000;
  Client client(echo_server(), options);
  client.send(call(1, "echo", std::string(100000, 'x')));
  EXPECT_EQ(client.receive()["error"]["code"].as_int(), mcp::kInvalidRequest);
  EXPECT_EQ(client.ask(call(2, "echo", "short"))["id"].as_int(), 2);
}

TEST(ServeStdio, BatchesAreOfOneRevisionOnly) {
  Client client(echo_server());
  client.ask(rpc(0, "initialize", R"({"protocolVersion":"2025-03-26","capabilities":{}})"));
  const Json answers = client.ask("[" + call(1, "echo", "one") +
                                  R"(,{"jsonrpc":"2.0","method":"notifications/initialized"},7,)" +
                                  rpc(2, "ping") + "]");
  ASSERT_THAT(answers.items(), SizeIs(3));
  std::multiset<std::string> ids;
  for (const Json& answer : answers.items()) ids.insert(answer["id"].dump());
  EXPECT_THAT(ids, ElementsAre("1", "2", "null"));
  EXPECT_EQ(client.error_of("[]"), mcp::kInvalidRequest);
  EXPECT_EQ(client.error_of("[1"), mcp::kParseError);
}

// ---- calls --------------------------------------------------------------------------------------

TEST(ServeStdio, CallsRunAtTheSameTimeAndLinesDoNotMix) {
  constexpr int kCalls = 8;
  std::atomic<int> inside{0};
  Bell all;
  McpServer server("meet");
  server.add(tool("meet", "Waits for the others", [&](const WordArgs& x, ToolContext& context) {
    if (++inside == kCalls) all.ring();
    EXPECT_TRUE(all.wait());
    for (int i = 0; i < 20; ++i) context.log(mcp::LoggingLevel::info, std::string(5000, 'l'));
    return x.word;
  }));
  Client client(server);
  for (int i = 0; i < kCalls; ++i) client.send(call(i, "meet", std::string(50000, 'w')));
  std::set<std::int64_t> ids;
  int logged = 0;
  while (ids.size() < kCalls) {
    const Json message = client.receive();
    ASSERT_TRUE(message.is_object());
    if (message.find("method") != nullptr) {
      ++logged;
    } else {
      EXPECT_EQ(message["result"]["content"][0]["text"].as_string().size(), 50000U);
      ids.insert(message["id"].as_int());
    }
  }
  EXPECT_EQ(logged, kCalls * 20);
}

TEST(ServeStdio, NoMoreRunThanAllowedAndNoMoreWaitThanIsSane) {
  Bell begun;
  std::atomic<int> most{0};
  std::atomic<int> running{0};
  McpServer server("slow");
  server.add(tool("slow", "Waits to be stopped", [&](const WordArgs&, ToolContext& context) {
    most = std::max<int>(most, ++running);
    Bell stopped;
    const std::stop_callback on_stop(context.stop(), [&] { stopped.ring(); });
    begun.ring();
    EXPECT_TRUE(stopped.wait());
    --running;
    return "stopped";
  }));
  StdioOptions options;
  options.handlers = 2;
  options.drain = 0ms;
  Client client(server, options);
  for (int i = 0; i < 2; ++i) client.send(call(i, "slow"));
  ASSERT_TRUE(begun.wait(2));
  for (int i = 2; i < 1200; ++i) client.send(call(i, "slow"));
  EXPECT_EQ(client.receive()["error"]["code"].as_int(), mcp::kInternalError);
  // Who is busy still hears other requests.
  client.send(rpc(5000, "ping"));
  while (client.receive()["id"].as_int() != 5000) {
  }
  client.end_input();
  ASSERT_TRUE(client.ended());
  EXPECT_EQ(most, 2);
}

TEST(ServeStdio, ACancelledCallIsStoppedAndNotAnswered) {
  Bell begun;
  McpServer server = echo_server();
  server.add(waiting_tool(begun));
  Client client(server);
  client.send(call(1, "wait"));
  ASSERT_TRUE(begun.wait());
  client.send(cancel(1));
  client.end_input();
  EXPECT_TRUE(client.receive().is_null());
  ASSERT_TRUE(client.ended());
  EXPECT_TRUE(client.result());
}

TEST(ServeStdio, ACallThatIsCancelledWhileItWaitsDoesNotBegin) {
  Bell begun;
  std::atomic<int> ran{0};
  McpServer server("one at a time");
  server.add(waiting_tool(begun));
  server.add(tool("count", "Counts", [&](const WordArgs&) { return ++ran; }));
  StdioOptions options;
  options.handlers = 1;
  Client client(server, options);
  client.send(call(1, "wait"));
  ASSERT_TRUE(begun.wait());
  client.send(call(2, "count"));
  client.send(cancel(2));
  client.send(cancel(1));
  EXPECT_EQ(client.ask(call(3, "count"))["result"]["content"][0]["text"].as_string(), "1");
}

TEST(ServeStdio, ProgressAndLogsComeBeforeTheAnswer) {
  McpServer server("talk");
  server.add(tool("talk", "Talks", [](const WordArgs&, ToolContext& context) {
    context.progress(1, 2, "half");
    context.log(mcp::LoggingLevel::debug, "not wanted");
    context.log(mcp::LoggingLevel::error, "a \"line\"\nand one more", "talker");
    return "done";
  }));
  Client client(server);
  EXPECT_NE(client.ask(rpc(1, "logging/setLevel", R"({"level":"warning"})")).find("result"),
            nullptr);
  client.send(rpc(2, "tools/call",
                  R"({"name":"talk","arguments":{"word":""},"_meta":{"progressToken":"p"}})"));
  const Json progress = client.receive();
  EXPECT_EQ(progress["method"].as_string(), "notifications/progress");
  EXPECT_EQ(progress["params"]["progressToken"].as_string(), "p");
  EXPECT_EQ(progress["params"]["message"].as_string(), "half");
  const Json log = client.receive()["params"];
  EXPECT_EQ(log["level"].as_string(), "error");
  EXPECT_EQ(log["logger"].as_string(), "talker");
  EXPECT_EQ(log["data"].as_string(), "a \"line\"\nand one more");
  EXPECT_EQ(client.receive()["id"].as_int(), 2);
}

TEST(ServeStdio, JsonOfSeveralLinesTravelsOnOne) {
  McpServer server("lines");
  server.add(raw_tool("lines", "Lines", RawJson("{\n\"type\":\r\n\"object\"}"),
                      [](const RawJson&, ToolContext&) -> Result<ToolOutput> {
                        return ToolOutput::structured(RawJson("{\n\"a\": \"b\\nc\"\n}"));
                      }));
  Client client(server);
  EXPECT_EQ(
      client.ask(rpc(1, "tools/list"))["result"]["tools"][0]["inputSchema"]["type"].as_string(),
      "object");
  const Json called = client.ask(rpc(2, "tools/call", R"({"name":"lines"})"));
  EXPECT_EQ(called["result"]["structuredContent"]["a"].as_string(), "b\nc");
}

TEST(ServeStdio, ChangedToolsAreAnnouncedToWhoHasSaidHello) {
  McpServer server = echo_server();
  Client client(server);
  server.add(tool("second", "Another", [](const WordArgs& x) { return x.word; }));
  EXPECT_EQ(client.ask(kHello)["id"].as_int(), 0);
  server.remove("second");
  EXPECT_EQ(client.receive()["method"].as_string(), "notifications/tools/list_changed");
}

// ---- questions of a tool ------------------------------------------------------------------------

McpServer asking_server() {
  McpServer server("ask");
  server.add(tool("ask", "Asks the user", [](const WordArgs& x, ToolContext& context) {
    mcp::ElicitParams form;
    form.message = x.word;
    form.requestedSchema = RawJson(R"({"type":"object","properties":{}})");
    const auto answer = context.elicit(form);
    if (!answer) return ToolOutput::error(std::string(to_string(answer.error().code())));
    return ToolOutput(std::string(answer->action.text()));
  }));
  return server;
}

TEST(ServeStdio, AToolAsksTheClient) {
  Client client(asking_server());
  client.ask(kHello);
  const Json question = client.ask(call(1, "ask", "Sure?"));
  EXPECT_EQ(question["method"].as_string(), "elicitation/create");
  EXPECT_EQ(question["params"]["message"].as_string(), "Sure?");
  const std::string id = question["id"].dump();
  const Json answer =
      client.ask(R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{"action":"decline"}})");
  EXPECT_EQ(answer["result"]["content"][0]["text"].as_string(), "decline");
}

TEST(ServeStdio, AQuestionEndsWithTheCallOrTheClient) {
  const std::string cancelled(to_string(ErrorCode::cancelled));
  Client client(asking_server());
  client.ask(kHello);
  client.ask(call(1, "ask"));
  const Json withdrawn = client.ask(cancel(1));
  EXPECT_EQ(withdrawn["method"].as_string(), "notifications/cancelled");
  const Json refused = client.ask(call(2, "ask"));
  const Json failed = client.ask(R"({"jsonrpc":"2.0","id":)" + refused["id"].dump() +
                                 R"(,"error":{"code":-1,"message":"no"}})");
  EXPECT_EQ(failed["result"]["content"][0]["text"].as_string(), to_string(ErrorCode::remote));
  client.ask(call(3, "ask"));
  client.end_input();
  EXPECT_EQ(client.receive()["result"]["content"][0]["text"].as_string(),
            to_string(ErrorCode::closed));
}

TEST(ServeStdio, WhoCannotBeAskedIsNotAsked) {
  Client client(asking_server());
  client.ask(rpc(0, "initialize", R"({"protocolVersion":"2025-11-25","capabilities":{}})"));
  EXPECT_EQ(client.ask(call(1, "ask"))["result"]["content"][0]["text"].as_string(),
            to_string(ErrorCode::invalid));
}

// ---- resources and prompts ----------------------------------------------------------------------

McpServer library() {
  McpServer server("library");
  server.add(resource("book:///one", "One", "A book", [] { return "Once"; }).typed("text/plain"));
  server.add(resource("book:///lost", "Lost", "Lent to nobody knows whom",
                      []() -> Result<ResourceOutput> { return Error(ErrorCode::not_found, "x"); }));
  server.add(
      resource_template("page:///{book}/{+rest}", "Page", "A page", [](const ResourceRequest& ask) {
        return ask["book"] + "|" + ask["rest"];
      }).completing([](const std::string& argument, const std::string& value) {
        return std::vector<std::string>(150, argument + value);
      }));
  server.add(mcp_prompt("praise", "Praises", [](const WordArgs& x) { return "Praise " + x.word; }));
  return server;
}

TEST(ServeStdio, ResourcesAreReadByTheirAddress) {
  Client client(library());
  EXPECT_TRUE(client.ask(kHello)["result"]["capabilities"]["resources"]["subscribe"].as_bool());
  const auto read = [&](const std::string& uri) {
    return client.ask(rpc(1, "resources/read", R"({"uri":")" + uri + "\"}"));
  };
  const Json one = read("book:///one")["result"]["contents"][0];
  EXPECT_EQ(one["text"].as_string(), "Once");
  EXPECT_EQ(one["uri"].as_string(), "book:///one");
  EXPECT_EQ(one["mimeType"].as_string(), "text/plain");
  const Json page = read("page:///a%20b/c/d?e")["result"]["contents"][0];
  EXPECT_EQ(page["text"].as_string(), "a b|c/d?e");
  for (const char* missing :
       {"book:///two", "book:///lost", "page:///", "page:///x", "page:////x"}) {
    EXPECT_EQ(read(missing)["error"]["code"].as_int(), mcp::kResourceNotFound) << missing;
  }
  EXPECT_THAT(client.ask(rpc(2, "resources/list"))["result"]["resources"].items(), SizeIs(2));
  EXPECT_THAT(client.ask(rpc(3, "resources/templates/list"))["result"]["resourceTemplates"].items(),
              SizeIs(1));
  EXPECT_THROW((void)resource_template("x:///{?q}", "", "", [] { return ""; }), Error);
  EXPECT_THROW((void)resource_template("x:///{a}{b}", "", "", [] { return ""; }), Error);
}

TEST(ServeStdio, SubscribersHearOfAChange) {
  McpServer server = library();
  Client client(server);
  client.ask(kHello);
  const std::string one = R"({"uri":"book:///one"})";
  EXPECT_EQ(client.error_of(rpc(1, "resources/subscribe", R"({"uri":"book:///two"})")),
            mcp::kResourceNotFound);
  EXPECT_NE(client.ask(rpc(2, "resources/subscribe", one)).find("result"), nullptr);
  server.resource_changed("book:///lost");
  server.resource_changed("book:///one");
  EXPECT_EQ(client.receive()["params"]["uri"].as_string(), "book:///one");
  EXPECT_NE(client.ask(rpc(3, "resources/unsubscribe", one)).find("result"), nullptr);
  server.resource_changed("book:///one");
  EXPECT_EQ(client.ask(rpc(4, "ping"))["id"].as_int(), 4);
}

TEST(ServeStdio, PromptsAreFilledInAndCompleted) {
  Client client(library());
  client.ask(kHello);
  const Json listed = client.ask(rpc(1, "prompts/list"))["result"]["prompts"][0];
  EXPECT_EQ(listed["arguments"][0]["name"].as_string(), "word");
  EXPECT_TRUE(listed["arguments"][0]["required"].as_bool());
  const Json got =
      client.ask(rpc(2, "prompts/get", R"({"name":"praise","arguments":{"word":"rain"}})"));
  EXPECT_EQ(got["result"]["messages"][0]["content"]["text"].as_string(), "Praise rain");
  EXPECT_EQ(client.error_of(rpc(3, "prompts/get", R"({"name":"praise"})")), mcp::kInvalidParams);
  EXPECT_EQ(client.error_of(rpc(4, "prompts/get", R"({"name":"blame"})")), mcp::kInvalidParams);
  const Json completed = client.ask(rpc(5, "completion/complete",
                                        R"({"ref":{"type":"ref/resource",)"
                                        R"("uri":"page:///{book}/{+rest}"},)"
                                        R"("argument":{"name":"book","value":"1"}})"));
  EXPECT_THAT(completed["result"]["completion"]["values"].items(), SizeIs(100));
  EXPECT_TRUE(completed["result"]["completion"]["hasMore"].as_bool());
}

// ---- the end ------------------------------------------------------------------------------------

TEST(ServeStdio, WhatRunsAtTheEndOfInputMayStillAnswer) {
  Bell begun;
  Bell may_end;
  McpServer server("slow");
  server.add(tool("slow", "Takes its time", [&](const WordArgs& x) {
    begun.ring();
    EXPECT_TRUE(may_end.wait());
    return x.word;
  }));
  StdioOptions options;
  options.drain = kPatience;
  Client client(server, options);
  client.send(call(1, "slow", "late"));
  ASSERT_TRUE(begun.wait());
  client.end_input();
  may_end.ring();
  EXPECT_EQ(client.receive()["result"]["content"][0]["text"].as_string(), "late");
  ASSERT_TRUE(client.ended());
}

TEST(ServeStdio, WhatTakesTooLongAfterwardsIsStopped) {
  Bell begun;
  McpServer server("slow");
  server.add(waiting_tool(begun));
  StdioOptions options;
  options.drain = 0ms;
  Client client(server, options);
  client.send(call(1, "wait"));
  ASSERT_TRUE(begun.wait());
  client.end_input();
  ASSERT_TRUE(client.ended());
  EXPECT_TRUE(client.result());
}

TEST(ServeStdio, TheProgramCanEndIt) {
  Bell begun;
  std::stop_source stop;
  McpServer server("slow");
  server.add(waiting_tool(begun));
  StdioOptions options;
  options.stop = stop.get_token();
  Client client(server, options);
  client.send(call(1, "wait"));
  ASSERT_TRUE(begun.wait());
  stop.request_stop();
  ASSERT_TRUE(client.ended());
  EXPECT_TRUE(client.result());
}

TEST(ServeStdio, AClientThatIsGoneIsAnErrorAndNoSignal) {
  Bell begun;
  McpServer server = echo_server();
  server.add(waiting_tool(begun));
  Client client(server);
  client.send(call(1, "wait"));
  ASSERT_TRUE(begun.wait());
  client.stop_reading();
  client.send(call(2, "echo"));
  ASSERT_TRUE(client.ended());
  const auto result = client.result();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::closed);
}

TEST(ServeStdio, AClientThatDoesNotReadCannotHoldUpTheEnd) {
  Bell begun;
  McpServer server("flood");
  server.add(tool("flood", "Says more than a pipe holds", [&](const WordArgs&) {
    begun.ring();
    return std::string(4 << 20, 'f');
  }));
  StdioOptions options;
  options.drain = 0ms;
  Client client(server, options);
  client.send(call(1, "flood"));
  ASSERT_TRUE(begun.wait());
  client.end_input();
  ASSERT_TRUE(client.ended());
}

TEST(ServeStdio, InputThatCannotBeReadIsAnError) {
  const UniqueFd write_only(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  StdioOptions options;
  options.input = write_only.get();
  options.output = write_only.get();
  const auto result = serve_stdio(echo_server(), options);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::io);
}

}  // namespace
}  // namespace parley::testing
