// What a verdict says besides yes and no, as the real CLI says it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "permission_fixture.hpp"
#include "wire/codec/codec.hpp"

namespace parley::agent {
namespace {

using ::testing::HasSubstr;
using Kind = Verdict::Kind;

class VerdictTest : public PermissionTest {
 protected:
  Verdict command(const std::string& text) {
    Intent intent;
    intent.kind = Intent::Kind::command;
    intent.command = text;
    return judge("Bash", intent);
  }
  Verdict file(Intent::Kind kind, const std::string& tool, const std::filesystem::path& path) {
    Intent intent;
    intent.kind = kind;
    intent.path = path;
    return judge(tool, intent);
  }
  Verdict read_file(const std::filesystem::path& path) {
    return file(Intent::Kind::read_file, "Read", path);
  }
  Verdict edit_file(const std::filesystem::path& path, const std::string& tool = "Write") {
    return file(Intent::Kind::edit_file, tool, path);
  }
  Verdict fetch(const std::string& url) {
    Intent intent;
    intent.kind = Intent::Kind::fetch;
    intent.url = url;
    return judge("WebFetch", intent);
  }
  Verdict judge(const std::string& tool, const Intent& intent) {
    auto setup = this->setup();
    setup.mode = mode;
    setup.rules = {rules};
    return Permissions(setup).judge(tool, RawJson("{}"), intent, work());
  }
  /// The suggestions as JSON, with the working folder as W.
  std::string suggestions(const Verdict& verdict) {
    if (!verdict.suggestions) return "none";
    std::string text = encode(*verdict.suggestions);
    for (auto at = text.find(work().string()); at != std::string::npos;
         at = text.find(work().string())) {
      text.replace(at, work().string().size(), "W");
    }
    return text;
  }

