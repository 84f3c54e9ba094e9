// What the CLI asks: permission, questions, plans, forms, dialogs, hooks, and tools of the program.
// Each is answered exactly once, whatever its handler does.
#include <atomic>
#include <thread>

#include "client/client.hpp"
#include "support.hpp"

namespace parley::testing {
namespace {

struct AddArgs {
  double a = 0;
  double b = 0;
};
constexpr auto parley_fields(Tag<AddArgs>) {
  return make_table<AddArgs>("AddArgs", field("a", &AddArgs::a).doc("first"),
                             field("b", &AddArgs::b));
}

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

const std::string kBash = request(
    R"({"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"ls"},"tool_use_id":"t1",)"
    R"("permission_suggestions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"ls:*"}],)"
    R"("behavior":"allow","destination":"session"}]})");

/// Runs `ask` in a turn, and gives what the CLI was answered, as the `response` of the envelope.
class Answers : public ::testing::Test {
 protected:
  std::vector<Json> answers_to(Options options, const std::string& ask,
                               const std::string& wait_for = "control_response",
                               const std::function<void()>& before_close = {}) {
    const auto saved = temporary_file("answers.jsonl");
    options.process.environment = {
        {"PARLEY_FAKE_SCRIPT", "save " + saved.string() + "\ninit\nexpect user\n" + ask +
                                   "\nexpect " + wait_for + "\n" + kDone + "\neof"}};
    Session session(std::move(options));
    EXPECT_TRUE(session.connect());
    const auto turn = session.ask("go").result(kPatience);
    EXPECT_TRUE(turn) << turn.error().what();
    if (before_close) before_close();
    session.close();
    std::vector<Json> answers;
    for (const std::string& line : read_lines(saved)) {
      const auto json = Json::parse(line).value();
      if (json["type"].as_string() == "control_response") answers.push_back(json["response"]);
    }
    return answers;
  }
  Json answer_to(Options options, const std::string& ask) {
    const auto answers = answers_to(std::move(options), ask);
    EXPECT_THAT(answers, SizeIs(1));
    return answers.empty() ? Json() : answers[0];
  }
  Options options_ = fake("");
};

TEST_F(Answers, AllowSendsTheInputBack) {
  options_.on_permission = [](const PermissionAsk& ask) {
    EXPECT_EQ(ask.tool_name, "Bash");
    EXPECT_EQ(ask.subagent(), "");
    return allow();
  };
  const Json answer = answer_to(options_, kBash);
  EXPECT_EQ(answer["subtype"].as_string(), "success");
  EXPECT_EQ(answer["request_id"].as_string(), "q");
  EXPECT_EQ(answer["response"]["behavior"].as_string(), "allow");
  EXPECT_EQ(answer["response"]["updatedInput"]["command"].as_string(), "ls");
}

TEST_F(Answers, AllowWithAnotherInputAndTheSuggestions) {
  options_.on_permission = [](const PermissionAsk& ask) {
    return allow()
        .with_input(RawJson(R"({"command":"ls -a"})"))
        .with_changes(PermissionChanges().suggested(ask).add(PermissionBehavior::deny,
                                                             {Rule::tool("WebFetch")}));
  };
  const Json answer = answer_to(options_, kBash);
  EXPECT_EQ(answer["response"]["updatedInput"]["command"].as_string(), "ls -a");
  const Json& updates = answer["response"]["updatedPermissions"];
  ASSERT_EQ(updates.items().size(), 2U);
  EXPECT_EQ(updates[0]["rules"][0]["ruleContent"].as_string(), "ls:*");
  EXPECT_EQ(updates[1]["rules"][0].find("ruleContent"), nullptr);
  EXPECT_EQ(updates[1]["destination"].as_string(), "session");
}

