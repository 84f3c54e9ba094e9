// Requests of the CLI that nobody answers: refused when their deadline is over, and only then.
#include <thread>

#include "support.hpp"

namespace parley::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string tool_request(const std::string& tool, const std::string& input) {
  return request(R"({"subtype":"can_use_tool","tool_use_id":"t1","tool_name":")" + tool +
                 R"(","input":)" + input + "}");
}
const std::string kBash = tool_request("Bash", R"({"command":"ls"})");
const std::string kForm =
    request(R"({"subtype":"elicitation","mcp_server_name":"m","message":"Name?"})");
const std::string kHook = request(
    R"({"subtype":"hook_callback","callback_id":"hook_0","input":{"hook_event_name":"Stop",)"
    R"("session_id":"s","transcript_path":"/t","cwd":"/","stop_hook_active":false}})");
const std::string kCall =
    request(R"({"subtype":"mcp_message","server_name":"calc","message":{"jsonrpc":"2.0","id":2,)"
            R"("method":"tools/call","params":{"name":"slow","arguments":{}}}})");

/// Keeps what it is told of requests that were refused.
struct Unanswered : Observer {
  void on_unanswered(std::string_view kind, std::string_view about,
                     std::chrono::milliseconds deadline) override {
    {
      const std::lock_guard lock(mutex);
      told.push_back(std::string(kind) + " " + std::string(about) + " " +
                     std::to_string(deadline.count()));
    }
    bell.ring();
  }
  std::mutex mutex;
  std::vector<std::string> told;
  Bell bell;
};

class HandlerDeadlines : public ::testing::Test {
 protected:
  HandlerDeadlines() { options_.delivery.observer = unanswered_; }

  /// Runs `ask` in a turn that ends with the first answer, and gives all answers there were until
  /// the session was closed.
  std::vector<Json> answers_to(const std::string& ask,
                               const std::function<void()>& before_close = {}) {
    const auto saved = temporary_file("deadlines.jsonl");
    options_.process.environment = {
        {"PARLEY_FAKE_SCRIPT", "save " + saved.string() + "\ninit\nexpect user\n" + ask +
                                   "\nexpect control_response\n" + kDone + "\neof"}};
    Session session(options_);
    EXPECT_TRUE(session.connect());
    const auto turn = session.ask("go").result(kPatience);
    EXPECT_TRUE(turn) << turn.error().what();
    EXPECT_THAT(session.pending(), IsEmpty());
    if (before_close) before_close();
    session.close();
    std::vector<Json> answers;
    for (const std::string& line : read_lines(saved)) {
      const auto json = Json::parse(line).value();
      if (json["type"].as_string() == "control_response") answers.push_back(json["response"]);
    }
    return answers;
  }
  /// The one answer to a request whose handler waits for its stop token, and answers then. The
  /// late answer has been given before the session ends.
  Json refusal_of(const std::string& ask) {
    const auto answers = answers_to(ask, [this] {
      EXPECT_TRUE(unanswered_->bell.wait());
      EXPECT_TRUE(stopped_.wait());
    });
    EXPECT_THAT(answers, SizeIs(1));
    return answers.empty() ? Json() : answers[0];
  }
  void wait_for_stop(const std::stop_token& stop) {
    Bell bell;
    const std::stop_callback on_stop(stop, [&] { bell.ring(); });
    EXPECT_TRUE(bell.wait());
    stopped_.ring();
  }

  std::shared_ptr<Unanswered> unanswered_ = std::make_shared<Unanswered>();
  Bell stopped_;
  Options options_ = fake("");
};

TEST_F(HandlerDeadlines, APermissionIsDenied) {
  options_.deadlines.question = 20ms;
  options_.on_permission = [this](const PermissionAsk& ask) {
    wait_for_stop(ask.stop);
    return allow();
  };
  const Json answer = refusal_of(kBash);
  EXPECT_EQ(answer["response"]["behavior"].as_string(), "deny");
  EXPECT_EQ(answer["response"]["toolUseID"].as_string(), "t1");
  EXPECT_THAT(std::string(answer["response"]["message"].as_string()),
              HasSubstr("Nobody answered this request within 20 ms"));
  EXPECT_THAT(unanswered_->told, ElementsAre("can_use_tool Bash 20"));
}

TEST_F(HandlerDeadlines, AReplyThatIsKeptIsTooLate) {
  options_.deadlines.question = 20ms;
  std::optional<Reply<PermissionAnswer>> kept;
  options_.on_permission = [&](const PermissionAsk& ask, Reply<PermissionAnswer> reply) {
    kept.emplace(std::move(reply));
    wait_for_stop(ask.stop);
  };
  const auto answers = answers_to(kBash, [&] {
    EXPECT_TRUE(stopped_.wait());
    kept->send(allow());
  });
  ASSERT_THAT(answers, SizeIs(1));
  EXPECT_EQ(answers[0]["response"]["behavior"].as_string(), "deny");
}

TEST_F(HandlerDeadlines, QuestionsPlansFormsAndDialogs) {
  options_.deadlines.question = 20ms;
  options_.on_question = [this](const QuestionAsk& ask) {
    wait_for_stop(ask.stop);
    return QuestionAnswers(ask);
  };
  options_.on_plan = [this](const PlanAsk& ask) {
    wait_for_stop(ask.stop);
    return approve_plan();
  };
  options_.on_elicitation = [this](const ElicitationAsk& ask) {
    wait_for_stop(ask.stop);
    return accept_form(RawJson("{}"));
  };
  options_.dialog_kinds = {"picker"};
  options_.on_dialog = [this](const DialogAsk& ask) {
    wait_for_stop(ask.stop);
    return complete_dialog(RawJson("{}"));
  };
  const Json question = refusal_of(tool_request("AskUserQuestion", R"({"questions":[]})"));
  EXPECT_EQ(question["response"]["behavior"].as_string(), "deny");
  const Json plan = refusal_of(tool_request("ExitPlanMode", R"({"plan":"1. x"})"));
  EXPECT_EQ(plan["response"]["behavior"].as_string(), "deny");
  EXPECT_EQ(refusal_of(kForm)["response"]["action"].as_string(), "cancel");
  const Json dialog = refusal_of(
      request(R"({"subtype":"request_user_dialog","payload":{},"dialog_kind":"picker"})"));
  EXPECT_EQ(dialog["response"]["behavior"].as_string(), "cancelled");
}

