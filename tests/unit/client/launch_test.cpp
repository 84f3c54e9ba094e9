// Every option has an effect: on the command line, in the environment, or in `initialize`.
#include <fstream>

#include "client/client.hpp"
#include "client/version.hpp"
#include "support.hpp"
#include "support/files/io.hpp"

namespace parley::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

LaunchPlan planned(const Options& options) { return plan_launch(options, {}).value(); }
std::string flags(const Options& options) {
  std::string text;
  for (const std::string& argument : planned(options).arguments) text += argument + " ";
  return text;
}
Json initialize(const Options& options) {
  return Json::parse(encode(ControlBody(planned(options).initialize))).value();
}

struct FlagCase {
  const char* name;
  void (*set)(Options&);
  const char* expected;
};
class Flags : public ::testing::TestWithParam<FlagCase> {};
TEST_P(Flags, ReachTheCommandLine) {
  Options options;
  EXPECT_THAT(flags(options), ::testing::Not(HasSubstr(GetParam().expected)));
  GetParam().set(options);
  EXPECT_THAT(flags(options), HasSubstr(GetParam().expected));
}
INSTANTIATE_TEST_SUITE_P(
    All, Flags,
    ::testing::Values(
        FlagCase{"Model", [](Options& o) { o.model = "opus"; }, "--model=opus "},
        FlagCase{"Fallback", [](Options& o) { o.fallback_model = "x"; }, "--fallback-model=x "},
        FlagCase{"Adaptive", [](Options& o) { o.thinking.mode = Thinking::Mode::adaptive; },
                 "--thinking=adaptive "},
        FlagCase{"Disabled", [](Options& o) { o.thinking.mode = Thinking::Mode::disabled; },
                 "--thinking=disabled "},
        FlagCase{"Budgeted",
                 [](Options& o) {
                   o.thinking.mode = Thinking::Mode::enabled;
                   o.thinking.budget_tokens = 9;
                 },
                 "--max-thinking-tokens=9 "},
        FlagCase{"Display",
                 [](Options& o) { o.thinking.display = control::ThinkingDisplay::omitted; },
                 "--thinking-display=omitted "},
        FlagCase{"Effort", [](Options& o) { o.effort = Effort::high; }, "--effort=high "},
        FlagCase{"Betas", [](Options& o) { o.betas = {"a", "b"}; }, "--betas=a,b "},
        FlagCase{"MaxTurns", [](Options& o) { o.limits.max_turns = 3; }, "--max-turns=3 "},
        FlagCase{"Budget", [](Options& o) { o.limits.max_budget_usd = 0.5; }, "--max-budget-usd=0.5 "},
        FlagCase{"TaskBudget", [](Options& o) { o.limits.task_budget = 7; }, "--task-budget=7 "},
        FlagCase{"Schema", [](Options& o) { o.output_schema = RawJson("{\"x\":1}"); },
                 "--json-schema={\"x\":1} "},
        FlagCase{"Tools", [](Options& o) { o.tools.built_in = {{"Bash", "Read"}}; }, "--tools=Bash,Read "},
        FlagCase{"NoTools", [](Options& o) { o.tools.built_in.emplace(); }, "--tools= "},
        FlagCase{"Allowed", [](Options& o) { o.tools.allowed = {"Read"}; }, "--allowedTools=Read "},
        FlagCase{"Disallowed", [](Options& o) { o.tools.disallowed = {"Bash"}; },
                 "--disallowedTools=Bash "},
        FlagCase{"Handler", [](Options& o) { o.on_permission = [](const PermissionAsk&) { return allow(); }; },
                 "--permission-prompt-tool=stdio "},
        FlagCase{"PromptTool", [](Options& o) { o.permissions.prompt_tool = "mcp__a__b"; },
                 "--permission-prompt-tool=mcp__a__b "},
        FlagCase{"Prompts", [](Options& o) { o.permissions.prompts = PermissionPrompts::none; },
                 "--permission-prompts=none "},
        FlagCase{"Mode", [](Options& o) { o.permissions.mode = PermissionMode::plan; },
                 "--permission-mode=plan "},
        FlagCase{"Skip", [](Options& o) { o.permissions.allow_bypass = true; },
                 "--allow-dangerously-skip-permissions "},
        FlagCase{"Folders", [](Options& o) { o.permissions.additional_directories = {"/a", "/b"}; },
                 "--add-dir /a --add-dir /b "},
        FlagCase{"System", [](Options& o) { o.system_prompt.text = "Be brief"; },
                 "--system-prompt Be brief "},
        FlagCase{"SystemFile", [](Options& o) { o.system_prompt.file = "/p"; },
                 "--system-prompt-file /p "},
        FlagCase{"Append", [](Options& o) { o.system_prompt.append = "-x"; },
                 "--append-system-prompt=-x "},
        FlagCase{"McpServers", [](Options& o) { o.tools.mcp_servers["s"].command = "c"; },
                 "--mcp-config {\"mcpServers\":{\"s\":{\"command\":\"c\"}}} "},
        FlagCase{"Strict", [](Options& o) { o.tools.strict_mcp_config = true; }, "--strict-mcp-config "},
        FlagCase{"Agent", [](Options& o) { o.agents.main = "reviewer"; }, "--agent=reviewer "},
        FlagCase{"Plugin", [](Options& o) { o.settings.plugins.emplace_back().path = "/pl"; },
                 "--plugin-dir=/pl "},
        FlagCase{"AllSkills", [](Options& o) { o.settings.skills = {{"all"}}; }, "--allowedTools=Skill "},
        FlagCase{"Skills", [](Options& o) { o.settings.skills = {{"pdf"}}; }, "--allowedTools=Skill(pdf) "},
        FlagCase{"Settings", [](Options& o) { o.settings.file = "/s.json"; }, "--settings /s.json "},
        FlagCase{"SettingsText", [](Options& o) { o.settings.json = RawJson("{\"a\":1}"); },
                 "--settings {\"a\":1} "},
        FlagCase{"Sandbox", [](Options& o) { o.settings.sandbox = RawJson("{\"enabled\":true}"); },
                 "--settings {\"sandbox\":{\"enabled\":true}} "},
        FlagCase{"Managed", [](Options& o) { o.settings.managed = "{}"; },
                 "--managed-settings {} "},
        FlagCase{"Sources", [](Options& o) { o.settings.sources = {{SettingScope::user}}; },
                 "--setting-sources=user "},
        FlagCase{"NoSources", [](Options& o) { o.settings.sources.emplace(); },
                 "--setting-sources= "},
        FlagCase{"ConfigRoot", [](Options& o) { o.settings.project_config_root = "/r"; },
                 "--project-config-root=/r "},
        FlagCase{"Continue", [](Options& o) { o.resume.latest = true; }, "--continue "},
        FlagCase{"Resume", [](Options& o) { o.resume.id = "abc"; }, "--resume=abc "},
        FlagCase{"Fork",
                 [](Options& o) {
                   o.resume.id = "abc";
                   o.resume.fork = true;
                 },
                 "--fork-session "},
        FlagCase{"Id",
                 [](Options& o) { o.transcript.session_id = "11111111-2222-4333-8444-555555555555"; },
                 "--session-id=11111111-2222-4333-8444-555555555555 "},
        FlagCase{"RollBack",
                 [](Options& o) {
                   o.resume.id = "abc";
                   o.resume.at = "m";
                 },
                 "--resume-session-at=m "},
        FlagCase{"DropsTurn", [](Options& o) { o.resume.drops_turn = ""; },
                 "--resume-drops-turn= "},
        FlagCase{"Ephemeral", [](Options& o) { o.transcript.persist = false; }, "--no-session-persistence "},
        FlagCase{"Mirror", [](Options& o) { o.transcript.mirror = true; }, "--session-mirror "},
        FlagCase{"Partial", [](Options& o) { o.delivery.partial_messages = true; },
                 "--include-partial-messages "},
        FlagCase{"HookEvents", [](Options& o) { o.delivery.hook_events = true; }, "--include-hook-events "},
        FlagCase{"Replay", [](Options& o) { o.delivery.replay_user_messages = true; },
                 "--replay-user-messages "},
        FlagCase{"Debug", [](Options& o) { o.process.debug = true; }, "--debug "},
        FlagCase{"DebugFile", [](Options& o) { o.process.debug_file = "/d"; }, "--debug-file=/d "},
        FlagCase{"Extra", [](Options& o) { o.process.extra_flags = {{"bare", std::nullopt}, {"k", "v"}}; },
                 "--bare --k v "}),
    [](const auto& test) { return test.param.name; });

