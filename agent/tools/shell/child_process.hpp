// A command in a session of its own, so that it and whatever it starts can be ended together. Its
// output, errors included, comes through one pipe.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "../../../support/files/unique_fd.hpp"
#include "../../../wire/error.hpp"

namespace parley::agent {

/// A resource of one thread; kill_all() ends it at the latest when it is destroyed.
class ChildProcess {
 public:
  struct Setup {
    std::vector<std::string> argv;  ///< The program by its path.
    std::filesystem::path cwd;
    std::map<std::string, std::string> environment;
    /// Put into the environment, so that processes that leave the session are found too.
    std::string mark;
  };
  /// The variable that holds the mark.
  static constexpr const char* kMarkVariable = "PARLEY_COMMAND_ID";

  static Result<ChildProcess> start(const Setup& setup);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess();

  /// Readable when there is output; does not block.
  [[nodiscard]] int output() const { return output_.get(); }
  /// Readable when the command itself has ended.
  [[nodiscard]] int ended() const { return pidfd_.get(); }

  /// The exit code, 128 + n after signal n; after ended() has become readable. The process id stays
  /// taken as long as other processes of the session live, so that kill_all() cannot hit strangers.
  int exit_code();
  /// Whether anything of the session lives on after the command has ended.
  [[nodiscard]] bool has_leftovers() const;
  /// A descriptor that is readable when one of them has ended; none if there is nobody left.
  [[nodiscard]] UniqueFd watch_leftover() const;
  /// Ends all of it: asks first, waits a moment, then forces. Returns when nothing is left.
  void kill_all();

 private:
  ChildProcess(pid_t pid, UniqueFd pidfd, UniqueFd output, std::string mark)
      : pid_(pid), pidfd_(std::move(pidfd)), output_(std::move(output)), mark_(std::move(mark)) {}
  void reap();
  /// One of the session that lives on; -1 if there is none.
  [[nodiscard]] pid_t leftover() const;

  pid_t pid_ = -1;
  UniqueFd pidfd_, output_;
  bool reaped_ = false;
  int exit_code_ = 0;
  std::string mark_;
};

/// Ends every process whose environment has a mark that begins so.
void kill_marked(const std::string& mark);

}  // namespace parley::agent
