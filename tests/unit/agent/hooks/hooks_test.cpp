#include "agent/hooks/hooks.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "wire/codec/codec.hpp"

namespace parley::agent {
namespace {

using Permission = HookVerdict::Permission;
using std::chrono::milliseconds;

constexpr const char* kRest =
    R"("session_id":"s","transcript_path":"/t","cwd":"/","tool_name":"Bash",)"
    R"("tool_input":{"command":"ls"},"tool_use_id":"toolu_1",)"
    R"("prompt":"go","source":"startup","stop_hook_active":false})";

HookInput input_of(const std::string& event) {
  return *decode<HookInput>(R"({"hook_event_name":")" + event + R"(",)" + kRest);
}

/// A client that answers by callback id, and hooks around it.
class HooksTest : public ::testing::Test {
 protected:
  void callback(const std::string& event, const std::string& id, const std::string& answer,
                const std::string& more = {}) {
    answers_[id] = answer;
    if (!registered_.empty()) registered_ += ',';
    registered_ +=
        R"({"event":")" + event + R"(","matcher":{"hookCallbackIds":[")" + id + "\"]" + more + "}}";
  }
  void command(const std::string& event, const std::string& text, const std::string& matcher = {},
               std::optional<double> timeout = {}) {
    setup_.commands.push_back({event, matcher, text, timeout});
  }

  HookVerdict run(const std::string& event, std::string_view subject = "Bash",
                  std::stop_token stop = {}) {
    setup_.cwd = "/";
    setup_.environment["PATH"] = "/usr/bin:/bin";
    setup_.make_id = [this] { return "id-" + std::to_string(++ids_); };
    setup_.show = [this](const HookRun& run) { shown_.push_back(run); };
    setup_.ask = [this](const std::string& id, const HookInput&,
                        const std::optional<std::string>& tool_use_id,
                        std::optional<milliseconds> timeout, std::stop_token,
                        const std::function<void()>&) { return answer(id, tool_use_id, timeout); };
    Hooks hooks(setup_);
    Map<std::vector<HookMatcher>> callbacks;
    const Json registered = *Json::parse("[" + registered_ + "]");
    for (const Json& entry : registered.items()) {
      callbacks[entry["event"].as_string()].push_back(
          *decode<HookMatcher>(entry["matcher"].dump()));
    }
    hooks.register_callbacks(callbacks);
    return hooks.run(input_of(event), subject, "toolu_1", stop);
  }

  std::optional<Result<RawJson>> answer(const std::string& id,
                                        const std::optional<std::string>& tool_use_id,
                                        std::optional<milliseconds> timeout) {
    const std::lock_guard lock(mutex_);
    EXPECT_EQ(tool_use_id, "toolu_1");
    asked_.push_back(id);
    timeouts_.push_back(timeout.value_or(milliseconds(-1)));
    const std::string& text = answers_.at(id);
    if (text == "(silence)") return std::nullopt;
    if (text == "(error)") return Result<RawJson>(Error(ErrorCode::remote, "boom"));
    if (text == "(gone)") return Result<RawJson>(Error(ErrorCode::closed, "gone"));
    return Result<RawJson>(RawJson(text));
  }

  Hooks::Setup setup_;
  std::string registered_;
  std::map<std::string, std::string> answers_;
  std::mutex mutex_;
  std::vector<std::string> asked_;
  std::vector<milliseconds> timeouts_;
  std::vector<HookRun> shown_;
  std::atomic<int> ids_ = 0;
};

std::string decision(const std::string& word, const std::string& more = {}) {
  return R"({"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":")" + word +
         "\"" + more + "}}";
}

// ---- callbacks ---------------------------------------------------------------------------------

TEST_F(HooksTest, AsksTheCallbacksThatMatch) {
  callback("PreToolUse", "all", "{}");
  callback("PreToolUse", "bash", "{}", R"(,"matcher":"Bash")");
  callback("PreToolUse", "read", "{}", R"(,"matcher":"Read")");
  callback("PostToolUse", "post", "{}");
  const HookVerdict verdict = run("PreToolUse");
  std::sort(asked_.begin(), asked_.end());
  EXPECT_EQ(asked_, (std::vector<std::string>{"all", "bash"}));
  EXPECT_EQ(verdict.permission, Permission::none);
  EXPECT_FALSE(verdict.blocked);
  EXPECT_TRUE(shown_.empty());
}

TEST_F(HooksTest, IgnoresMatchersWhereThereIsNoSubject) {
  callback("Stop", "cb", "{}", R"(,"matcher":"Bash")");
  run("Stop", "");
  EXPECT_EQ(asked_, std::vector<std::string>{"cb"});
}