TEST(Launch, InitializeCarriesTheRest) {
  Options options;
  options.agents.types["rev"].description = "Reviews";
  options.tools.aliases["a"] = "b";
  options.permissions.plan_instructions = "plan well";
  options.dialog_kinds = {"picker"};
  options.on_dialog = [](const DialogAsk&) { return cancel_dialog(); };
  options.system_prompt.exclude_dynamic_sections = true;
  options.system_prompt.snapshot = false;
  options.tools.in_process.emplace_back("calc");
  options.settings.skills = {{"pdf"}};
  options.transcript.title = "T";
  options.delivery.forward_subagent_text = options.delivery.prompt_suggestions = true;
  options.delivery.agent_progress_summaries = options.delivery.per_task_stop = true;
  options.hooks.on<hooks::Stop>(
      {.matcher = "", .timeout = 1500ms, .on_failure = HookFailurePolicy::block},
      [](const hooks::Stop&) { return no_opinion(); });
  const Json body = initialize(options);
  EXPECT_EQ(body["agents"]["rev"]["description"].as_string(), "Reviews");
  EXPECT_EQ(body["toolAliases"]["a"].as_string(), "b");
  EXPECT_EQ(body["planModeInstructions"].as_string(), "plan well");
  EXPECT_EQ(body["supportedDialogKinds"][0].as_string(), "picker");
  EXPECT_TRUE(body["excludeDynamicSections"].as_bool());
  EXPECT_FALSE(body["systemPromptSnapshot"].as_bool(true));
  EXPECT_EQ(body["sdkMcpServers"][0].as_string(), "calc");
  EXPECT_EQ(body["skills"][0].as_string(), "pdf");
  EXPECT_EQ(body["title"].as_string(), "T");
  for (const char* key : {"forwardSubagentText", "promptSuggestions", "agentProgressSummaries",
                          "perTaskStopAffordance"}) {
    EXPECT_TRUE(body[key].as_bool()) << key;
  }
  const Json& hook = body["hooks"]["Stop"][0];
  EXPECT_EQ(hook["hookCallbackIds"][0].as_string(), "hook_0");
  EXPECT_EQ(hook["timeout"].as_double(), 1.5);
  EXPECT_EQ(hook["onFailure"].as_string(), "block");
}

