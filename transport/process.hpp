// An agent as a child process.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../support/process/environment.hpp"
#include "loop.hpp"
#include "transport.hpp"

namespace parley {

/// A user of the system. A value.
struct ProcessUser {
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::vector<std::uint32_t> groups;
  std::string name;
  std::filesystem::path home;
};
/// `not_found` if there is none of that name. May ask the network, where users live there.
[[nodiscard]] Result<ProcessUser> find_user(const std::string& name);

/// What to start, and how to end it. A value.
struct ProcessSpec {
  /// Looked up in PATH (that of `environment`) if it holds no slash.
  std::string program;
  /// Without the program's name.
  std::vector<std::string> arguments;
  /// The whole environment of the child.
  std::vector<std::pair<std::string, std::string>> environment;
  /// Where the child starts; empty: here.
  std::filesystem::path working_folder;
  /// Who the child is; nothing: as this process. To become another needs the right to do so, which
  /// as a rule means root; without it start() fails with `permission`.
  std::optional<ProcessUser> user;

  /// stop() closes the child's input, waits this long for it to end,
  std::chrono::milliseconds term_after{2000};
  /// sends SIGTERM to its process group and waits this long before SIGKILL.
  std::chrono::milliseconds kill_after{5000};
};

/// A transport over stdin, stdout and stderr of a new process.
///
/// The child leads a process group of its own, inherits no descriptor but those three, has default
/// signal handling, and is killed by the kernel if this process dies. (What the child itself has
/// started is not: it sees its pipes close.) An error of start() tells apart a program that does
/// not exist (`not_found`), one that may not be run (`permission`) and a system without resources
/// (`io`).
[[nodiscard]] std::unique_ptr<Transport> make_process_transport(std::shared_ptr<Loop> loop,
                                                                ProcessSpec spec);

/// What a short-lived program printed on stdout, and how it ended.
struct ProgramOutput {
  std::string text;
  std::string errors;
  ExitStatus status;
};
/// Runs a program to its end with an empty stdin; it is killed when the time is over. For
/// questions like `--version`. Blocks.
[[nodiscard]] Result<ProgramOutput> run_program(ProcessSpec spec,
                                                std::chrono::milliseconds timeout);

}  // namespace parley