TEST(PermissionAnswer, IsBuiltInOneChainOrInSteps) {
  PermissionAsk ask;
  ask.input = RawJson("{}");
  const auto chain = allow()
                         .with_input(RawJson(R"({"command":"pwd"})"))
                         .with_changes(PermissionChanges().mode(PermissionMode::acceptEdits));
  PermissionAnswer steps = allow();
  steps.with_input(RawJson(R"({"command":"pwd"})"));
  steps.with_changes(PermissionChanges().mode(PermissionMode::acceptEdits));
  PermissionAnswer onto_itself = allow();
  onto_itself = std::move(onto_itself).with_input(RawJson(R"({"command":"pwd"})"));
  onto_itself =
      std::move(onto_itself).with_changes(PermissionChanges().mode(PermissionMode::acceptEdits));
  const std::string wanted = to_raw(chain.wire(ask)).text;
  EXPECT_THAT(wanted, HasSubstr("pwd"));
  EXPECT_THAT(wanted, HasSubstr("acceptEdits"));
  EXPECT_EQ(to_raw(steps.wire(ask)).text, wanted);
  EXPECT_EQ(to_raw(onto_itself.wire(ask)).text, wanted);

  PermissionAnswer denial = deny("no");
  denial = std::move(denial).and_stop();
  EXPECT_THAT(to_raw(denial.wire(ask)).text, HasSubstr("\"interrupt\":true"));
  EXPECT_THROW(denial.with_input(RawJson("{}")), std::logic_error);
  EXPECT_THROW(steps.and_stop(), std::logic_error);
}

TEST_F(Answers, DenyAndStop) {
  options_.on_permission = [](const PermissionAsk&) { return deny("no").and_stop(); };
  const Json answer = answer_to(options_, kBash);
  EXPECT_EQ(answer["response"]["behavior"].as_string(), "deny");
  EXPECT_EQ(answer["response"]["message"].as_string(), "no");
  EXPECT_TRUE(answer["response"]["interrupt"].as_bool());
}

TEST_F(Answers, AThrowIsAnErrorReply) {
  options_.on_permission = [](const PermissionAsk&) -> PermissionAnswer {
    throw std::runtime_error("oops");
  };
  const Json answer = answer_to(options_, kBash);
  EXPECT_EQ(answer["subtype"].as_string(), "error");
  EXPECT_THAT(std::string(answer["error"].as_string()), HasSubstr("oops"));
}

TEST_F(Answers, ADestroyedReplyIsAnErrorReply) {
  options_.on_permission = [](const PermissionAsk&, Reply<PermissionAnswer>) {};
  EXPECT_EQ(answer_to(options_, kBash)["subtype"].as_string(), "error");
}

TEST_F(Answers, AReplyMayComeFromElsewhere) {
  std::thread elsewhere;
  options_.on_permission = [&](const PermissionAsk&, Reply<PermissionAnswer> reply) {
    elsewhere = std::thread([reply = std::move(reply)]() mutable {
      reply.send(allow());
      reply.send(deny("twice"));
      reply.fail("thrice");
    });
  };
  const auto answers = answers_to(options_, kBash);
  elsewhere.join();
  ASSERT_THAT(answers, SizeIs(1));
  EXPECT_EQ(answers[0]["response"]["behavior"].as_string(), "allow");
}

TEST_F(Answers, WithoutAHandlerThereIsAnErrorReply) {
  EXPECT_EQ(answer_to(options_, kBash)["subtype"].as_string(), "error");
}

TEST_F(Answers, AnUnknownRequestIsRefused) {
  const Json answer = answer_to(options_, request(R"({"subtype":"make_coffee"})"));
  EXPECT_EQ(answer["subtype"].as_string(), "error");
  EXPECT_EQ(answer["error_code"].as_string(), "unsupported_request");
}

TEST_F(Answers, AMalformedRequestIsRefused) {
  const Json answer = answer_to(options_, request(R"({"subtype":"can_use_tool","tool_name":7})"));
  EXPECT_EQ(answer["subtype"].as_string(), "error");
}

