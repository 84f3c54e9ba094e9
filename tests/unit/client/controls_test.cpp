// Every control request by name: what is sent, how the answer is read, and that a refusal is one.
#include "support.hpp"
#include "support/files/io.hpp"

namespace parley::testing {
namespace {

using ::testing::HasSubstr;

/// One method: the call gives back what is interesting of its reply as text, or "error: ...".
struct ControlCase {
  std::string name;
  std::function<std::string(Session&)> call;
  std::string sent;   ///< The request, as JSON.
  std::string reply;  ///< The body of the answer.
  std::string seen;   ///< What the call makes of it.
};
void PrintTo(const ControlCase& control, std::ostream* out) { *out << control.name; }

template <class T, class Show>
std::string shown(const Result<T>& result, Show show) {
  return result ? std::string(show(*result)) : "error: " + result.error().message();
}
std::string shown(const Result<void>& result) {
  return result ? "done" : "error: " + result.error().message();
}
const auto count = [](const auto& list) { return std::to_string(list.size()); };

class Controls : public ::testing::TestWithParam<ControlCase> {};

TEST_P(Controls, AreSentAndRead) {
  const auto file = temporary_file(GetParam().name);
  Session session(fake("init\nsave " + file.string() + "\nanswer " + GetParam().reply + "\neof"));
  ASSERT_TRUE(session.connect());
  EXPECT_EQ(GetParam().call(session), GetParam().seen);
  session.close();
  const auto lines = read_lines(file);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(Json::parse(lines[0]).value()["request"].dump(),
            Json::parse(GetParam().sent).value().dump());
}

TEST_P(Controls, AreRefused) {
  Session session(
      fake("init\nexpect control_request\n"
           R"(out {"type":"control_response","response":{"subtype":"error",)"
           R"("request_id":"$ID","error":"not now","error_code":"busy"}})"
           "\neof"));
  ASSERT_TRUE(session.connect());
  EXPECT_EQ(GetParam().call(session), "error: not now");
}

const ControlCase kControls[] = {
    {"SetModel", [](Session& s) { return shown(s.set_model("big"), [](auto& m) { return *m; }); },
     R"({"subtype":"set_model","model":"big"})", R"({"model":"big-2"})", "big-2"},
    {"SetDefaultModel",
     [](Session& s) {
       return shown(s.set_model(std::nullopt), [](auto& m) { return m ? "some" : "none"; });
     },
     R"({"subtype":"set_model"})", "{}", "none"},
    {"SetPermissionMode",
     [](Session& s) { return shown(s.set_permission_mode(PermissionMode::plan)); },
     R"({"subtype":"set_permission_mode","mode":"plan"})", R"({"mode":"plan"})", "done"},
    {"SetMaxThinkingTokens", [](Session& s) { return shown(s.set_max_thinking_tokens(500)); },
     R"({"subtype":"set_max_thinking_tokens","max_thinking_tokens":500})", "{}", "done"},
    {"ClearMaxThinkingTokens",
     [](Session& s) { return shown(s.set_max_thinking_tokens(std::nullopt)); },
     R"({"subtype":"set_max_thinking_tokens","max_thinking_tokens":null})", "{}", "done"},
    {"StopTask", [](Session& s) { return shown(s.tasks().stop("t1")); },
     R"({"subtype":"stop_task","task_id":"t1"})", "{}", "done"},
    {"BackgroundTasks",
     [](Session& s) {
       return shown(s.tasks().move_to_background("c1"),
                    [](bool yes) { return yes ? "yes" : "no"; });
     },
     R"({"subtype":"background_tasks","tool_use_id":"c1"})", R"({"backgrounded":true})", "yes"},
    {"TaskOutput",
     [](Session& s) { return shown(s.tasks().output("t1"), [](auto& r) { return r.output; }); },
     R"({"subtype":"get_task_output","task_id":"t1"})", R"({"output":"text","total_bytes":4})",
     "text"},
    {"RewindFiles",
     [](Session& s) {
       return shown(s.files().rewind("u1", true), [](auto& r) { return count(*r.filesChanged); });
     },
     R"({"subtype":"rewind_files","user_message_id":"u1","dry_run":true})",
     R"({"canRewind":true,"filesChanged":["a","b"]})", "2"},
    {"CancelMessage",
     [](Session& s) {
       return shown(s.cancel_message("u1"), [](bool yes) { return yes ? "yes" : "no"; });
     },
     R"({"subtype":"cancel_async_message","message_uuid":"u1"})", R"({"cancelled":true})", "yes"},
    {"Rename", [](Session& s) { return shown(s.rename("A title")); },
     R"({"subtype":"rename_session","title":"A title"})", "{}", "done"},
    {"SetColor", [](Session& s) { return shown(s.set_color("red")); },
     R"({"subtype":"set_color","color":"red"})", "{}", "done"},
    {"SetHasSubscribers", [](Session& s) { return shown(s.set_has_subscribers(true)); },
     R"({"subtype":"set_has_subscribers","has_subscribers":true})", "{}", "done"},
    {"EndSession", [](Session& s) { return shown(s.end_session()); },
     R"({"subtype":"end_session"})", "{}", "done"},
    {"ContextUsage",
     [](Session& s) {
       return shown(s.info().context_usage(),
                    [](auto& r) { return std::to_string(r.totalTokens); });
     },
     R"({"subtype":"get_context_usage"})",
     R"({"categories":[],"totalTokens":12,"maxTokens":100,"percentage":12})", "12"},
    {"Usage", [](Session& s) { return shown(s.info().usage(), [](auto&) { return "read"; }); },
     R"({"subtype":"get_usage"})",
     R"({"session":{},"subscription_type":null,"rate_limits_available":false,"rate_limits":null,"behaviors":null})",
     "read"},
    {"Cost", [](Session& s) { return shown(s.info().cost(), [](auto& text) { return text; }); },
     R"({"subtype":"get_session_cost"})", R"({"text":"$1"})", "$1"},
    {"Models", [](Session& s) { return shown(s.info().models(), count); },
     R"({"subtype":"list_models"})",
     R"({"models":[{"value":"a","displayName":"A","description":"x"}]})", "1"},
    {"CliVersion",
     [](Session& s) { return shown(s.info().cli_version(), [](auto& text) { return text; }); },
     R"({"subtype":"get_binary_version"})", R"({"version":"3.0.0"})", "3.0.0"},
    {"Settings", [](Session& s) { return shown(s.settings().get(), [](auto&) { return "read"; }); },
     R"({"subtype":"get_settings"})", R"({"effective":{},"sources":[]})", "read"},
    {"ApplySettings",
     [](Session& s) { return shown(s.settings().apply(RawJson(R"({"fastMode":true})"))); },
     R"({"subtype":"apply_flag_settings","settings":{"fastMode":true}})", "{}", "done"},
    {"UpdateSettings",
     [](Session& s) {
       return shown(s.settings().update(control::SettingsSource::localSettings,
                                        RawJson(R"({"outputStyle":"terse"})")));
     },
     R"({"subtype":"update_settings","source":"localSettings","settings":{"outputStyle":"terse"}})",
     "{}", "done"},
    {"HooksListing",
     [](Session& s) { return shown(s.settings().hooks(), [](auto&) { return "read"; }); },
     R"({"subtype":"get_hooks_listing"})", R"({"events":[],"hooks":[]})", "read"},
    {"PermissionRules",
     [](Session& s) {
       return shown(s.settings().permission_rules(), [](auto&) { return "read"; });
     },
     R"({"subtype":"list_permission_rules"})", R"({"state":{"rules":[]}})", "read"},
    {"McpStatus", [](Session& s) { return shown(s.mcp().status(), count); },
     R"({"subtype":"mcp_status"})", R"({"mcpServers":[{"name":"a","status":"connected"}]})", "1"},
    {"McpReconnect", [](Session& s) { return shown(s.mcp().reconnect("a")); },
     R"({"subtype":"mcp_reconnect","serverName":"a"})", "{}", "done"},
    {"McpToggle", [](Session& s) { return shown(s.mcp().toggle("a", false)); },
     R"({"subtype":"mcp_toggle","serverName":"a","enabled":false})", "{}", "done"},
    {"McpSetServers",
     [](Session& s) {
       return shown(s.mcp().set_servers({}), [](auto& r) { return count(*r.removed); });
     },
     R"({"subtype":"mcp_set_servers","servers":{}})", R"({"added":[],"removed":["a"],"errors":{}})",
     "1"},
    {"McpReadResource",
     [](Session& s) { return shown(s.mcp().read_resource("a", "file:///x"), count); },
     R"({"subtype":"mcp_read_resource","serverName":"a","uri":"file:///x"})",
     R"({"contents":[{"uri":"file:///x","text":"t"}]})", "1"},
    {"McpCall",
     [](Session& s) {
       return shown(s.mcp().call("mcp__a__b", RawJson("{}")),
                    [](auto& r) { return r.content.text; });
     },
     R"({"subtype":"mcp_call","tool":"mcp__a__b","arguments":{}})", R"({"content":[]})", "[]"},
    {"McpPermissionMode",
     [](Session& s) { return shown(s.mcp().set_permission_mode("a", PermissionMode::dontAsk)); },
     R"({"subtype":"set_mcp_permission_mode_override","serverName":"a","mode":"dontAsk"})", "{}",
     "done"},
    {"ReadFile",
     [](Session& s) { return shown(s.files().read("a.txt"), [](auto& r) { return r.contents; }); },
     R"({"subtype":"read_file","path":"a.txt"})", R"({"contents":"text"})", "text"},
    {"FileSuggestions", [](Session& s) { return shown(s.files().suggest("ma"), count); },
     R"({"subtype":"file_suggestions","query":"ma"})", R"({"suggestions":[{"path":"main"}]})", "1"},
    {"SeedReadState", [](Session& s) { return shown(s.files().seed_read_state("a.txt", 1700)); },
     R"({"subtype":"seed_read_state","path":"a.txt","mtime":1700})", "{}", "done"},
    {"RegisterRepoRoot", [](Session& s) { return shown(s.files().register_repo_root("/repo")); },
     R"({"subtype":"register_repo_root","directory":"/repo"})", "{}", "done"},
    {"ReloadPlugins",
     [](Session& s) { return shown(s.settings().reload_plugins(), [](auto&) { return "read"; }); },
     R"({"subtype":"reload_plugins"})",
     R"({"commands":[],"agents":[],"plugins":[],"mcpServers":[],"error_count":0})", "read"},
    {"ReloadSkills", [](Session& s) { return shown(s.settings().reload_skills(), count); },
     R"({"subtype":"reload_skills"})", R"({"skills":[{"name":"a","description":"b"}]})", "1"},
    {"ReloadOutputStyles",
     [](Session& s) { return shown(s.settings().reload_output_styles(), count); },
     R"({"subtype":"reload_output_styles"})", R"({"available_output_styles":["a","b"]})", "2"},
    {"Raw",
     [](Session& s) {
       return shown(s.request(RawJson("{\"subtype\":\"newer\",\n \"depth\":3}")),
                    [](auto& raw) { return raw.text; });
     },
     R"({"subtype":"newer","depth":3})", R"({"deep":true})", R"({"deep":true})"},
};

INSTANTIATE_TEST_SUITE_P(ByName, Controls, ::testing::ValuesIn(kControls),
                         [](const auto& made) { return made.param.name; });

TEST(UpdateEnvironment, TellsWhatANewerCliTook) {
  Session session(fake(R"(expect "subtype":"initialize")"
                       "\n"
                       R"(out {"type":"control_response","response":{"subtype":"success",)"
                       R"("request_id":"$ID","response":{"claude_code_version":"2.1.325"}}})"
                       "\nexpect update_environment_variables\n"
                       R"(out {"type":"control_response","response":{"subtype":"success",)"
                       R"("request_id":"$ID","response":{"applied":["A"]}}})"
                       "\neof"));
  ASSERT_TRUE(session.connect());
  Map<std::string> variables;
  variables["A"] = "1";
  variables["B"] = "2";
  EXPECT_THAT(session.settings().update_environment(variables).value(),
              ::testing::ElementsAre("A"));
}

TEST(UpdateEnvironment, OlderClisTakeAllAndDoNotAnswer) {
  const auto file = temporary_file("environment");
  Session session(fake("init\nsave " + file.string() + "\nturns ok"));
  ASSERT_TRUE(session.connect());
  Map<std::string> variables;
  variables["A"] = "1";
  EXPECT_THAT(session.settings().update_environment(variables).value(),
              ::testing::ElementsAre("A"));
  ASSERT_TRUE(session.ask("x").result(kPatience));
  EXPECT_THAT(read_file(file).value_or(""), HasSubstr(R"("variables":{"A":"1"})"));
}

TEST(WaitMcpReady, WaitsUntilNoServerIsConnecting) {
  Session session(
      fake("init\nanswer {\"mcpServers\":[{\"name\":\"a\",\"status\":\"pending\"}]}\n"
           "answer {\"mcpServers\":[{\"name\":\"a\",\"status\":\"failed\"}]}\neof"));
  ASSERT_TRUE(session.connect());
  const auto servers = session.mcp().wait_ready(kPatience);
  ASSERT_TRUE(servers) << servers.error().what();
  EXPECT_EQ(servers->front().status, McpConnection::failed);
}

TEST(WaitMcpReady, NamesThoseThatStillConnect) {
  Session session(
      fake("init\nanswer {\"mcpServers\":[{\"name\":\"slow\",\"status\":\"pending\"}]}\neof"));
  ASSERT_TRUE(session.connect());
  const auto servers = session.mcp().wait_ready(0ms);
  ASSERT_FALSE(servers);
  EXPECT_EQ(servers.error().code(), ErrorCode::timeout);
  EXPECT_THAT(servers.error().message(), HasSubstr("slow"));
}

TEST(InitializeReply, AgentsAccountAndCommandsAreThereWithoutAsking) {
  Session session(
      fake(R"(expect "subtype":"initialize")"
           "\n"
           R"(out {"type":"control_response","response":{"subtype":"success",)"
           R"("request_id":"$ID","response":{"agents":[{"name":"x","description":"y"}],)"
           R"("account":{"email":"a@b.c"},"commands":[{"name":"help","description":"h"}]}}})"
           "\neof"));
  ASSERT_TRUE(session.connect());
  EXPECT_EQ(session.info().agents().value().size(), 1u);
  EXPECT_EQ(session.info().account().value().email, "a@b.c");
  EXPECT_EQ(session.commands().size(), 1u);
}

}  // namespace
}  // namespace parley::testing