TEST_F(HooksTest, LetsTheStrictestAnswerWin) {
  callback("PreToolUse", "a", decision("allow", R"(,"permissionDecisionReason":"fine")"));
  EXPECT_EQ(run("PreToolUse").permission_reason, "fine");
  callback("PreToolUse", "b", decision("ask", R"(,"permissionDecisionReason":"hm")"));
  EXPECT_EQ(run("PreToolUse").permission, Permission::ask);
  callback("PreToolUse", "c", decision("defer"));
  EXPECT_EQ(run("PreToolUse").permission, Permission::defer);
  callback("PreToolUse", "d", decision("deny", R"(,"permissionDecisionReason":"no")"));
  callback("PreToolUse", "e", decision("allow"));
  const HookVerdict verdict = run("PreToolUse");
  EXPECT_EQ(verdict.permission, Permission::deny);
  EXPECT_EQ(verdict.permission_reason, "no");
  EXPECT_TRUE(verdict.blocked);
  EXPECT_EQ(verdict.block_reason, "no");
}

TEST_F(HooksTest, UnderstandsTheOldWords) {
  callback("PreToolUse", "a", R"({"decision":"approve","reason":"old"})");
  EXPECT_EQ(run("PreToolUse").permission, Permission::allow);
  callback("PreToolUse", "b", R"({"decision":"block"})");
  const HookVerdict verdict = run("PreToolUse");
  EXPECT_EQ(verdict.permission, Permission::deny);
  EXPECT_EQ(verdict.block_reason, "Blocked by hook");
}

TEST_F(HooksTest, TakesEveryFieldThatHasAPlace) {
  callback("PreToolUse", "a",
           R"({"systemMessage":"note","suppressOutput":true,"hookSpecificOutput":{)"
           R"("hookEventName":"PreToolUse","updatedInput":{"command":"pwd"},)"
           R"("additionalContext":"ctx"}})");
  callback("PreToolUse", "b", R"({"continue":false,"stopReason":"halt"})");
  const HookVerdict verdict = run("PreToolUse");
  EXPECT_EQ(verdict.system_messages, std::vector<std::string>{"PreToolUse:Bash says: note"});
  EXPECT_EQ(verdict.updated_input, RawJson(R"({"command":"pwd"})"));
  EXPECT_EQ(verdict.contexts, std::vector<std::string>{"ctx"});
  EXPECT_TRUE(verdict.stop);
  EXPECT_EQ(verdict.stop_reason, "halt");
  EXPECT_EQ(verdict.permission, Permission::none);
}

TEST_F(HooksTest, TakesTheAnswersOfOtherEvents) {
  callback(
      "PostToolUse", "post",
      R"({"decision":"block","reason":"bad","hookSpecificOutput":{)"
      R"("hookEventName":"PostToolUse","additionalContext":"c","updatedToolOutput":{"x":1}}})");
  HookVerdict verdict = run("PostToolUse");
  EXPECT_TRUE(verdict.blocked);
  EXPECT_EQ(verdict.block_reason, "bad");
  EXPECT_EQ(verdict.permission, Permission::none);
  EXPECT_EQ(verdict.updated_output, RawJson(R"({"x":1})"));

  callback("UserPromptSubmit", "prompt",
           R"({"hookSpecificOutput":{"hookEventName":"UserPromptSubmit",)"
           R"("additionalContext":"today","sessionTitle":"T","suppressOriginalPrompt":true}})");
  verdict = run("UserPromptSubmit", "");
  EXPECT_EQ(verdict.contexts, std::vector<std::string>{"today"});
  EXPECT_EQ(verdict.session_title, "T");
  EXPECT_TRUE(verdict.hide_prompt);

  callback("SessionStart", "start",
           R"({"hookSpecificOutput":{"hookEventName":"SessionStart",)"
           R"("initialUserMessage":"begin"}})");
  EXPECT_EQ(run("SessionStart", "startup").first_prompt, "begin");

  callback("PermissionRequest", "allow",
           R"({"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{)"
           R"("behavior":"allow","updatedInput":{},"updatedPermissions":[{"type":"setMode",)"
           R"("mode":"acceptEdits","destination":"session"}]}}})");
  verdict = run("PermissionRequest");
  EXPECT_EQ(verdict.permission, Permission::allow);
  EXPECT_EQ(verdict.updated_permissions.size(), 1U);
  callback("PermissionRequest", "deny",
           R"({"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{)"
           R"("behavior":"deny","message":"never","interrupt":true}}})");
  verdict = run("PermissionRequest");
  EXPECT_EQ(verdict.permission, Permission::deny);
  EXPECT_EQ(verdict.permission_reason, "never");
  EXPECT_TRUE(verdict.interrupt);

  callback("Stop", "stop", R"({"decision":"block","reason":"go on"})");
  EXPECT_EQ(run("Stop", "").block_reason, "go on");
}