TEST_F(Answers, TheSameIdTwiceIsAnsweredOnce) {
  Bell both;
  options_.on_permission = [&](const PermissionAsk& ask) {
    // The message behind the second request has been read, so the second request has been too.
    EXPECT_TRUE(both.wait());
    EXPECT_EQ(ask.request_id, "q");
    return allow();
  };
  class Watcher : public Observer {
   public:
    explicit Watcher(Bell& bell) : bell_(bell) {}
    void on_unknown(const Unknown&) override { bell_.ring(); }

   private:
    Bell& bell_;
  };
  options_.delivery.observer = std::make_shared<Watcher>(both);
  const auto answers = answers_to(options_, kBash + "\n" + kBash + "\nout {\"type\":\"marker\"}");
  EXPECT_THAT(answers, SizeIs(1));
}

TEST_F(Answers, ACancelStopsTheHandlerAndSuppressesItsAnswer) {
  Bell stopped;
  options_.on_permission = [&](const PermissionAsk& ask) {
    Bell bell;
    const std::stop_callback on_stop(ask.stop, [&] { bell.ring(); });
    EXPECT_TRUE(bell.wait());
    stopped.ring();
    return allow();
  };
  const auto answers = answers_to(
      options_,
      kBash + "\n" + R"(out {"type":"control_cancel_request","request_id":"q"})" + "\n" + kDone,
      "nothing that ever comes", [&] { EXPECT_TRUE(stopped.wait()); });
  EXPECT_THAT(answers, SizeIs(0));
}

TEST_F(Answers, InterruptInsideAPermissionHandler) {
  Session* session = nullptr;
  std::optional<Result<InterruptReceipt>> receipt;
  Options options = fake(
      "init\nexpect user\n" + kBash +
      "\nexpect interrupt\nout {\"type\":\"control_cancel_request\",\"request_id\":\"q\"}\n"
      "out "
      "{\"type\":\"control_response\",\"response\":{\"subtype\":\"success\",\"request_id\":\"$ID\"}"
      "}\n"
      "out {\"type\":\"result\",\"subtype\":\"error_during_execution\",\"is_error\":false}\nturns "
      "after");
  Bell done;
  options.on_permission = [&](const PermissionAsk&) {
    receipt = session->interrupt();
    done.ring();
    return allow();
  };
  Session made(std::move(options));
  session = &made;
  ASSERT_TRUE(made.connect());
  EXPECT_EQ(made.ask("go").result(kPatience).error().code(), ErrorCode::cancelled);
  ASSERT_TRUE(done.wait());
  ASSERT_TRUE(*receipt) << receipt->error().what();
  EXPECT_TRUE((*receipt)->turn);
  EXPECT_EQ(made.ask("more").result(kPatience)->result, "after");
}

TEST_F(Answers, AHandlerThatBlocksForEverDoesNotHoldUpClose) {
  auto release = std::make_shared<Bell>();
  auto entered = std::make_shared<Bell>();
  Options options = fake("init\nexpect user\n" + kBash + "\neof");
  options.on_permission = [release, entered](const PermissionAsk&) {
    entered->ring();
    EXPECT_TRUE(release->wait());
    return allow();
  };
  {
    Session session(std::move(options));
    ASSERT_TRUE(session.connect());
    ASSERT_TRUE(session.send("go"));
    ASSERT_TRUE(entered->wait());
    EXPECT_THAT(session.pending(), SizeIs(1));
    session.close();
  }
  release->ring();
}

TEST_F(Answers, AFloodOfRequestsIsRefusedBeyondALimit) {
  options_.limits.handlers = 1;
  const auto release = std::make_shared<Bell>();
  options_.on_permission = [release](const PermissionAsk&) {
    (void)release->wait();
    return allow();
  };
  constexpr std::size_t kRequests = 2000;
  const std::string flood =
      "flood " + std::to_string(kRequests) +
      R"( {"type":"control_request","request_id":"f$N","request":{"subtype":"can_use_tool",)"
      R"("tool_name":"Bash","input":{},"tool_use_id":"t"}})";
  const auto answers =
      answers_to(options_, flood, "too much to answer", [&release] { release->ring(); });
  // At most one runs and 1024 wait.
  std::size_t refused = 0;
  for (const Json& answer : answers) refused += answer["subtype"].as_string() == "error" ? 1U : 0U;
  EXPECT_GE(refused, kRequests - 1025U);
}

