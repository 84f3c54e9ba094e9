// A working folder with files and links, and a home beside it.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "agent/permissions/permissions.hpp"
#include "support/files/io.hpp"
#include "support/files/temporary.hpp"

namespace parley::agent {

inline std::filesystem::path source_folder() {
  const char* folder = ::getenv("PARLEY_SOURCE_DIR");
  return folder ? folder : ".";
}

class PermissionTest : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = std::filesystem::canonical(temporary_.path());
    for (const auto* folder : {"work/src", "work/deny", "work/.git/hooks", "home", "elsewhere"}) {
      std::filesystem::create_directories(root_ / folder);
    }
    for (const auto* file : {"work/a.txt", "work/src/x.c", "work/src/secret.c", "work/deny/x.c",
                             "elsewhere/file", "home/.bashrc"}) {
      write(root_ / file, "one\ntwo\n");
    }
    link("src", "inner");
    link("/etc", "out");
    link("/etc/shadow", "shadow");
    link("/var/tmp/parley-nothing/new", "nowhere");
    std::filesystem::create_directories(root_ / "elsewhere/deep");
    link((root_ / "elsewhere/deep").string(), "far");
    std::filesystem::create_directories(work() / "trap");
    link("/etc/hostname", "trap/a.txt");
    // What comes with files from strangers: names that look like options, links, a repository.
    for (const auto* file :
         {"work/opt/-exec", "work/opt/--pre=sh", "work/opt/z", "work/two/1", "work/two/2",
          "work/brought/.claude/settings.json", "work/left/same", "work/bare/HEAD",
          "work/bare/objects/x", "work/bare/refs/x", "work/module/x"}) {
      write(root_ / file, "one\n");
    }
    write(work() / "module/.git", "gitdir: ../bare\n");
    std::filesystem::create_directories(work() / "right");
    link("/etc/hostname", "right/same");
    link("/etc/hostname", "[a]x");
    std::filesystem::create_directories(work() / "right/sub");
    link("right/sub", "deep");
  }

  [[nodiscard]] std::filesystem::path root() const { return root_; }
  [[nodiscard]] std::filesystem::path work() const { return root_ / "work"; }
  [[nodiscard]] std::filesystem::path home() const { return root_ / "home"; }
  [[nodiscard]] Permissions::Setup setup() const {
    Permissions::Setup out;
    out.start_folder = work();
    out.config_folder = home() / ".claude";
    out.home = home();
    return out;
  }
  void link(const std::string& target, const std::string& name) {
    std::filesystem::create_symlink(target, work() / name);
  }
  static void write(const std::filesystem::path& file, const std::string& text) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  static std::string read(const std::filesystem::path& file) {
    return read_file(file).value_or("");
  }

 private:
  TemporaryFolder temporary_ = TemporaryFolder::make("parley-perm-").value();
  std::filesystem::path root_;
};

}  // namespace parley::agent