TEST_F(HooksTest, TakesAsyncForNoAnswer) {
  callback("PreToolUse", "cb", R"({"async":true,"decision":"block"})");
  EXPECT_FALSE(run("PreToolUse").blocked);
}

TEST_F(HooksTest, TakesFailuresForEmptyAnswersAndSaysSo) {
  for (const char* answer :
       {"(error)", "null", "\"text\"", "[]", R"({"hookSpecificOutput":"nonsense"})",
        R"({"hookSpecificOutput":{}})", R"({"decision":"maybe"})", R"({"continue":"no"})",
        R"({"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"maybe"}})"}) {
    registered_.clear();
    callback("PreToolUse", "cb_0", answer);
    const HookVerdict verdict = run("PreToolUse");
    EXPECT_EQ(verdict.failure,
              "PreToolUse: Hook callback cb_0 failed: the SDK host replied with an error or an "
              "invalid answer. Its answer was treated as empty.")
        << answer;
    EXPECT_EQ(verdict.permission, Permission::none) << answer;
    EXPECT_FALSE(verdict.failed_closed) << answer;
  }
}

TEST_F(HooksTest, BlocksOnFailureWhereThatIsWanted) {
  callback("PreToolUse", "cb_0", "(error)", R"(,"onFailure":"block")");
  const HookVerdict verdict = run("PreToolUse");
  EXPECT_EQ(verdict.permission, Permission::deny);
  EXPECT_EQ(verdict.block_reason,
            "[callback]: failed; blocking because onFailure is \"block\"\nHook callback cb_0 "
            "failed: the SDK host replied with an error or an invalid answer.");
}