TEST_F(Answers, AHandlerMayCloseItsSession) {
  Session* session = nullptr;
  Bell closed;
  Options options = fake("init\nexpect user\n" + kBash + "\neof");
  options.on_permission = [&](const PermissionAsk&) {
    session->close();
    closed.ring();
    return allow();
  };
  Session made(std::move(options));
  session = &made;
  ASSERT_TRUE(made.connect());
  ASSERT_TRUE(made.send("go"));
  EXPECT_TRUE(closed.wait());
}

// ---- questions, plans, forms, dialogs
// -------------------------------------------------------------

TEST_F(Answers, QuestionsAreAnsweredByTheirText) {
  options_.on_question = [](const QuestionAsk& ask) {
    return QuestionAnswers(ask).choose(0, "Blue").choose_all(1, {"S", "M"}).note(0, "please");
  };
  const Json answer = answer_to(
      options_,
      request(
          R"({"subtype":"can_use_tool","tool_name":"AskUserQuestion","tool_use_id":"t","input":)"
          R"({"questions":[{"question":"Which colour?","header":"C","options":[]},)"
          R"({"question":"Which sizes?","header":"S","options":[],"multiSelect":true}]}})"));
  const Json& input = answer["response"]["updatedInput"];
  EXPECT_EQ(input["questions"].items().size(), 2U);
  EXPECT_EQ(input["answers"]["Which colour?"].as_string(), "Blue");
  EXPECT_EQ(input["answers"]["Which sizes?"].as_string(), "S, M");
  EXPECT_EQ(input["annotations"]["Which colour?"]["notes"].as_string(), "please");
}

TEST_F(Answers, PlansAreApprovedOrRejected) {
  const std::string ask = request(
      R"({"subtype":"can_use_tool","tool_name":"ExitPlanMode","tool_use_id":"t","input":{"plan":"1. x"}})");
  options_.on_plan = [](const PlanAsk& plan) {
    EXPECT_EQ(plan.plan, "1. x");
    return approve_plan(PermissionMode::acceptEdits);
  };
  Json answer = answer_to(options_, ask);
  EXPECT_EQ(answer["response"]["behavior"].as_string(), "allow");
  EXPECT_EQ(answer["response"]["updatedPermissions"][0]["mode"].as_string(), "acceptEdits");
  options_.on_plan = [](const PlanAsk&) { return reject_plan("more detail"); };
  answer = answer_to(options_, ask);
  EXPECT_EQ(answer["response"]["message"].as_string(), "more detail");
}

TEST_F(Answers, FormsAndDialogs) {
  const std::string form =
      request(R"({"subtype":"elicitation","mcp_server_name":"m","message":"Name?"})");
  EXPECT_EQ(answer_to(options_, form)["response"]["action"].as_string(), "decline");
  options_.on_elicitation = [](const ElicitationAsk&) {
    return accept_form(RawJson(R"({"n":1})"));
  };
  const Json answer = answer_to(options_, form);
  EXPECT_EQ(answer["response"]["action"].as_string(), "accept");
  EXPECT_EQ(answer["response"]["content"]["n"].as_int(), 1);

  options_.on_dialog = [](const DialogAsk&) { return complete_dialog(RawJson("5")); };
  options_.dialog_kinds = {"picker"};
  const auto dialog = [](const char* kind) {
    return request(std::string(R"({"subtype":"request_user_dialog","payload":{},"dialog_kind":")") +
                   kind + "\"}");
  };
  EXPECT_EQ(answer_to(options_, dialog("picker"))["response"]["behavior"].as_string(), "completed");
  EXPECT_EQ(answer_to(options_, dialog("other"))["response"]["behavior"].as_string(), "cancelled");
}

// ---- hooks
// ---------------------------------------------------------------------------------------

