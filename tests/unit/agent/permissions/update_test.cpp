// Changes to rules, mode and folders: in memory at once, in the file they name, all or none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "permission_fixture.hpp"
#include "wire/codec/codec.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;

class UpdateTest : public PermissionTest {
 protected:
  static std::vector<PermissionUpdate> updates(const std::string& json) {
    return decode<std::vector<PermissionUpdate>>(json).value();
  }
  static Verdict::Kind command(const Permissions& permissions, const std::string& text,
                               const fs::path& cwd) {
    Intent intent;
    intent.kind = Intent::Kind::command;
    intent.command = text;
    return permissions.judge("Bash", RawJson("{}"), intent, cwd).kind;
  }
  static std::string content(const fs::path& file) {
    return Json::parse(read(file)).value().dump();
  }
  fs::path local() const { return work() / ".claude/settings.local.json"; }
  static constexpr const char* kAllowTouch =
      R"j([{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"touch:*"}],"behavior":"allow","destination":"localSettings"}])j";
};

TEST_F(UpdateTest, TakesEffectAtOnceAndIsWritten) {
  const auto* written = R"j({"permissions":{"allow":["Bash(touch:*)"]}})j";
  Permissions permissions(setup());
  EXPECT_EQ(command(permissions, "touch x", work()), Verdict::Kind::ask);
  ASSERT_TRUE(permissions.apply(updates(kAllowTouch)).ok());
  EXPECT_EQ(command(permissions, "touch x", work()), Verdict::Kind::allow);
  EXPECT_EQ(content(local()), written);
  ASSERT_TRUE(permissions.apply(updates(kAllowTouch)).ok());
  EXPECT_EQ(content(local()), written);
  EXPECT_EQ(permissions.list().size(), 1U);
}

TEST_F(UpdateTest, WritesEachDestinationWhereItBelongs) {
  Permissions permissions(setup());
  ASSERT_TRUE(
      permissions
          .apply(updates(
              R"j([{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"rm:*"}],"behavior":"deny","destination":"projectSettings"},)j"
              R"j({"type":"addRules","rules":[{"toolName":"Read"}],"behavior":"ask","destination":"userSettings"},)j"
              R"j({"type":"addDirectories","directories":["/var/tmp"],"destination":"localSettings"},)j"
              R"j({"type":"addRules","rules":[{"toolName":"WebFetch"}],"behavior":"allow","destination":"session"}])j"))
          .ok());
  EXPECT_EQ(content(work() / ".claude/settings.json"),
            R"j({"permissions":{"deny":["Bash(rm:*)"]}})j");
  EXPECT_EQ(content(home() / ".claude/settings.json"), R"j({"permissions":{"ask":["Read"]}})j");
  EXPECT_EQ(content(local()), R"j({"permissions":{"additionalDirectories":["/var/tmp"]}})j");
  EXPECT_EQ(permissions.folders().back(), "/var/tmp");
  EXPECT_EQ(permissions.list().size(), 3U);
}

TEST_F(UpdateTest, KeepsEverythingElseInTheFile) {
  write(
      local(),
      R"j({"model":"m","permissions":{"deny":["Bash(x)"],"allow":["A","Bash(touch:*)"],"other":1.50},"hooks":{}})j");
  fs::permissions(local(), fs::perms::owner_read | fs::perms::owner_write);
  Permissions permissions(setup());
  const auto changes = updates(
      R"j([{"type":"removeRules","rules":[{"toolName":"Bash","ruleContent":"touch:*"}],"behavior":"allow","destination":"localSettings"},)j"
      R"j({"type":"replaceRules","rules":[{"toolName":"B"}],"behavior":"deny","destination":"localSettings"}])j");
  ASSERT_TRUE(permissions.apply(changes).ok());
  EXPECT_EQ(
      content(local()),
      R"j({"model":"m","permissions":{"deny":["B"],"allow":["A"],"other":1.50},"hooks":{}})j");
  EXPECT_EQ(fs::status(local()).permissions() & fs::perms::mask,
            fs::perms::owner_read | fs::perms::owner_write);
  // Nothing is left beside it.
  EXPECT_EQ(std::distance(fs::directory_iterator(local().parent_path()), fs::directory_iterator()),
            1);
}