TEST_F(HooksTest, RefusesACallThatNobodyAnsweredFor) {
  callback("PreToolUse", "cb", "(silence)", R"(,"timeout":1.5)");
  HookVerdict verdict = run("PreToolUse");
  EXPECT_TRUE(verdict.failed_closed);
  EXPECT_EQ(verdict.failure,
            "PreToolUse hook did not respond before its timeout (host client may be unreachable). "
            "The tool call was not executed; other configured hooks may not have completed.");
  EXPECT_EQ(timeouts_, std::vector<milliseconds>{milliseconds(1500)});

  callback("PostToolUse", "post", "(silence)");
  verdict = run("PostToolUse");
  EXPECT_FALSE(verdict.failed_closed);
  EXPECT_EQ(verdict.failure, "");

  callback("UserPromptSubmit", "prompt", "(silence)");
  verdict = run("UserPromptSubmit", "");
  EXPECT_TRUE(verdict.blocked);
  EXPECT_EQ(verdict.block_reason, "UserPromptSubmit hook callback timed out after 30000ms");

  callback("Stop", "stop", "(silence)");
  verdict = run("Stop", "");
  EXPECT_FALSE(verdict.blocked);
  EXPECT_EQ(verdict.system_messages,
            std::vector<std::string>{"Stop says: The app driving this session didn't respond, so "
                                     "this turn ended without it."});
  EXPECT_EQ(timeouts_.back(), milliseconds(600'000));
}

TEST_F(HooksTest, RefusesACallWhoseAnswerIsForAnotherEvent) {
  const std::string wrong = R"({"hookSpecificOutput":{"hookEventName":"Setup"}})";
  callback("PreToolUse", "cb", wrong);
  HookVerdict verdict = run("PreToolUse");
  EXPECT_TRUE(verdict.failed_closed);
  EXPECT_EQ(verdict.failure,
            "PreToolUse hook failed with an unexpected error. The tool call was not executed; "
            "other configured hooks may not have completed.");
  callback("Stop", "stop", wrong);
  verdict = run("Stop", "");
  EXPECT_EQ(verdict.failure,
            "Stop hook failed: Hook returned incorrect event name: expected 'Stop' but got "
            "'Setup'. Full stdout: {\n  \"hookSpecificOutput\": {\n    \"hookEventName\": "
            "\"Setup\"\n  }\n}");
  EXPECT_FALSE(verdict.blocked);
  callback("PostToolUse", "post", wrong);
  EXPECT_EQ(run("PostToolUse").failure, "");
  callback("UserPromptSubmit", "prompt", wrong);
  EXPECT_TRUE(run("UserPromptSubmit", "").blocked);
}

TEST_F(HooksTest, NoticesThatTheClientHasGone) {
  callback("PreToolUse", "cb", "(gone)");
  const HookVerdict verdict = run("PreToolUse");
  EXPECT_TRUE(verdict.hung_up);
  EXPECT_EQ(verdict.failure, "");
}

TEST_F(HooksTest, MakesNothingOfAnAnswerAfterAStop) {
  callback("PreToolUse", "cb", "(silence)");
  const auto source = std::make_unique<std::stop_source>();
  source->request_stop();
  EXPECT_FALSE(run("PreToolUse", "Bash", source->get_token()).failed_closed);
}

TEST_F(HooksTest, ReplacesCallbacks) {
  Hooks hooks({});
  EXPECT_FALSE(hooks.any("Stop"));
  hooks.register_callbacks(
      *decode<Map<std::vector<HookMatcher>>>(R"({"Stop":[{"hookCallbackIds":["a"]}]})"));
  EXPECT_TRUE(hooks.any("Stop"));
  hooks.register_callbacks(
      *decode<Map<std::vector<HookMatcher>>>(R"({"Setup":[{"hookCallbackIds":["a"]}]})"));
  EXPECT_FALSE(hooks.any("Stop"));
  EXPECT_TRUE(hooks.any("Setup"));
}

TEST(Hooks, RunsAllAtTheSameTime) {
  std::mutex mutex;
  std::condition_variable changed;
  int waiting = 0;
  Hooks::Setup setup;
  setup.cwd = "/";
  setup.ask = [&](const std::string& id, const HookInput&, const std::optional<std::string>&,
                  std::optional<milliseconds>, std::stop_token,
                  const std::function<void()>& asked) -> std::optional<Result<RawJson>> {
    asked();
    std::unique_lock lock(mutex);
    ++waiting;
    changed.notify_all();
    changed.wait(lock, [&] { return waiting == 3; });
    return Result<RawJson>(RawJson(R"({"systemMessage":")" + id + "\"}"));
  };
  Hooks hooks(setup);
  hooks.register_callbacks(
      *decode<Map<std::vector<HookMatcher>>>(R"({"Stop":[{"hookCallbackIds":["a","b","c"]}]})"));
  const HookVerdict verdict = hooks.run(input_of("Stop"), "", {}, {});
  EXPECT_EQ(verdict.system_messages,
            (std::vector<std::string>{"Stop says: a", "Stop says: b", "Stop says: c"}));
}

TEST(Hooks, TheClientHearsOfThemInOrder) {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::string> order;
  Hooks::Setup setup;
  setup.cwd = "/";
  setup.ask = [&](const std::string& id, const HookInput&, const std::optional<std::string>&,
                  std::optional<milliseconds>, std::stop_token,
                  const std::function<void()>& asked) -> std::optional<Result<RawJson>> {
    std::unique_lock lock(mutex);
    // Whoever does not wait for the one before gets the time to be first.
    if (id != "c") changed.wait_for(lock, milliseconds(200), [&] { return order.size() == 2; });
    order.push_back(id);
    changed.notify_all();
    lock.unlock();
    asked();
    return Result<RawJson>(RawJson("{}"));
  };
  Hooks hooks(setup);
  hooks.register_callbacks(
      *decode<Map<std::vector<HookMatcher>>>(R"({"Stop":[{"hookCallbackIds":["a","b","c"]}]})"));
  (void)hooks.run(input_of("Stop"), "", {}, {});
  EXPECT_EQ(order, (std::vector<std::string>{"a", "b", "c"}));
}

// ---- commands ----------------------------------------------------------------------------------

TEST_F(HooksTest, RunsACommandWithTheInput) {
  command("PreToolUse", "cat; echo $CLAUDE_PROJECT_DIR; echo e >&2");
  const HookVerdict verdict = run("PreToolUse");
  EXPECT_TRUE(verdict.contexts.empty());
  ASSERT_EQ(shown_.size(), 2U);
  EXPECT_TRUE(shown_[0].started);
  EXPECT_EQ(shown_[0].id, shown_[1].id);
  EXPECT_EQ(shown_[1].name, "PreToolUse:Bash");
  EXPECT_EQ(shown_[1].event, "PreToolUse");
  const std::string input = encode(input_of("PreToolUse"));
  EXPECT_EQ(shown_[1].stdout_text, input + "\n/\n");
  EXPECT_EQ(shown_[1].stderr_text, "e\n");
  EXPECT_EQ(shown_[1].output, input + "\n/\ne\n");
  EXPECT_EQ(shown_[1].exit_code, 0);
  EXPECT_EQ(shown_[1].outcome, "success");
}

TEST_F(HooksTest, BlocksWithExitCodeTwo) {
  command("PreToolUse", "echo blocked by hook >&2; exit 2", "Bash");
  const HookVerdict verdict = run("PreToolUse");
  EXPECT_EQ(verdict.permission, Permission::deny);
  EXPECT_EQ(verdict.block_reason, "[echo blocked by hook >&2; exit 2]: blocked by hook\n");
  EXPECT_EQ(shown_[1].outcome, "error");
  setup_.commands.clear();
  command("PreToolUse", R"(echo '{"decision":"approve"}'; exit 2)");
  EXPECT_EQ(run("PreToolUse").block_reason,
            R"([echo '{"decision":"approve"}'; exit 2]: No stderr output)");
}

TEST_F(HooksTest, ReadsStructuredOutput) {
  command("PreToolUse", "cat > /dev/null; echo '" +
                            decision("deny", R"(,"permissionDecisionReason":"json no")") + "'");
  EXPECT_EQ(run("PreToolUse").permission_reason, "json no");
  setup_.commands.clear();
  command("PreToolUse", R"(echo ' {"decision":"block","reason":"r"}'; exit 1)");
  EXPECT_EQ(run("PreToolUse").block_reason, "r");
}

TEST_F(HooksTest, TakesTextForContextWhereItMeansThat) {
  command("UserPromptSubmit", "echo prompt-context");
  EXPECT_EQ(run("UserPromptSubmit", "").contexts, std::vector<std::string>{"prompt-context"});
  command("SessionStart", "echo start");
  EXPECT_EQ(run("SessionStart", "startup").contexts, std::vector<std::string>{"start"});
  EXPECT_EQ(shown_.back().name, "SessionStart:startup");
  command("PostToolUse", "echo post");
  EXPECT_TRUE(run("PostToolUse").contexts.empty());
  command("Stop", "echo '{broken'");
  EXPECT_FALSE(run("Stop", "").blocked);
  EXPECT_EQ(shown_.back().outcome, "success");
}

TEST_F(HooksTest, GoesOnWithoutACommandThatFails) {
  const auto fails = [&](const std::string& text, const std::string& outcome,
                         std::optional<double> timeout = {}) {
    setup_.commands.clear();
    shown_.clear();
    command("PreToolUse", text, {}, timeout);
    const HookVerdict verdict = run("PreToolUse");
    EXPECT_EQ(verdict.permission, Permission::none) << text;
    EXPECT_FALSE(verdict.blocked) << text;
    EXPECT_FALSE(verdict.failed_closed) << text;
    EXPECT_EQ(verdict.failure, "") << text;
    EXPECT_EQ(shown_.at(1).outcome, outcome) << text;
  };
  fails("echo oops >&2; exit 1", "error");
  fails("/no/such/program", "error");
  fails("kill -9 $$", "error");
  fails(R"(echo '{"hookSpecificOutput":5}')", "error");
  EXPECT_NE(shown_[1].stderr_text.find("Hook JSON output validation failed"), std::string::npos);
  fails(R"(echo '{"hookSpecificOutput":{"hookEventName":"Stop"}}')", "error");
  EXPECT_EQ(shown_[1].stdout_text, "");
  EXPECT_EQ(shown_[1].exit_code, 1);
  fails("sleep 600", "cancelled", 0.1);
}

TEST_F(HooksTest, RunsEqualCommandsOnce) {
  command("PreToolUse", "echo one");
  command("PreToolUse", "echo one");
  command("PreToolUse", "echo two", "Bash|Read");
  command("PreToolUse", "echo three", "Read");
  callback("PreToolUse", "cb", decision("allow"));
  EXPECT_EQ(run("PreToolUse").permission, Permission::allow);
  EXPECT_EQ(shown_.size(), 4U);
}

TEST_F(HooksTest, LetsTheLastBlockSpeak) {
  command("PreToolUse", R"(echo '{"decision":"block","reason":"one"}')");
  command("PreToolUse", "echo two >&2; exit 2");
  command("PreToolUse", R"(echo '{"decision":"approve"}')");
  EXPECT_EQ(run("PreToolUse").permission_reason, "[echo two >&2; exit 2]: two\n");
}

}  // namespace
}  // namespace parley::agent
