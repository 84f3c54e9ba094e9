#include "support/files/temporary.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cerrno>

#include "support/files/io.hpp"
#include "support/files/replace_file.hpp"

namespace parley {
namespace {

namespace fs = std::filesystem;

TEST(Temporary, AFolderGoesWithAllThatIsInIt) {
  const TemporaryFolder outside = TemporaryFolder::make("outside-").value();
  ASSERT_TRUE(replace_file((outside.path() / "file").string(), "kept", {}));
  fs::path path;
  {
    TemporaryFolder folder = TemporaryFolder::make("folder-").value();
    path = folder.path();
    EXPECT_TRUE(path.filename().string().starts_with("folder-"));
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
    fs::create_directories(path / "a/b/c");
    fs::create_directory_symlink(outside.path(), path / "a/link");
    const TemporaryFolder moved = std::move(folder);
    EXPECT_EQ(moved.path(), path);
    EXPECT_TRUE(fs::exists(path));
  }
  EXPECT_FALSE(fs::exists(path));
  EXPECT_EQ(read_file(outside.path() / "file"), "kept");
}

TEST(Temporary, AFileGoesAlsoIfAnotherTookItsPlace) {
  std::string path;
  {
    TemporaryFile file = TemporaryFile::make("file-", ".json").value();
    path = file.path();
    EXPECT_TRUE(path.ends_with(".json"));
    struct stat status {};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, 0600U);
    EXPECT_TRUE(write_all(file.fd(), "draft"));
    const TemporaryFile moved = std::move(file);
    EXPECT_EQ(read_file(moved.path()), "draft");
    ASSERT_TRUE(replace_file(path, "by an editor", {}));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(Temporary, WithoutAPlaceThereIsNone) {
  const char* before = ::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TMPDIR", "/nowhere/at/all", 1);
  EXPECT_FALSE(TemporaryFolder::make("x-"));
  EXPECT_NE(errno, 0);
  EXPECT_FALSE(TemporaryFile::make("x-", ".txt"));
  before == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", kept.c_str(), 1);
  EXPECT_TRUE(TemporaryFolder::make("x-"));
}

}  // namespace
}  // namespace parley