TEST_F(UpdateTest, SetsTheMode) {
  Permissions permissions(setup());
  const auto mode = permissions.apply(
      updates(R"j([{"type":"setMode","mode":"acceptEdits","destination":"session"}])j"));
  ASSERT_TRUE(mode.ok());
  EXPECT_EQ(*mode, PermissionMode::acceptEdits);
  EXPECT_EQ(permissions.mode(), PermissionMode::acceptEdits);
  EXPECT_EQ(command(permissions, "touch x", work()), Verdict::Kind::allow);
  EXPECT_FALSE(
      permissions
          .apply(updates(
              R"j([{"type":"setMode","mode":"bypassPermissions","destination":"session"}])j"))
          .ok());
  EXPECT_EQ(permissions.set_mode(Enum<PermissionMode>("nonsense")).error().context(),
            "invalid_mode");
  EXPECT_EQ(permissions.set_mode(PermissionMode::bypassPermissions).error().context(),
            "bypass_not_launched");
  auto open = setup();
  open.bypass_available = true;
  EXPECT_TRUE(Permissions(open).set_mode(PermissionMode::bypassPermissions).ok());
}

TEST_F(UpdateTest, OpensAndClosesFolders) {
  Permissions permissions(setup());
  const auto text = "cat " + (root() / "elsewhere/file").string();
  const auto add = R"j([{"type":"addDirectories","directories":[")j" +
                   (root() / "elsewhere").string() + R"j("],"destination":"session"}])j";
  EXPECT_EQ(command(permissions, text, work()), Verdict::Kind::ask);
  ASSERT_TRUE(permissions.apply(updates(add)).ok());
  EXPECT_EQ(command(permissions, text, work()), Verdict::Kind::allow);
  auto remove = add;
  remove.replace(remove.find("add"), 3, "remove");
  ASSERT_TRUE(permissions.apply(updates(remove)).ok());
  EXPECT_EQ(command(permissions, text, work()), Verdict::Kind::ask);
}

TEST_F(UpdateTest, TakesAllOrNothing) {
  Permissions permissions(setup());
  for (
      const auto* bad :
      {R"j({"type":"later","destination":"session"})j",
       R"j({"type":"addRules","rules":[{"toolName":""}],"behavior":"allow","destination":"session"})j",
       R"j({"type":"addRules","rules":[{"toolName":"A"}],"behavior":"maybe","destination":"session"})j",
       R"j({"type":"addRules","rules":[{"toolName":"A"}],"behavior":"allow","destination":"moon"})j",
       R"j({"type":"addDirectories","directories":[""],"destination":"session"})j"}) {
    std::string list = kAllowTouch;
    list.insert(list.size() - 1, std::string(",") + bad);
    EXPECT_FALSE(permissions.apply(updates(list)).ok()) << bad;
    EXPECT_TRUE(permissions.list().empty());
    EXPECT_FALSE(fs::exists(local()));
  }
}

TEST_F(UpdateTest, LeavesABrokenFileAlone) {
  Permissions permissions(setup());
  for (const auto* broken : {"{\"permissions\":", "[1]", "\"x\"", "{\"permissions\":[]}",
                             "{\"permissions\":{\"allow\":{}}}"}) {
    write(local(), broken);
    EXPECT_FALSE(permissions.apply(updates(kAllowTouch)).ok()) << broken;
    EXPECT_EQ(read(local()), broken);
    EXPECT_TRUE(permissions.list().empty());
  }
  write(local(), "");
  EXPECT_TRUE(permissions.apply(updates(kAllowTouch)).ok());
}

TEST_F(UpdateTest, WritesThroughNoLink) {
  Permissions permissions(setup());
  const auto target = root() / "elsewhere/settings.local.json";
  write(target, "{}");
  fs::create_directories(work() / ".claude");
  fs::create_symlink(target, local());
  EXPECT_EQ(permissions.apply(updates(kAllowTouch)).error().code(), ErrorCode::permission);
  EXPECT_EQ(read(target), "{}");
  fs::remove_all(work() / ".claude");
  fs::create_directory_symlink(root() / "elsewhere", work() / ".claude");
  EXPECT_EQ(permissions.apply(updates(kAllowTouch)).error().code(), ErrorCode::permission);
  EXPECT_EQ(read(target), "{}");
}

TEST_F(UpdateTest, IsSafeFromManyThreads) {
  Permissions permissions(setup());
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int n = 0; n < 10; ++n) {
        const auto name = std::to_string(i) + "-" + std::to_string(n);
        EXPECT_TRUE(
            permissions
                .apply(updates(R"j([{"type":"addRules","rules":[{"toolName":"T)j" + name +
                               R"j("}],"behavior":"allow","destination":"localSettings"}])j"))
                .ok());
        EXPECT_EQ(command(permissions, "ls", work()), Verdict::Kind::allow);
      }
    });
  }
  threads.clear();
  EXPECT_EQ(permissions.list().size(), 40U);
  EXPECT_EQ(Json::parse(read(local())).value()["permissions"]["allow"].items().size(), 40U);
}

}  // namespace
}  // namespace parley::agent