  PermissionMode mode = PermissionMode::default_;
  Permissions::Setup::Rules rules;
};

TEST_F(VerdictTest, SuggestsRuleFolderAndModeForACommandThatWrites) {
  const auto verdict = command("touch made.txt && echo done");
  EXPECT_EQ(verdict.kind, Kind::ask);
  EXPECT_EQ(
      suggestions(verdict),
      R"([{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"touch made.txt && echo done"}],"behavior":"allow","destination":"localSettings"},)"
      R"({"type":"addDirectories","directories":["W"],"destination":"session"},)"
      R"({"type":"setMode","mode":"acceptEdits","destination":"session"}])");
  EXPECT_EQ(verdict.blocked_path, (work() / "made.txt").string());
  EXPECT_EQ(verdict.reason_type, "");
  EXPECT_THAT(verdict.message,
              HasSubstr("needs approval. The path is inside the working directories"));
}

TEST_F(VerdictTest, SuggestsAPrefixWhereTheSecondWordIsASubcommand) {
  EXPECT_THAT(suggestions(command("git push origin")), HasSubstr(R"("ruleContent":"git push *")"));
  EXPECT_THAT(suggestions(command("touch s1")), HasSubstr(R"("ruleContent":"touch s1 *")"));
  EXPECT_THAT(suggestions(command("nohup make")), HasSubstr(R"("ruleContent":"nohup make")"));
  EXPECT_THAT(suggestions(command("bash -c ls")), HasSubstr(R"("ruleContent":"bash -c ls")"));
  EXPECT_THAT(suggestions(command("curl http://127.0.0.1:1/")),
              HasSubstr(R"("curl http://127.0.0.1:1/")"));
}

TEST_F(VerdictTest, NamesThePartsOfALineThatNeedApproval) {
  const auto verdict = command("echo out; echo err >&2; exit 3");
  EXPECT_EQ(verdict.reason_type, "subcommandResults");
  EXPECT_EQ(verdict.reason, "");
  EXPECT_EQ(
      suggestions(verdict),
      R"([{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"exit 3"}],"behavior":"allow","destination":"localSettings"}])");
  EXPECT_THAT(command("ls; make; git push").message, HasSubstr("require approval: make, git push"));
}

TEST_F(VerdictTest, SaysWhyACommandCannotBeChecked) {
  const auto variable = command("echo \"v=$MYVAR\"");
  EXPECT_EQ(variable.reason, "A variable in this command can't be checked before it runs");
  EXPECT_EQ(variable.reason_type, "other");
  EXPECT_EQ(suggestions(variable), "[]");
  const auto loop = command("for i in $(seq 60); do sleep 1; done");
  EXPECT_EQ(loop.reason_type, "subcommandResults");
  EXPECT_EQ(suggestions(loop), "none");
  EXPECT_EQ(command("for i in 1 2; do echo $i; sleep 1; done").reason, variable.reason);
  const auto background = command("ls &");
  EXPECT_EQ(background.reason_type, "safetyCheck");
  EXPECT_EQ(background.classifier_approvable, false);
  EXPECT_EQ(background.suppress_always_allow_rule, true);
}

TEST_F(VerdictTest, SuggestsReadingTheFolderOfAFileElsewhere) {
  const auto verdict = command("cat /etc/hostname");
  EXPECT_EQ(verdict.blocked_path, "/etc/hostname");
  EXPECT_THAT(suggestions(verdict), HasSubstr(R"({"toolName":"Read","ruleContent":"//etc/**"})"));
  EXPECT_THAT(suggestions(command("ls /etc")), HasSubstr(R"("ruleContent":"//etc/**")"));
}

TEST_F(VerdictTest, LeavesTheModeOutForARedirect) {
  const auto verdict = command("echo hi > out.txt");
  EXPECT_EQ(
      suggestions(verdict),
      R"([{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"echo hi *"}],"behavior":"allow","destination":"localSettings"},)"
      R"({"type":"addDirectories","directories":["W"],"destination":"session"}])");
}

TEST_F(VerdictTest, TellsRefusalByRuleFromRefusalByMode) {
  rules.deny = {"Bash(touch:*)"};
  EXPECT_EQ(command("touch x").message,
            "Permission to use Bash with command touch x has been denied.");
  EXPECT_EQ(command("touch x").reason_type, "subcommandResults");
  mode = PermissionMode::dontAsk;
  const auto verdict = command("curl x");
  EXPECT_EQ(verdict.kind, Kind::deny);
  EXPECT_EQ(verdict.reason_type, "mode");
  EXPECT_THAT(verdict.message,
              HasSubstr("Permission to use Bash has been denied because Claude Code is "
                        "running in don't ask mode."));
}

TEST_F(VerdictTest, NamesTheSourceOfAnAskRule) {
  rules.from = PermissionDestination::projectSettings;
  rules.ask = {"Bash(ls:*)"};
  const auto verdict = command("ls");
  EXPECT_EQ(verdict.reason_type, "rule");
  EXPECT_EQ(verdict.rule_source, PermissionDestination::projectSettings);
  EXPECT_EQ(verdict.policy_ask_only, false);
  EXPECT_EQ(suggestions(verdict), "none");
}

TEST_F(VerdictTest, ReadsInsideAndAsksOutside) {
  EXPECT_EQ(read_file(work() / "a.txt").kind, Kind::allow);
  EXPECT_EQ(read_file(work() / "inner/x.c").kind, Kind::allow);
  for (const auto& path : {work() / "out/hostname", work() / "shadow", root() / "elsewhere/file",
                           work() / "../elsewhere/file"}) {
    EXPECT_EQ(read_file(path).kind, Kind::ask) << path;
  }
  const auto verdict = read_file("/etc/hosts");
  EXPECT_EQ(verdict.reason_type, "workingDir");
  EXPECT_EQ(verdict.reason, "Path is outside allowed working directories");
  EXPECT_EQ(verdict.policy_ask_only, true);
  EXPECT_EQ(
      suggestions(verdict),
      R"([{"type":"addRules","rules":[{"toolName":"Read","ruleContent":"//etc/**"}],"behavior":"allow","destination":"session"}])");
}

TEST_F(VerdictTest, AsksBeforeEditsUnlessTheyAreAccepted) {
  auto verdict = edit_file(work() / "new.txt");
  EXPECT_EQ(verdict.kind, Kind::ask);
  EXPECT_EQ(suggestions(verdict),
            R"([{"type":"setMode","mode":"acceptEdits","destination":"session"}])");
  EXPECT_EQ(verdict.reason_type, "");
  EXPECT_EQ(verdict.policy_ask_only, true);
  EXPECT_EQ(edit_file(work() / "n.ipynb", "NotebookEdit").policy_ask_only, std::nullopt);
  verdict = edit_file("/tmp/other/foo.txt");
  EXPECT_EQ(suggestions(verdict),
            R"([{"type":"setMode","mode":"acceptEdits","destination":"session"},)"
            R"({"type":"addDirectories","directories":["/tmp/other"],"destination":"session"}])");
  EXPECT_EQ(verdict.reason_type, "workingDir");
  mode = PermissionMode::acceptEdits;
  EXPECT_EQ(edit_file(work() / "new.txt").kind, Kind::allow);
  EXPECT_EQ(edit_file(work() / "inner/new.txt").kind, Kind::allow);
  for (const auto* name : {"out/x", "nowhere", "shadow", "../x"}) {
    EXPECT_EQ(edit_file((work() / name).lexically_normal()).kind, Kind::ask) << name;
  }
}

TEST_F(VerdictTest, ProtectsWhatTheRealCliProtects) {
  // Found by asking it to write each of some 500 names in acceptEdits.
  mode = PermissionMode::acceptEdits;
  for (const auto* name : {".bashrc",
                           ".bash_profile",
                           ".bash_login",
                           ".bash_logout",
                           ".bash_aliases",
                           ".profile",
                           ".zshrc",
                           ".zprofile",
                           ".zshenv",
                           ".zlogin",
                           ".zlogout",
                           ".gitconfig",
                           ".gitmodules",
                           ".mcp.json",
                           ".claude.json",
                           ".ripgreprc",
                           ".envrc",
                           ".npmrc",
                           ".yarnrc",
                           ".yarnrc.yml",
                           ".pnpmfile.cjs",
                           ".pnp.cjs",
                           ".pnp.loader.mjs",
                           ".pre-commit-config.yaml",
                           ".bazelrc",
                           ".bazelversion",
                           ".bazeliskrc",
                           ".cargo",
                           ".cargo/config.toml",
                           ".cargo/x",
                           ".config/git",
                           ".config/git/config",
                           ".config/git/hooks/x",
                           ".mvn",
                           ".mvn/wrapper/maven-wrapper.properties",
                           ".vscode/tasks.json",
                           ".idea/workspace.xml",
                           ".husky/_/x",
                           "lefthook.yml",
                           ".lefthook.yml",
                           "lefthook.yaml",
                           ".lefthook.yaml",
                           ".config/lefthook.yml",
                           ".devcontainer.json",
                           ".devcontainer/devcontainer.json",
                           ".yarn/releases/x.cjs",
                           ".git",
                           ".claude/agents/x.md",
                           "bunfig.toml",
                           ".bunfig.toml",
                           "gradle/wrapper/gradle-wrapper.properties",
                           "dir/.bazelrc",
                           "dir/.cargo/config.toml",
                           "dir/.config/git/config",
                           "dir/lefthook.yml",
                           ".BASHRC",
                           ".Cargo/x",
                           "LEFTHOOK.YML"}) {
    EXPECT_EQ(edit_file(work() / name).kind, Kind::ask) << name;
  }
  for (const auto* name :
       {".gitignore", ".gitattributes", ".config/x", ".config/gitx", "git/config",
        "cargo/config.toml", ".npmrc.bak", "x.npmrc", ".github/workflows/ci.yml", "Makefile",
        "package.json", ".env", ".gitx", "lefthook/x", ".claudex/x", "CLAUDE.md"}) {
    EXPECT_EQ(edit_file(work() / name).kind, Kind::allow) << name;
  }
}

TEST_F(VerdictTest, ProtectsFilesThatDecideWhatRunsLater) {
  mode = PermissionMode::acceptEdits;
  link(".git", "innocent");
  for (const auto* name :
       {".git/config", ".GIT/config", "src/.git/hooks/x", ".claude/x.md", ".bashrc",
        ".vscode/settings.json", ".mcp.json", ".gitconfig", "innocent/config"}) {
    const auto verdict = edit_file(work() / name);
    EXPECT_EQ(verdict.kind, Kind::ask) << name;
    EXPECT_EQ(verdict.reason_type, "safetyCheck") << name;
    EXPECT_EQ(verdict.classifier_approvable, true);
    EXPECT_EQ(suggestions(verdict), "[]") << name;
    EXPECT_THAT(verdict.reason, HasSubstr("which is a sensitive file.")) << name;
  }
  EXPECT_THAT(edit_file(work() / ".claude/settings.json").reason,
              HasSubstr("but you haven't granted it yet."));
  rules.allow = {"Edit"};
  EXPECT_EQ(edit_file(work() / ".git/config").kind, Kind::ask);
  EXPECT_EQ(edit_file(work() / "x").kind, Kind::allow);
  mode = PermissionMode::bypassPermissions;
  EXPECT_EQ(edit_file(work() / ".git/config").kind, Kind::allow);
}

TEST_F(VerdictTest, FollowsPathRules) {
  rules.allow = {"Edit(src/**)", "Read(//etc/hosts)", "Read(~/notes/**)"};
  rules.deny = {"Read(*.pem)", "Edit(deny/**)"};
  EXPECT_EQ(edit_file(work() / "src/x.c").kind, Kind::allow);
  EXPECT_EQ(edit_file(work() / "src/deep/x.c", "Edit").kind, Kind::allow);
  EXPECT_EQ(edit_file(work() / "inner/x.c").kind, Kind::allow);
  EXPECT_EQ(edit_file(work() / "a.txt").kind, Kind::ask);
  EXPECT_EQ(edit_file(work() / "deny/x.c").kind, Kind::deny);
  EXPECT_EQ(edit_file(work() / "deny/x.c").message,
            "File is in a directory that is denied by your permission settings.");
  EXPECT_EQ(read_file(work() / "deny/x.c").kind, Kind::allow);
  EXPECT_EQ(read_file("/etc/hosts").kind, Kind::allow);
  EXPECT_EQ(read_file("/etc/hostname").kind, Kind::ask);
  EXPECT_EQ(read_file(home() / "notes/a").kind, Kind::allow);
  EXPECT_EQ(read_file(work() / "src/deep/key.pem").kind, Kind::deny);
  // A link inside an allowed folder does not open what it leads to.
  link("/etc/hostname", "src/leak");
  EXPECT_EQ(read_file(work() / "src/leak").kind, Kind::ask);
  EXPECT_EQ(edit_file(work() / "src/leak").kind, Kind::ask);
}

TEST_F(VerdictTest, ComparesHostsNotText) {
  rules.allow = {"WebFetch(domain:example.com)", "WebFetch(domain:*.good.org)"};
  rules.deny = {"WebFetch(domain:bad.example.com)"};
  EXPECT_EQ(fetch("http://example.com/x").kind, Kind::allow);
  EXPECT_EQ(fetch("https://EXAMPLE.com:8443?q").kind, Kind::allow);
  EXPECT_EQ(fetch("https://a.good.org/").kind, Kind::allow);
  EXPECT_EQ(fetch("http://bad.example.com/x").kind, Kind::deny);
  EXPECT_EQ(fetch("http://bad.example.com./x").kind, Kind::deny);
  EXPECT_EQ(fetch("http://bad.example.com/x").message,
            "WebFetch denied access to domain:bad.example.com.");
  for (const auto* url :
       {"http://example.com@evil.org/", "http://evil.org/example.com",
        "http://evil.org#example.com", "http://example.com.evil.org/", "http://evilexample.com",
        "file:///etc/passwd", "http://evil.org\\@example.com", "http://good.org/", "example.com"}) {
    EXPECT_EQ(fetch(url).kind, Kind::ask) << url;
  }
  rules = {};
  EXPECT_EQ(
      suggestions(fetch("http://127.0.0.1:8899/x")),
      R"([{"type":"addRules","rules":[{"toolName":"WebFetch","ruleContent":"domain:127.0.0.1"}],"behavior":"allow","destination":"localSettings"}])");
}

TEST_F(VerdictTest, RemovesToolsThatAreDeniedAsAWhole) {
  const auto removed = [&](std::string_view tool) {
    auto given = setup();
    given.rules.push_back(rules);
    return Permissions(given).removed(tool);
  };
  rules.deny = {"Bash", "Read(src/secret.c)"};
  EXPECT_TRUE(removed("Bash"));
  EXPECT_FALSE(removed("Read"));
  // A star is every tool, where it forbids: the model is not offered what it may never use.
  rules.deny = {"*"};
  EXPECT_TRUE(removed("Bash"));
  EXPECT_TRUE(removed("mcp__calc__add"));
  rules.deny = {};
  rules.ask = {"*"};
  EXPECT_FALSE(removed("Bash"));
}

TEST_F(VerdictTest, HidesDeniedFilesFromSearches) {
  const auto hidden = [&](std::string_view tool, const std::filesystem::path& file) {
    auto given = setup();
    given.rules.push_back(rules);
    const auto filter = Permissions(given).hidden_from(tool);
    return filter && filter(file);
  };
  EXPECT_FALSE(hidden("Grep", work() / "a.txt"));
  rules.deny = {"Read(src/secret.c)", "Read(deny/**)", "Grep(a.txt)", "Bash(ls:*)"};
  rules.ask = {"Read(src/x.c)"};
  EXPECT_TRUE(hidden("Grep", work() / "src/secret.c"));
  EXPECT_TRUE(hidden("Glob", work() / "deny/x.c"));
  // By the name of a link, and by where it leads.
  EXPECT_TRUE(hidden("Grep", work() / "inner/secret.c"));
  EXPECT_TRUE(hidden("Grep", work() / "a.txt"));
  EXPECT_FALSE(hidden("Glob", work() / "a.txt"));
  EXPECT_FALSE(hidden("Grep", work() / "src/x.c"));
}

TEST_F(VerdictTest, ReadsAddressesAsTheRequestDoes) {
  rules.allow = {"WebFetch(domain:allowed.example)", "WebFetch(domain:m\u00fcnchen.example)"};
  rules.deny = {"WebFetch(domain:127.0.0.1)"};
  for (const auto* url :
       {"http://allowed.example/", "http://allowed.example", "HTTP://ALLOWED.example/",
        "http://allowed.example.:8080/x", "http://allowed%2eexample/",
        "http://allowed.example?@127.0.0.1/", "http://allowed.example#@127.0.0.1/",
        "http://allowed.example/\\@127.0.0.1/", "https://m\u00fcnchen.example/",
        "https://xn--mnchen-3ya.example/"}) {
    EXPECT_EQ(fetch(url).kind, Kind::allow) << url;
  }
  for (const auto* url :
       {"http://allowed.example\\@127.0.0.1/", "http://allowed.example\\\\@127.0.0.1/",
        "HTTP://allowed.example\\@127.0.0.1/", "http://allowed.example:80\\@127.0.0.1/",
        "http://allowed.example@127.0.0.1/", "http://allowed.example:x@127.0.0.1/",
        "http://allowed.example%2f@127.0.0.1/", "http://0x7f.1/", "http://2130706433/",
        "http://127.0.0.1./", "http://%31%32%37.0.0.1/", "http://127.1/"}) {
    EXPECT_EQ(fetch(url).kind, Kind::deny) << url;
  }
  for (const auto* url : {"http://user@allowed.example/",
                          "http://allowed.example:pass@allowed.example/",
                          "http://allowed.example\t@127.0.0.1/",
                          "http://allowed.exa\nmple/",
                          "http://allowed.example\t/",
                          "http://allowed.example /",
                          "http://allowed.example%00/",
                          "http://allowed.example%0a/",
                          "http://allowed.example%2f.evil.org/",
                          "http://allowed.example..",
                          "http://.allowed.example/",
                          "http://allowed.example\\.evil.org/",
                          "http://allowed.example;evil.org/",
                          "http://allowed.example:99999/",
                          "http://allowed.example:80:80/",
                          "http://[::1]/",
                          "http://[::1%25allowed.example]/",
                          "http://[allowed.example]/",
                          "http:/\\allowed.example/",
                          "http:allowed.example",
                          "ftp://allowed.example/",
                          "//allowed.example/",
                          "http://",
                          "http:///x",
                          "http://allowed.example.evil.org/",
                          "http://xn--mnchen-3ya.example.evil.org/"}) {
    EXPECT_EQ(fetch(url).kind, Kind::ask) << url;
  }
  // Nor does a rule for the whole tool in front of a denied host.
  rules.allow = {"WebFetch"};
  EXPECT_EQ(fetch("http://a@127.0.0.1/").kind, Kind::deny);
}

TEST_F(VerdictTest, AsksAboutToolsOfServersAndQuestions) {
  const auto verdict = judge("mcp__calc__add", {});
  EXPECT_EQ(verdict.kind, Kind::ask);
  EXPECT_EQ(
      suggestions(verdict),
      R"([{"type":"addRules","rules":[{"toolName":"mcp__calc__add"}],"behavior":"allow","destination":"localSettings"}])");
  EXPECT_EQ(verdict.policy_ask_only, true);
  rules.allow = {"mcp__calc"};
  EXPECT_EQ(judge("mcp__calc__add", {}).kind, Kind::allow);
  EXPECT_EQ(judge("mcp__calculator__add", {}).kind, Kind::ask);
  Intent question;
  question.kind = Intent::Kind::ask_user;
  for (const auto each :
       {PermissionMode::default_, PermissionMode::acceptEdits, PermissionMode::bypassPermissions}) {
    mode = each;
    EXPECT_EQ(judge("AskUserQuestion", question).kind, Kind::ask);
    EXPECT_EQ(suggestions(judge("AskUserQuestion", question)), "none");
    EXPECT_EQ(judge("TodoWrite", {}).kind, Kind::allow);
  }
  mode = PermissionMode::dontAsk;
  EXPECT_EQ(judge("AskUserQuestion", question).kind, Kind::deny);
}

TEST_F(VerdictTest, ThePlanIsWrittenUnaskedInEveryModeAndNothingBesideIt) {
  const auto plan = home() / ".claude/plans/one.md";
  std::filesystem::create_directories(plan.parent_path());
  auto setup = this->setup();
  setup.plan_file = plan;
  for (const auto each :
       {PermissionMode::default_, PermissionMode::plan, PermissionMode::dontAsk}) {
    setup.mode = each;
    const Permissions permissions(setup);
    const auto verdict = [&](Intent::Kind kind, const std::filesystem::path& path) {
      Intent intent;
      intent.kind = kind;
      intent.path = path;
      return permissions
          .judge(kind == Intent::Kind::edit_file ? "Write" : "Read", RawJson("{}"), intent, work())
          .kind;
    };
    EXPECT_EQ(verdict(Intent::Kind::edit_file, plan), Verdict::Kind::allow);
    EXPECT_EQ(verdict(Intent::Kind::read_file, plan), Verdict::Kind::allow);
    EXPECT_NE(verdict(Intent::Kind::edit_file, plan.parent_path() / "two.md"),
              Verdict::Kind::allow);
    // Something else put in its place.
    std::filesystem::create_symlink(home() / ".bashrc", plan);
    EXPECT_NE(verdict(Intent::Kind::edit_file, plan), Verdict::Kind::allow);
    std::filesystem::remove(plan);
  }
}

TEST_F(VerdictTest, EditsNothingInPlanModeUnasked) {
  mode = PermissionMode::plan;
  const auto verdict = edit_file(work() / "x");
  EXPECT_EQ(verdict.kind, Kind::ask);
  EXPECT_EQ(verdict.reason_type, "mode");
  EXPECT_EQ(suggestions(verdict), "none");
  EXPECT_EQ(command("ls").kind, Kind::allow);
  EXPECT_EQ(command("touch x").kind, Kind::ask);
}

}  // namespace
}  // namespace parley::agent
