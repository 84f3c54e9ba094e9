// Starts a child process without copying the address space of this one. Internal to Parley.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../files/unique_fd.hpp"

namespace parley {

/// What to start. A value.
struct SpawnSpec {
  /// Its file. One without a slash is not looked up: see find_program().
  std::string program;
  /// All of them, the name of the program first.
  std::vector<std::string> arguments;
  /// The whole environment, as NAME=value.
  std::vector<std::string> environment;
  /// Where the child starts; empty: here. `program` is looked at from there.
  std::string working_folder;
  /// Become its 0, 1 and 2. One that is below 3 must be the one it becomes. No other descriptor of
  /// ours reaches the child.
  std::array<int, 3> stdio{0, 1, 2};

  enum class Group {
    ours,
    own,      ///< It leads a process group, to be signalled as one.
    session,  ///< It leads a session, and so has no terminal either.
  };
  Group group = Group::own;
  /// The kernel kills the child when the *thread* that starts it ends.
  bool ends_with_thread = false;

  struct User {
    std::uint32_t uid = 0;
    std::uint32_t gid = 0;
    std::vector<std::uint32_t> groups;
  };
  /// Who the child is; nothing: as this process.
  std::optional<User> user;
};

enum class SpawnStep { start, user, folder };

/// A child, or why there is none.
struct Spawned {
  pid_t pid = -1;
  UniqueFd pidfd;  ///< Readable when it has ended.
  int error = 0;   ///< What errno said; 0: it runs.
  SpawnStep failed = SpawnStep::start;

  explicit operator bool() const { return error == 0; }
};

/// The child has default signal handling and blocks no signal. Returns when the program runs, or
/// cannot be run.
[[nodiscard]] Spawned spawn(const SpawnSpec& spec);

/// Which folders of a PATH count. A relative one, or an empty one, is seen from the working folder,
/// where a project could put a program of its own.
enum class PathFolders { absolute, all };
/// The file of a program in the folders of a PATH, absolute; nothing if there is none that may be
/// run.
[[nodiscard]] std::optional<std::filesystem::path> find_program(
    const std::string& name, std::string_view folders, PathFolders which = PathFolders::absolute);

/// "NAME=value" of each.
template <class Variables>
std::vector<std::string> environment_texts(const Variables& variables) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : variables) texts.push_back(name + "=" + value);
  return texts;
}

}  // namespace parley
