// A file is the old one or the new one, whatever stands in the way.
#include "support/files/replace_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <thread>
#include <vector>

#include "support/files/io.hpp"
#include "support/files/temporary.hpp"

namespace parley {
namespace {

namespace fs = std::filesystem;

class ReplaceFile : public testing::Test {
 protected:
  [[nodiscard]] std::string path(const std::string& name = "file") const {
    return (folder_.path() / name).string();
  }
  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()));
  }
  static mode_t mode_of(const std::string& file) {
    struct stat status {};
    EXPECT_EQ(::lstat(file.c_str(), &status), 0);
    return status.st_mode & 07777;
  }

  TemporaryFolder folder_ = TemporaryFolder::make("replace-").value();
};

TEST_F(ReplaceFile, MakesAndReplaces) {
  EXPECT_TRUE(replace_file(path(), "one", {}));
  EXPECT_EQ(read_file(path()), "one");
  EXPECT_EQ(mode_of(path()), 0600U);
  EXPECT_TRUE(replace_file(path(), "two", {.durable = true}));
  EXPECT_EQ(read_file(path()), "two");
  EXPECT_EQ(count(), 1U);
}

TEST_F(ReplaceFile, SeesThePathFromAFolder) {
  const UniqueFd folder(::open(folder_.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  EXPECT_TRUE(replace_file(folder.get(), "file", "here", {.durable = true, .draft = "draft"}));
  EXPECT_EQ(read_file(path()), "here");
  EXPECT_EQ(count(), 1U);
}

TEST_F(ReplaceFile, ModesAreCutByTheUmaskOnlyIfTheyMay) {
  const mode_t before = ::umask(077);
  EXPECT_TRUE(replace_file(path("a"), "", {.mode = 0644}));
  EXPECT_TRUE(replace_file(path("b"), "", {.mode = 0664, .exact_mode = true}));
  ::umask(before);
  EXPECT_EQ(mode_of(path("a")), 0600U);
  EXPECT_EQ(mode_of(path("b")), 0664U);
}

TEST_F(ReplaceFile, AnOwnerThatCannotBeKeptIsNoFailure) {
  Replacement how;
  how.owner = {::getuid(), ::getgid()};
  EXPECT_TRUE(replace_file(path(), "x", how));
  how.owner = {0, 0};
  EXPECT_TRUE(replace_file(path(), "y", how));
  EXPECT_EQ(read_file(path()), "y");
}

TEST_F(ReplaceFile, ALinkIsReplacedAndNotFollowed) {
  ASSERT_TRUE(replace_file(path("target"), "kept", {}));
  fs::create_symlink(path("target"), path());
  EXPECT_TRUE(replace_file(path(), "new", {}));
  EXPECT_FALSE(fs::is_symlink(path()));
  EXPECT_EQ(read_file(path()), "new");
  EXPECT_EQ(read_file(path("target")), "kept");
}

TEST_F(ReplaceFile, ALinkInThePlaceOfTheDraftIsRefused) {
  ASSERT_TRUE(replace_file(path("target"), "kept", {}));
  ASSERT_TRUE(replace_file(path(), "old", {}));
  fs::create_symlink(path("target"), path("file.new"));
  const Replaced done = replace_file(path(), "evil", {.draft = "file.new"});
  EXPECT_EQ(done.error, ELOOP);
  EXPECT_TRUE(done.refused);
  EXPECT_EQ(read_file(path("target")), "kept");
  EXPECT_EQ(read_file(path()), "old");
}

TEST_F(ReplaceFile, ADraftThatWasLeftBehindIsUsedAgain) {
  ASSERT_TRUE(replace_file(path("file.new"), "a long text that was never finished", {}));
  EXPECT_TRUE(replace_file(path(), "short", {.draft = "file.new"}));
  EXPECT_EQ(read_file(path()), "short");
  EXPECT_EQ(count(), 1U);
}

TEST_F(ReplaceFile, AFolderInTheWayStays) {
  fs::create_directories(path() + "/inside");
  const Replaced done = replace_file(path(), "x", {});
  EXPECT_FALSE(done);
  EXPECT_FALSE(done.refused);
  EXPECT_EQ(count(), 1U);
  const Replaced nowhere = replace_file(path("no/such/folder"), "x", {});
  EXPECT_EQ(nowhere.error, ENOENT);
  EXPECT_TRUE(nowhere.refused);
}

TEST_F(ReplaceFile, AFullDiskLeavesTheOldFileAndNothingElse) {
  ASSERT_TRUE(replace_file(path(), "old", {}));
  // The system cuts a write at the limit and refuses the rest, as on a disk that fills up.
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 100'000;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Replaced done = replace_file(path(), std::string(300'000, 'x'), {.durable = true});
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, SIG_DFL);
  EXPECT_EQ(done.error, EFBIG);
  EXPECT_FALSE(done.refused);
  EXPECT_EQ(read_file(path()), "old");
  EXPECT_EQ(count(), 1U);
}

TEST_F(ReplaceFile, ManyReplaceItAtATimeAndReadersSeeWholeFiles) {
  ASSERT_TRUE(replace_file(path(), std::string(100'000, '0'), {}));
  std::atomic<bool> ended = false;
  std::jthread reader([&] {
    while (!ended) {
      const std::string text = read_file(path()).value_or("");
      ASSERT_EQ(text, std::string(100'000, text.empty() ? '-' : text[0]));
    }
  });
  std::vector<std::jthread> writers;
  for (char c = '1'; c < '5'; ++c) {
    writers.emplace_back([&, c] {
      for (int i = 0; i < 25; ++i) EXPECT_TRUE(replace_file(path(), std::string(100'000, c), {}));
    });
  }
  writers.clear();
  ended = true;
  reader.join();
  EXPECT_EQ(count(), 1U);
}

}  // namespace
}  // namespace parley
