// Slash commands that are kept across sessions: who fills the cache, when a CLI is started for it,
// and which sessions share it.
#include <atomic>
#include <fstream>
#include <thread>

#include "client/shared/command_cache.hpp"
#include "support.hpp"

namespace parley::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Commands : public ::testing::Test {
 protected:
  Commands() { std::ofstream(starts_).close(); }

  /// A CLI with these commands, which counts how often it is started. `then` goes on after
  /// `initialize`.
  [[nodiscard]] Options cli(const std::string& commands,
                            const std::string& then = "turns Hello") const {
    Options options =
        fake("expect \"subtype\":\"initialize\"\nout " + initialized(commands) + "\n" + then);
    options.cli.program = counting_cli().string();
    return options;
  }
  static std::string initialized(const std::string& commands) {
    return R"({"type":"control_response","response":{"subtype":"success","request_id":"$ID",)"
           R"("response":{"commands":)" +
           commands + "}}}";
  }
  static std::string named(const std::string& name) {
    return R"([{"name":")" + name + R"(","description":"d","argumentHint":""}])";
  }
  [[nodiscard]] std::size_t starts() const { return read_lines(starts_).size(); }

  static std::vector<std::string> names(const std::vector<SlashCommand>& commands) {
    std::vector<std::string> all;
    for (const SlashCommand& command : commands) all.push_back(command.name);
    return all;
  }
  std::vector<std::string> names(const Result<std::vector<SlashCommand>>& commands) const {
    EXPECT_TRUE(commands) << commands.error().what();
    return commands ? names(*commands) : std::vector<std::string>{};
  }

  CommandCache cache_{1h};

 private:
  /// Writes a line for each start, and is the fake CLI then.
  [[nodiscard]] std::filesystem::path counting_cli() const {
    const auto program = temporary_file("counting-cli");
    std::ofstream(program) << "#!/bin/sh\necho started >>" << starts_.string() << "\nexec "
                           << fake_cli().string() << " \"$@\"\n";
    std::filesystem::permissions(program, std::filesystem::perms(0755));
    return program;
  }
  std::filesystem::path starts_ = temporary_file("starts");
};

TEST_F(Commands, AreAskedForOnce) {
  const Options options = cli(named("review"));
  EXPECT_FALSE(cache_.kept(options));
  const auto commands = cache_.commands(options);
  EXPECT_THAT(names(commands), ElementsAre("review"));
  EXPECT_EQ((*commands)[0].description, "d");
  EXPECT_THAT(names(cache_.commands(options)), ElementsAre("review"));
  EXPECT_THAT(names(*cache_.kept(options)), ElementsAre("review"));
  EXPECT_EQ(starts(), 1U);
}

TEST_F(Commands, AreAskedForAgainWhenTheyAreOld) {
  CommandCache always(0ms);
  const Options options = cli(named("review"));
  EXPECT_THAT(names(always.commands(options)), ElementsAre("review"));
  EXPECT_THAT(names(always.commands(options)), ElementsAre("review"));
  EXPECT_EQ(starts(), 2U);
  EXPECT_TRUE(always.kept(options)) << "however old";
}

TEST_F(Commands, AreForgotten) {
  const Options options = cli(named("review"));
  (void)cache_.commands(options);
  cache_.forget();
  EXPECT_FALSE(cache_.kept(options));
  (void)cache_.commands(options);
  EXPECT_EQ(starts(), 2U);
}

TEST_F(Commands, ASessionFillsTheCache) {
  const auto shared = std::make_shared<CommandCache>(1h);
  Options options = cli(named("review"));
  options.delivery.command_cache = shared;
  Session session(options);
  ASSERT_TRUE(session.connect());
  EXPECT_THAT(names(shared->commands(options)), ElementsAre("review"));
  EXPECT_EQ(starts(), 1U);
}