TEST(Launch, LongTextsGoThroughInitialize) {
  Options options;
  options.system_prompt.text = std::string(100'000, 'x');
  options.system_prompt.append = std::string(100'000, 'y');
  EXPECT_THAT(flags(options), ::testing::Not(HasSubstr("system-prompt")));
  EXPECT_EQ(initialize(options)["systemPrompt"][0].as_string().size(), 100'000U);
  EXPECT_EQ(initialize(options)["appendSystemPrompt"].as_string().size(), 100'000U);
}

TEST(Launch, EnvironmentIsMergedOrReplaced) {
  Options options;
  options.process.environment = {{"B", "2"}};
  options.transcript.file_checkpoints = true;
  options.process.client_app = "app/1";
  options.permissions.question_preview = QuestionPreview::html;
  auto plan =
      plan_launch(options, {{"A", "1"}, {"B", "1"}, {"CLAUDECODE", "1"}, {"DEBUG", "x"}}).value();
  EXPECT_THAT(plan.environment, Contains(Pair("A", "1")));
  EXPECT_THAT(plan.environment, Contains(Pair("B", "2")));
  EXPECT_THAT(plan.environment, Contains(Pair("CLAUDE_CODE_ENTRYPOINT", "sdk-cpp")));
  EXPECT_THAT(plan.environment, Contains(Pair("CLAUDE_AGENT_SDK_VERSION", std::string(kVersion))));
  EXPECT_THAT(plan.environment, Contains(Pair("CLAUDE_AGENT_SDK_CLIENT_APP", "app/1")));
  EXPECT_THAT(plan.environment,
              Contains(Pair("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING", "true")));
  EXPECT_THAT(plan.environment, Contains(Pair("CLAUDE_CODE_QUESTION_PREVIEW_FORMAT", "html")));
  EXPECT_THAT(plan.environment, ::testing::Not(Contains(Pair("CLAUDECODE", "1"))));
  EXPECT_THAT(plan.environment, ::testing::Not(Contains(Pair("DEBUG", "x"))));
  options.process.replace_environment = true;
  plan = plan_launch(options, {{"A", "1"}}).value();
  EXPECT_THAT(plan.environment, ::testing::Not(Contains(Pair("A", "1"))));
}

struct Contradiction {
  const char* option;
  void (*set)(Options&);
};
class Contradictions : public ::testing::TestWithParam<Contradiction> {};
TEST_P(Contradictions, AreRefused) {
  Options options;
  GetParam().set(options);
  const auto plan = plan_launch(options, {});
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code(), ErrorCode::invalid);
  EXPECT_EQ(plan.error().context(), GetParam().option);
}
INSTANTIATE_TEST_SUITE_P(
    All, Contradictions,
    ::testing::Values(
        Contradiction{"transcript.session_id",
                      [](Options& o) { o.transcript.session_id = "five"; }},
        Contradiction{"resume.id",
                      [](Options& o) {
                        o.resume.id = "a";
                        o.resume.latest = true;
                      }},
        Contradiction{"transcript.persist",
                      [](Options& o) {
                        o.transcript.persist = false;
                        o.transcript.store = std::make_shared<MemorySessionStore>();
                      }},
        Contradiction{"transcript.store",
                      [](Options& o) {
                        o.resume.latest = true;
                        o.transcript.store = std::make_shared<MemorySessionStore>();
                      }},
        Contradiction{"resume.fork", [](Options& o) { o.resume.fork = true; }},
        Contradiction{"resume.at", [](Options& o) { o.resume.at = "m"; }},
        Contradiction{"permissions.prompt_tool",
                      [](Options& o) {
                        o.permissions.prompt_tool = "t";
                        o.on_permission = [](const PermissionAsk&) { return allow(); };
                      }},
        Contradiction{"fallback_model", [](Options& o) { o.model = o.fallback_model = "m"; }},
        Contradiction{
            "on_dialog",
            [](Options& o) { o.on_dialog = [](const DialogAsk&) { return cancel_dialog(); }; }},
        Contradiction{"limits.handlers", [](Options& o) { o.limits.handlers = 0; }},
        Contradiction{"buffers.line_bytes", [](Options& o) { o.buffers.line_bytes = 0; }},
        Contradiction{"settings.skills", [](Options& o) { o.settings.skills = {{"a(b)"}}; }},
        Contradiction{"process.extra_flags",
                      [](Options& o) {
                        o.process.extra_flags = {{"--x", std::nullopt}};
                      }},
        Contradiction{"output_schema", [](Options& o) { o.output_schema = RawJson("3"); }},
        Contradiction{"tools.in_process",
                      [](Options& o) {
                        o.tools.in_process.emplace_back("a");
                        o.tools.in_process.emplace_back("a");
                      }},
        Contradiction{"settings.json", [](Options& o) { o.settings.json = RawJson("3"); }},
        Contradiction{"settings.json",
                      [](Options& o) {
                        o.settings.file = "/file";
                        o.settings.json = RawJson("{}");
                      }},
        Contradiction{"settings.sandbox", [](Options& o) {
                        o.settings.file = "/file";
                        o.settings.sandbox = RawJson("{}");
                      }}));

TEST(Launch, WarnsAboutAHandlerThatIsNotAsked) {
  Options options;
  options.on_permission = [](const PermissionAsk&) { return allow(); };
  options.tools.allowed = {"Bash"};
  EXPECT_THAT(planned(options).warnings, ::testing::SizeIs(1));
}

TEST(Launch, ReachesTheProcess) {
  const auto file = temporary_file("args");
  Options options = fake("args " + file.string() + "\ninit\neof");
  options.model = "opus";
  options.cwd = file.parent_path();
  Session session(options);
  ASSERT_TRUE(session.connect());
  const std::string seen = read_file(file).value_or("");
  EXPECT_THAT(seen, HasSubstr(std::string("--model=opus\0", 13)));
  EXPECT_THAT(seen, HasSubstr("CLAUDE_CODE_ENTRYPOINT=sdk-cpp"));
}

TEST(Launch, RunsAsAnotherUser) {
  Options unknown = fake("init\neof");
  unknown.process.user = "no such user";
  EXPECT_EQ(Session(unknown).connect().error().code(), ErrorCode::not_found);
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  // The CLI prints who it is, and what its home is.
  const ShellCli cli("id -un >&2; echo \"$HOME $USER $LOGNAME\" >&2");
  Options options;
  options.cli.program = cli.program();
  options.cwd = "/";
  options.process.user = "nobody";
  options.process.environment = {{"LOGNAME", "mine"}};
  Session session(options);
  const auto connected = session.connect();
  ASSERT_TRUE(connected) << connected.error().what() << session.stderr_tail();
  session.close();
  EXPECT_THAT(session.stderr_tail(), HasSubstr("nobody\n"));
  EXPECT_THAT(session.stderr_tail(), HasSubstr(" nobody mine\n"));
}

TEST(Discovery, FollowsItsOrderAndTellsWhy) {
  const auto nothing = [](const std::string&) -> std::optional<std::string> {
    return std::nullopt;
  };
  CliSearch search;
  const auto missing = find_cli(search, nothing);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code(), ErrorCode::not_found);
  EXPECT_THAT(missing.error().what(), HasSubstr("is in no folder of PATH"));
  search.fallbacks = {"/nowhere/agent", fake_cli()};
  EXPECT_EQ(find_cli(search, nothing)->program, fake_cli());
  EXPECT_EQ(find_cli(search, nothing)->found_by, "fallback");

  const auto variable = [](const std::string& name) -> std::optional<std::string> {
    if (name == "PARLEY_CLI") return fake_cli().string();
    if (name == "PATH") return "/usr/bin";
    return std::nullopt;
  };
  EXPECT_EQ(find_cli(search, variable)->found_by, "PARLEY_CLI");
  const auto wrong = [](const std::string& name) -> std::optional<std::string> {
    return name == "PARLEY_CLI" ? std::optional("/nowhere/cli") : std::nullopt;
  };
  EXPECT_FALSE(find_cli(search, wrong)) << "who names a CLI means it";
  search.program = "/bin/sh";
  EXPECT_EQ(find_cli(search, variable)->found_by, "given");
  search.program = "sh";
  EXPECT_EQ(find_cli(search, variable)->program, "/usr/bin/sh");
  search.program = "/etc/passwd";
  EXPECT_THAT(find_cli(search, variable).error().what(), HasSubstr("is not executable"));
}

/// An environment with nothing but a PATH: a folder with a program `npx`, and perhaps a CLI of a
/// name that no machine has installed.
class NpxDiscovery : public ::testing::Test {
 protected:
  NpxDiscovery() {
    fs::create_directories(folder_);
    provide("npx");
    fs::remove(folder_ / "npx-test-cli");
    search_.names = {"npx-test-cli"};
  }
  void provide(const std::string& program) const {
    std::ofstream(folder_ / program) << "#!/bin/sh\n"
                                     << "exec " << fake_cli().string() << " \"$@\"\n";
    fs::permissions(folder_ / program, fs::perms(0755));
  }
  [[nodiscard]] Result<CliCommand> found() const {
    return find_cli(search_, [this](const std::string& name) -> std::optional<std::string> {
      return name == "PATH" ? std::optional(folder_.string()) : std::nullopt;
    });
  }

  fs::path folder_ = temporary_file("npx-path");
  CliSearch search_;
};

TEST_F(NpxDiscovery, IsTheLastResortAndOnlyIfAllowed) {
  EXPECT_EQ(found().error().code(), ErrorCode::not_found);
  search_.allow_npx = true;
  search_.leading_arguments = {"for", "another"};
  EXPECT_EQ(found()->program, folder_ / "npx");
  EXPECT_EQ(found()->found_by, "npx");
  EXPECT_THAT(found()->leading_arguments, ElementsAre("-y", "@anthropic-ai/claude-code"));
  search_.npx_version = "2.1.325";
  EXPECT_THAT(found()->leading_arguments, ElementsAre("-y", "@anthropic-ai/claude-code@2.1.325"));
  provide("npx-test-cli");
  EXPECT_EQ(found()->program, folder_ / "npx-test-cli");
}

TEST_F(NpxDiscovery, MayComeBeforeWhatIsInstalled) {
  provide("npx-test-cli");
  search_.prefer_npx = true;
  search_.npx_package = "@musistudio/claude-code-router";
  search_.npx_version = "1.0.73";
  search_.npx_arguments = {"code"};
  EXPECT_EQ(found()->program, folder_ / "npx");
  EXPECT_THAT(found()->leading_arguments,
              ElementsAre("-y", "@musistudio/claude-code-router@1.0.73", "code"));
  fs::remove(folder_ / "npx");
  EXPECT_EQ(found()->program, folder_ / "npx-test-cli");
  EXPECT_TRUE(found()->leading_arguments.empty());
}

TEST_F(NpxDiscovery, RefusesWhatIsNoPackageOrVersion) {
  provide("npx-test-cli");
  search_.allow_npx = true;
  for (const char* name :
       {"",      "@",     "@scope", "@scope/",  "@/name",      "@a/b/c",        "a/b",    "../evil",
        "/evil", ".",     "-y",     "--call=x", "@a/-b",       "git+https://x", "http:x", "a b",
        "a;b",   "a@1.0", "a\nb",   "$(x)",     "n\xc3\xa4me", "file:x"}) {
    search_.npx_package = name;
    EXPECT_EQ(found().error().code(), ErrorCode::invalid) << name;
    EXPECT_EQ(found().error().context(), "npx_package") << name;
  }
  for (const char* name : {"claude", "@a/b", "@A-b.c/d_e~f", "0x"}) {
    search_.npx_package = name;
    EXPECT_TRUE(found()) << name;
  }
  for (const char* version :
       {" ", "1 2", "1/2", "-1", "https://x", "npm:other", "1@2", "1;x", "*"}) {
    search_.npx_version = version;
    EXPECT_EQ(found().error().code(), ErrorCode::invalid) << version;
    EXPECT_EQ(found().error().context(), "npx_version") << version;
  }
  for (const char* version : {"1", "1.0.73", "latest", "2.0.0-beta.1+build_5"}) {
    search_.npx_version = version;
    EXPECT_TRUE(found()) << version;
  }
}

TEST_F(NpxDiscovery, ASessionRunsBehindIt) {
  const auto saved = temporary_file("npx-arguments");
  Options options = fake("args " + saved.string() + "\ninit\nturns through npx");
  options.cli = search_;
  options.cli.prefer_npx = true;
  options.cli.npx_package = "@musistudio/claude-code-router";
  options.cli.npx_version = "1.0.73";
  options.cli.npx_arguments = {"code"};
  options.process.environment.emplace_back("PATH", folder_.string());
  Session session(options);
  const auto connected = session.connect();
  ASSERT_TRUE(connected) << connected.error().what();
  EXPECT_EQ(session.ask("Hello?").result(kPatience)->result, "through npx");
  std::ifstream stream(saved, std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(stream, word, '\0');) words.push_back(word);
  ASSERT_GE(words.size(), 5U);
  EXPECT_EQ(words[1], "-y");
  EXPECT_EQ(words[2], "@musistudio/claude-code-router@1.0.73");
  EXPECT_EQ(words[3], "code");
  EXPECT_THAT(words[4], ::testing::StartsWith("--"));
}

TEST(Discovery, ScriptsRunWithNode) {
  const auto script = temporary_file("cli.mjs");
  std::ofstream(script) << "//";
  CliSearch search;
  search.program = script.string();
  const auto command = find_cli(search).value();
  EXPECT_EQ(command.program, "node");
  EXPECT_EQ(command.leading_arguments.at(0), script.string());
}

TEST(Discovery, ReadsVersions) {
  EXPECT_EQ(CliVersion::parse("2.1.325 (Claude Code)"), (CliVersion{2, 1, 325}));
  EXPECT_FALSE(CliVersion::parse("hello"));
  EXPECT_LT((CliVersion{2, 1, 38}), (CliVersion{2, 1, 325}));
  EXPECT_EQ(ask_version({fake_cli(), {}, ""}).value(), (CliVersion{2, 1, 325}));
  EXPECT_FALSE(ask_version({"/bin/true", {}, ""}));
}

}  // namespace
}  // namespace parley::testing