const std::string kPreToolUse = request(
    R"({"subtype":"hook_callback","callback_id":"hook_0","tool_use_id":"t","input":{"hook_event_name":)"
    R"("PreToolUse","session_id":"s","transcript_path":"/t","cwd":"/","tool_name":"Bash",)"
    R"("tool_input":{"command":"rm"},"tool_use_id":"t"}})");

TEST_F(Answers, HooksAreTypedInAndOut) {
  options_.hooks.on<hooks::PreToolUse>(
      {.matcher = "Bash", .timeout = {}, .on_failure = {}}, [](const hooks::PreToolUse& call) {
        EXPECT_EQ(call.tool_name, "Bash");
        hooks::PreToolUseOutput output;
        output.permissionDecision = hooks::PermissionDecision::deny;
        return output;
      });
  const Json answer = answer_to(options_, kPreToolUse);
  const Json& output = answer["response"]["hookSpecificOutput"];
  EXPECT_EQ(output["hookEventName"].as_string(), "PreToolUse");
  EXPECT_EQ(output["permissionDecision"].as_string(), "deny");
}

TEST_F(Answers, AHookOfAnotherEventOrNumberIsAnErrorReply) {
  options_.hooks.on<hooks::Stop>([](const hooks::Stop&) { return block("more"); });
  EXPECT_EQ(answer_to(options_, kPreToolUse)["subtype"].as_string(), "error");
  EXPECT_EQ(answer_to(fake(""), kPreToolUse)["subtype"].as_string(), "error");
}

TEST(Hooks, ThoseThatNeverRunAreRefused) {
  Hooks hooks;
  EXPECT_THROW(
      hooks.on<hooks::SessionStart>([](const hooks::SessionStart&) { return no_opinion(); }),
      Error);
  for (const char* event : {"SessionStart", "SessionEnd", "Setup", "Notification"}) {
    EXPECT_FALSE(never_delivered(event).empty());
  }
  EXPECT_NO_THROW(hooks.on<hooks::Stop>([](const hooks::Stop&) { return no_opinion(); }));
}

TEST(Permissions, MalformedChangesCannotBeMade) {
  EXPECT_THROW((void)Rule::tool(""), std::invalid_argument);
  EXPECT_THROW((void)Rule::match("Bash", ""), std::invalid_argument);
  EXPECT_THROW(PermissionChanges().add(PermissionBehavior::allow, {}), std::invalid_argument);
  EXPECT_THROW(PermissionChanges().add_folders({""}), std::invalid_argument);
  EXPECT_THROW((void)deny("x").with_input(RawJson("{}")), std::logic_error);
  EXPECT_THROW((void)allow().and_stop(), std::logic_error);
}

// ---- tools
// ---------------------------------------------------------------------------------------

McpServer calculator() {
  McpServer server("calc");
  server.add(tool("add", "Adds two numbers", [](AddArgs x) { return x.a + x.b; }));
  server.add(
      tool("fail", "Fails", [](AddArgs) -> std::string { throw std::runtime_error("broken"); }));
  return server;
}

std::string mcp(const std::string& message) {
  return request(R"({"subtype":"mcp_message","server_name":"calc","message":)" + message + "}");
}

/// The agent greets the server, and has been answered.
const std::string kMcpHello =
    mcp(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
        R"("capabilities":{"elicitation":{}}}})") +
    "\nexpect protocolVersion\n";

TEST_F(Answers, ToolsAreListedWithTheirSchema) {
  options_.tools.in_process.push_back(calculator());
  const Json answer = answer_to(options_, mcp(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"));
  const Json& result = answer["response"]["mcp_response"]["result"];
  const Json& schema = result["tools"][0]["inputSchema"];
  EXPECT_EQ(schema["type"].as_string(), "object");
  EXPECT_EQ(schema["properties"]["a"]["description"].as_string(), "first");
  EXPECT_EQ(schema["required"].items().size(), 2U);
}

TEST_F(Answers, ToolsAreCalledAndTheirErrorsTold) {
  options_.tools.in_process.push_back(calculator());
  const auto call = [&](const std::string& name, const std::string& arguments) {
    return answer_to(
        options_, mcp(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":")" + name +
                      R"(","arguments":)" + arguments + "}}"))["response"]["mcp_response"];
  };
  EXPECT_EQ(call("add", R"({"a":1,"b":2})")["result"]["content"][0]["text"].as_string(), "3");
  const Json bad = call("add", R"({"a":1})")["result"];
  EXPECT_TRUE(bad["isError"].as_bool());
  EXPECT_THAT(std::string(bad["content"][0]["text"].as_string()), HasSubstr("b"));
  EXPECT_TRUE(call("fail", R"({"a":1,"b":2})")["result"]["isError"].as_bool());
  EXPECT_EQ(call("nothing", "{}")["error"]["code"].as_int(), mcp::kInvalidParams);
}