TEST_F(Commands, ASessionTellsOfChanges) {
  const auto shared = std::make_shared<CommandCache>(1h);
  Options options = cli(
      named("review"),
      "expect user\nout {\"type\":\"system\",\"subtype\":\"commands_changed\",\"commands\":" +
          named("deploy") +
          "}\nout {\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"x\"}"
          "\nreply reload_plugins {\"commands\":" +
          named("plugged") + "}\nserve Hello");
  options.delivery.command_cache = shared;
  Session session(options);
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(session.ask("go").result(kPatience));
  EXPECT_THAT(names(shared->commands(options)), ElementsAre("deploy"));
  ASSERT_TRUE(session.settings().reload_plugins());
  EXPECT_THAT(names(shared->commands(options)), ElementsAre("plugged"));
  EXPECT_EQ(starts(), 1U);
}

TEST_F(Commands, AreSharedByThoseThatDifferInOtherThings) {
  Options options = cli(named("review"));
  (void)cache_.commands(options);
  options.model = "another";
  options.limits.max_turns = 3;
  options.resume.id = "8e5c3a9e-0d0f-4a75-9d3c-6f1f5c6c2a11";
  options.permissions.mode = PermissionMode::plan;
  options.on_permission = [](const PermissionAsk&) { return allow(); };
  EXPECT_TRUE(cache_.kept(options));
}

TEST_F(Commands, OfAnotherConfigurationAreOthers) {
  const Options options = cli(named("review"));
  (void)cache_.commands(options);
  const auto differs = [&](const char* what, const std::function<void(Options&)>& change) {
    Options other = options;
    change(other);
    EXPECT_FALSE(cache_.kept(other)) << what;
  };
  differs("cli", [](Options& o) { o.cli.program = "/bin/true"; });
  differs("arguments", [](Options& o) { o.cli.leading_arguments = {"code"}; });
  differs("npx", [](Options& o) { o.cli.npx_version = "1"; });
  differs("cwd", [](Options& o) { o.cwd = "/"; });
  differs("environment", [](Options& o) { o.process.environment.emplace_back("A", "b"); });
  differs("user", [](Options& o) { o.process.user = "nobody"; });
  differs("plugins", [](Options& o) {
    PluginConfig plugin;
    plugin.path = "/plugin";
    o.settings.plugins.push_back(plugin);
  });
  differs("skills", [](Options& o) { o.settings.skills.emplace(1, "one"); });
  differs("settings", [](Options& o) { o.settings.json = RawJson(R"({"a":1})"); });
  differs("sources", [](Options& o) { o.settings.sources.emplace(); });
  differs("folders", [](Options& o) { o.permissions.additional_directories = {"/srv"}; });
  differs("flags", [](Options& o) { o.process.extra_flags = {{"flag", "value"}}; });
}

TEST_F(Commands, SeveralThreadsStartOneCli) {
  const Options options = cli(named("review"));
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      const auto commands = cache_.commands(options);
      if (commands && commands->size() == 1) ++right;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 8);
  EXPECT_EQ(starts(), 1U);
}

TEST_F(Commands, AFailureIsToldAndNotKept) {
  Options options = fake("exit 3");
  const auto failed = cache_.commands(options);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code(), ErrorCode::process);
  EXPECT_FALSE(cache_.kept(options));
  options.cli.program = "/nowhere/cli";
  EXPECT_EQ(cache_.commands(options).error().code(), ErrorCode::not_found);
  options.settings.json = RawJson("{no json");
  options.cli.program = fake_cli().string();
  EXPECT_FALSE(cache_.commands(options));
}

TEST_F(Commands, ACliWithoutCommandsHasNone) {
  const Options options = fake("init\nturns Hello");
  EXPECT_THAT(names(cache_.commands(options)), IsEmpty());
  EXPECT_TRUE(cache_.kept(options));
}

TEST_F(Commands, TheOldestConfigurationGoes) {
  Options options = fake("");
  const auto in_folder = [&](std::size_t number) {
    options.cwd = "/" + std::to_string(number);
    return options;
  };
  for (std::size_t i = 0; i <= CommandCache::kMostEntries; ++i) cache_.put(in_folder(i), {});
  EXPECT_FALSE(cache_.kept(in_folder(0)));
  EXPECT_TRUE(cache_.kept(in_folder(1)));
  EXPECT_TRUE(cache_.kept(in_folder(CommandCache::kMostEntries)));
}

}  // namespace
}  // namespace parley::testing
