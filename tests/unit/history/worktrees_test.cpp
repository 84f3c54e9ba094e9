// Which project folders belong to a working folder: worktrees, shared and cut names.
#include "history/listing/worktrees.hpp"

#include <gtest/gtest.h>

#include "history/listing/listing.hpp"
#include "history/listing/project_names.hpp"
#include "tree_fixture.hpp"
#include "wire/ids.hpp"

namespace parley::history {
namespace {

constexpr const char* kOther = "22222222-2222-4222-8222-222222222222";

class WorktreesTest : public TreeTest {
 protected:
  void SetUp() override {
    TreeTest::SetUp();
    base_ = std::filesystem::canonical(base_);
    root_ = base_ / "root";
  }
  /// A repository as git lays it out, without its contents.
  void make_repository(const std::filesystem::path& git) const {
    write(git / "HEAD", "ref: refs/heads/main\n");
    std::filesystem::create_directories(git / "objects");
    std::filesystem::create_directories(git / "refs");
  }
  void add_worktree(const std::filesystem::path& git, const std::string& name,
                    const std::filesystem::path& tree, const std::string& pointer) const {
    write(git / "worktrees" / name / "gitdir", pointer + "\n");
    write(git / "worktrees" / name / "commondir", "../..\n");
    write(tree / ".git", "gitdir: " + (git / "worktrees" / name).string() + "\n");
  }
  /// A session that ran in `cwd`, below the name that belongs to `folder`.
  void add_session(const std::string& folder, const std::string& id, const std::string& cwd) const {
    write(root_ / "projects" / folder / (id + ".jsonl"),
          line("user", "a", "", "hi", {{"cwd", cwd}}));
  }
  std::vector<std::string> listed(const std::string& folder, bool worktrees = true) {
    std::vector<std::string> ids;
    for (const auto& info :
         list_sessions({.scope = {{root_.string()}, folder, worktrees}}).sessions)
      ids.push_back(info.sessionId);
    std::sort(ids.begin(), ids.end());
    return ids;
  }
  using List = std::vector<std::string>;
};

TEST_F(WorktreesTest, FoundFromEveryFolderOfTheRepository) {
  const auto main = base_ / "main", linked = base_ / "linked", gone = base_ / "gone";
  make_repository(main / ".git");
  add_worktree(main / ".git", "linked", linked, (linked / ".git").string());
  write(main / ".git" / "worktrees" / "gone" / "gitdir", (gone / ".git").string() + "\n");
  std::filesystem::create_directories(linked / "deep" / "below");
  const List all = {main.string(), gone.string(), linked.string()};
  EXPECT_EQ(git_worktrees(main.string()), all);
  EXPECT_EQ(git_worktrees(linked.string()), all);
  EXPECT_EQ(git_worktrees((linked / "deep" / "below").string()), all);
  EXPECT_EQ(git_worktrees(base_.string()), List{});
}

TEST_F(WorktreesTest, RelativePointersAndBareRepositories) {
  const auto bare = base_ / "repo.git", tree = base_ / "tree";
  make_repository(bare);
  add_worktree(bare, "tree", tree, "../../../tree/.git");
  write(tree / ".git", "gitdir: ../repo.git/worktrees/tree\n");
  const List all = {bare.string(), tree.string()};
  EXPECT_EQ(git_worktrees(tree.string()), all);
  EXPECT_EQ(git_worktrees(bare.string()), all);
}

TEST_F(WorktreesTest, DamagedRepositoriesHaveNone) {
  write(base_ / "a" / ".git", "gitdir: /nowhere\n");
  write(base_ / "b" / ".git", "something else");
  write(base_ / "c" / ".git", std::string(100000, 'x'));
  make_repository(base_ / "d" / ".git");
  write(base_ / "d" / ".git" / "worktrees" / "empty" / "gitdir", "\n");
  write(base_ / "d" / ".git" / "worktrees" / "file", "x");
  EXPECT_EQ(git_worktrees((base_ / "a").string()), List{});
  EXPECT_EQ(git_worktrees((base_ / "b").string()), List{});
  EXPECT_EQ(git_worktrees((base_ / "c").string()), List{});
  EXPECT_EQ(git_worktrees((base_ / "d").string()), List{(base_ / "d").string()});
}

TEST_F(WorktreesTest, ListsJoinThem) {
  const auto main = base_ / "main", linked = base_ / "linked";
  make_repository(main / ".git");
  add_worktree(main / ".git", "linked", linked, (linked / ".git").string());
  add_session(project_folder_name(main.string()), kSession, main.string());
  add_session(project_folder_name(linked.string()), kOther, linked.string());
  EXPECT_EQ(listed(main.string()), (List{kSession, kOther}));
  EXPECT_EQ(listed(linked.string()), (List{kSession, kOther}));
  EXPECT_EQ(listed(linked.string(), false), List{kOther});
}

TEST_F(WorktreesTest, FoldersThatShareANameAreToldApart) {
  const auto here = base_ / "a-b", there = base_ / "a.b";
  std::filesystem::create_directories(here);
  std::filesystem::create_directories(there);
  const std::string name = project_folder_name(here.string());
  ASSERT_EQ(name, project_folder_name(there.string()));
  add_session(name, kSession, here.string());
  add_session(name, kOther, there.string());
  EXPECT_EQ(listed(here.string()), List{kSession});
  EXPECT_EQ(listed(there.string()), List{kOther});
  // A folder that is gone may have been renamed: its sessions are not lost.
  std::filesystem::remove(there);
  EXPECT_EQ(listed(here.string()), (List{kSession, kOther}));
}

TEST_F(WorktreesTest, CutNamesAreRecognisedByTheirSessions) {
  const std::string folder = "/" + std::string(150, 'x') + "/" + std::string(100, 'y');
  const std::string name = project_folder_name(folder);
  const std::string other_hash = name.substr(0, 200) + "-elsewhere";
  add_session(other_hash, kSession, folder);
  EXPECT_EQ(listed(folder), List{kSession});
  add_session(other_hash, kSession, folder + "z");
  EXPECT_EQ(listed(folder), List{});
  EXPECT_EQ(uncut_project_name("/ü/😀"),
            "--"
            "---");
}

}  // namespace
}  // namespace parley::history