TEST_F(Answers, ToolsGiveImagesAndStructuredContent) {
  McpServer server("calc");
  server.add(tool("look", "Shows", [](AddArgs) {
    return ToolOutput("A dot:").add_image("\x89PNG", "image/png").add_text("That is all.");
  }));
  server.add(tool("echo", "Gives back a struct", [](AddArgs x) { return x; }));
  options_.tools.in_process.push_back(server);
  const auto call = [&](const std::string& name) {
    return answer_to(
        options_, mcp(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":")" + name +
                      R"(","arguments":{"a":1,"b":2}}})"))["response"]["mcp_response"]["result"];
  };
  const Json shown = call("look");
  ASSERT_EQ(shown["content"].items().size(), 3U);
  EXPECT_EQ(shown["content"][1]["type"].as_string(), "image");
  EXPECT_EQ(shown["content"][1]["mimeType"].as_string(), "image/png");
  EXPECT_EQ(shown["content"][1]["data"].as_string(), "iVBORw==");
  const Json echoed = call("echo");
  EXPECT_EQ(echoed["structuredContent"]["b"].as_double(), 2);
  EXPECT_THAT(std::string(echoed["content"][0]["text"].as_string()), HasSubstr("\"b\":2"));
}

TEST_F(Answers, AnnotationsAndInstructionsReachTheAgent) {
  McpServer server("calc", "2.5.0");
  mcp::ToolAnnotations hints;
  hints.title = "Addition";
  hints.readOnlyHint = true;
  server.add(tool("add", "Adds", [](AddArgs x) { return x.a + x.b; }).annotated(hints));
  server.instructions("Only for numbers.");
  options_.tools.in_process.push_back(server);
  const Json list = answer_to(options_, mcp(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"));
  const Json& hinted = list["response"]["mcp_response"]["result"]["tools"][0]["annotations"];
  EXPECT_EQ(hinted["title"].as_string(), "Addition");
  EXPECT_TRUE(hinted["readOnlyHint"].as_bool());
  const Json hello = answer_to(
      options_,
      mcp(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"x"}})"));
  const Json& about = hello["response"]["mcp_response"]["result"];
  EXPECT_EQ(about["instructions"].as_string(), "Only for numbers.");
  EXPECT_EQ(about["serverInfo"]["version"].as_string(), "2.5.0");
  EXPECT_TRUE(about["capabilities"]["tools"]["listChanged"].as_bool());
}

TEST_F(Answers, McpHandshakeAndNotifications) {
  options_.tools.in_process.push_back(calculator());
  const Json hello = answer_to(
      options_,
      mcp(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"x"}})"));
  EXPECT_EQ(hello["response"]["mcp_response"]["result"]["serverInfo"]["name"].as_string(), "calc");
  const Json note =
      answer_to(options_, mcp(R"({"jsonrpc":"2.0","method":"notifications/initialized"})"));
  EXPECT_NE(note["response"].find("mcp_response"), nullptr);
  const Json unknown = answer_to(options_, mcp(R"({"jsonrpc":"2.0","id":5,"method":"dance"})"));
  EXPECT_EQ(unknown["response"]["mcp_response"]["error"]["code"].as_int(), mcp::kMethodNotFound);
  EXPECT_EQ(answer_to(fake(""), mcp(R"({"jsonrpc":"2.0","id":1,"method":"ping"})"))["subtype"]
                .as_string(),
            "error");
}