TEST_F(HandlerDeadlines, AHookFails) {
  options_.deadlines.hook = 20ms;
  options_.hooks.on<hooks::Stop>([this](const hooks::Stop&, const HookAsk& ask) {
    wait_for_stop(ask.stop);
    return no_opinion();
  });
  const Json answer = refusal_of(kHook);
  EXPECT_EQ(answer["subtype"].as_string(), "error");
  EXPECT_THAT(std::string(answer["error"].as_string()), HasSubstr("within 20 ms"));
  EXPECT_THAT(unanswered_->told, ElementsAre("hook_callback Stop 20"));
}

TEST_F(HandlerDeadlines, AToolCallIsAnErrorForTheModel) {
  options_.deadlines.tool = 20ms;
  McpServer server("calc");
  server.add(raw_tool("slow", "Waits", RawJson(R"({"type":"object"})"),
                      [this](const RawJson&, ToolContext& context) -> Result<ToolOutput> {
                        wait_for_stop(context.stop());
                        return ToolOutput("late");
                      }));
  options_.tools.in_process.push_back(server);
  const Json answer = refusal_of(kCall);
  const Json& response = answer["response"]["mcp_response"];
  EXPECT_EQ(response["id"].as_int(), 2);
  EXPECT_TRUE(response["result"]["isError"].as_bool());
  EXPECT_THAT(std::string(response["result"]["content"][0]["text"].as_string()),
              HasSubstr("within 20 ms"));
  EXPECT_THAT(unanswered_->told, ElementsAre("mcp_message calc 20"));
}

TEST_F(HandlerDeadlines, EachKindHasItsOwn) {
  // The hook's is over long before the permission is given, which has none.
  options_.deadlines.hook = 20ms;
  options_.on_permission = [this](const PermissionAsk& ask) {
    EXPECT_TRUE(unanswered_->bell.wait());
    EXPECT_FALSE(ask.stop.stop_requested());
    return allow();
  };
  options_.hooks.on<hooks::Stop>([this](const hooks::Stop&, const HookAsk& ask) {
    wait_for_stop(ask.stop);
    return no_opinion();
  });
  std::string permission = kBash;
  permission.replace(permission.find("\"q\""), 3, "\"p\"");
  const auto answers = answers_to(permission + "\n" + kHook + "\nexpect control_response");
  ASSERT_THAT(answers, SizeIs(2));
  EXPECT_EQ(answers[0]["request_id"].as_string(), "q");
  EXPECT_EQ(answers[1]["request_id"].as_string(), "p");
  EXPECT_EQ(answers[1]["response"]["behavior"].as_string(), "allow");
}

TEST_F(HandlerDeadlines, ThoseThatWaitForAThreadAreRefusedToo) {
  options_.deadlines.question = 20ms;
  options_.limits.handlers = 1;
  const auto release = std::make_shared<Bell>();
  options_.on_permission = [release](const PermissionAsk&) {
    EXPECT_TRUE(release->wait());
    return allow();
  };
  const auto answers =
      answers_to(R"(flood 3 {"type":"control_request","request_id":"f$N","request":{"subtype":)"
                 R"("can_use_tool","tool_name":"Bash","input":{},"tool_use_id":"t"}})"
                 "\nexpect control_response\nexpect control_response",
                 [&] {
                   EXPECT_TRUE(unanswered_->bell.wait(3));
                   release->ring();
                 });
  ASSERT_THAT(answers, SizeIs(3));
  for (const Json& answer : answers) {
    EXPECT_EQ(answer["response"]["behavior"].as_string(), "deny");
  }
}

TEST_F(HandlerDeadlines, AnAnswerInTimeIsTheAnswer) {
  options_.deadlines = {.question = 1h, .hook = 1h, .tool = 1h};
  options_.on_permission = [](const PermissionAsk&) { return allow(); };
  const auto answers = answers_to(kBash);
  ASSERT_THAT(answers, SizeIs(1));
  EXPECT_EQ(answers[0]["response"]["behavior"].as_string(), "allow");
  EXPECT_THAT(unanswered_->told, IsEmpty());
}

TEST_F(HandlerDeadlines, ARequestOfALineStreamIsRefusedToo) {
  const auto saved = temporary_file("lines.jsonl");
  Options options = fake("save " + saved.string() + "\ninit\n" + kBash +
                         "\nexpect control_response\n" + kDone + "\neof");
  options.delivery.line_stream = true;
  options.deadlines.question = 20ms;
  options.delivery.observer = unanswered_;
  Session session(std::move(options));
  ASSERT_TRUE(session.connect());
  for (;;) {
    const auto line = session.receive_line(kPatience);
    ASSERT_TRUE(line);
    if (line->message.is<ResultMessage>()) break;
  }
  EXPECT_TRUE(unanswered_->bell.wait());
  EXPECT_EQ(session.answer("q", RawJson("{}")).error().code(), ErrorCode::not_found);
}

}  // namespace
}  // namespace parley::testing