TEST_F(Answers, ACallReportsProgressAndCanBeCancelled) {
  McpServer server("calc");
  server.add(tool("slow", "Waits", [](AddArgs, ToolContext& context) {
    EXPECT_EQ(context.tool_use_id(), "t9");
    context.progress(1, 2, "half");
    Bell bell;
    const std::stop_callback on_stop(context.stop(), [&] { bell.ring(); });
    EXPECT_TRUE(bell.wait());
    return ToolOutput::error("cancelled");
  }));
  options_.tools.in_process.push_back(server);
  const auto answers = answers_to(
      options_,
      R"(out {"type":"control_request","request_id":"c","request":{"subtype":"mcp_message","server_name":"calc","message":{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"slow","arguments":{"a":1,"b":1},"_meta":{"progressToken":7,"claudecode/toolUseId":"t9"}}}}})"
      "\nexpect notifications/progress\n" +
          mcp(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})"),
      "cancelled\"}]");
  ASSERT_THAT(answers, SizeIs(2));
}

TEST_F(Answers, AToolAsksTheUserThroughTheAgent) {
  McpServer server("calc");
  server.add(tool("ask", "Asks", [](AddArgs, ToolContext& context) {
    mcp::ElicitParams form;
    form.message = "Sure?";
    const auto answer = context.elicit(form);
    return ToolOutput(answer ? std::string(answer->action.text()) : answer.error().what());
  }));
  options_.tools.in_process.push_back(server);
  const auto answers = answers_to(
      options_,
      kMcpHello +
          R"(out {"type":"control_request","request_id":"c","request":{"subtype":"mcp_message","server_name":"calc","message":{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"ask","arguments":{"a":1,"b":1}}}}})"
          "\nexpect elicitation/create\n" +
          mcp(R"({"jsonrpc":"2.0","id":"server-1","result":{"action":"decline"}})"),
      R"("text":"decline")");
  EXPECT_THAT(answers, SizeIs(3));
}

TEST_F(Answers, ChangedToolsAreAnnounced) {
  McpServer server = calculator();
  const auto saved = temporary_file("changed.jsonl");
  Options options = fake("save " + saved.string() + "\ninit\n" + kMcpHello + kDone +
                         "\nexpect list_changed\n" + kDone + "\neof");
  options.tools.in_process.push_back(server);
  Session session(std::move(options));
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(session.receive(kPatience));  // the agent has been answered
  EXPECT_TRUE(server.remove("fail"));
  EXPECT_FALSE(server.remove("fail"));
  ASSERT_TRUE(session.receive(kPatience));
  EXPECT_EQ(server.full_name("add"), "mcp__calc__add");
}

TEST_F(Answers, CallsRunAtTheSameTime) {
  constexpr int kCalls = 8;
  std::atomic<int> inside{0};
  Bell all;
  McpServer server("calc");
  server.add(tool("meet", "Waits for the others", [&](AddArgs) {
    if (++inside == kCalls) all.ring();
    EXPECT_TRUE(all.wait());
    return "met";
  }));
  Options options = options_;
  options.tools.in_process.push_back(server);
  std::string script = "init\nexpect user";
  for (int i = 0; i < kCalls; ++i) {
    const std::string n = std::to_string(i);
    script +=
        R"(
out {"type":"control_request","request_id":"r)" +
        n +
        R"(","request":{"subtype":"mcp_message","server_name":"calc","message":{"jsonrpc":"2.0","id":)" +
        n + R"(,"method":"tools/call","params":{"name":"meet","arguments":{"a":1,"b":1}}}}})";
  }
  for (int i = 0; i < kCalls; ++i) script += "\nexpect met";
  options.process.environment = {{"PARLEY_FAKE_SCRIPT", script + "\n" + kDone + "\neof"}};
  Session session(std::move(options));
  ASSERT_TRUE(session.connect());
  EXPECT_TRUE(session.ask("go").result(kPatience));
}

}  // namespace
}  // namespace parley::testing
