#include "agent/tools/process_table.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <string>

namespace parley::agent {
namespace {

/// A process that forks all the time can escape one look at the list, hardly this many.
constexpr int kMostRounds = 1000;

/// A file of a process; empty if it is gone. Streams would cost more than the look itself, and
/// every command looks at every process.
std::string process_file(pid_t pid, const char* name) {
  const std::string path = "/proc/" + std::to_string(pid) + "/" + name;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  std::string text;
  std::array<char, 4096> buffer;
  ssize_t got = 0;
  while ((got = ::read(file, buffer.data(), buffer.size())) > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  ::close(file);
  return text;
}

ProcessStatus status_of(pid_t pid) {
  ProcessStatus status;
  status.pid = pid;
  const std::string line = process_file(pid, "stat");
  // The name in parentheses may hold anything, also parentheses.
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return status;
  std::sscanf(line.c_str() + name_end + 1, " %c %d %d %d", &status.state, &status.parent,
              &status.group, &status.session);
  return status;
}

}  // namespace

void each_process(const std::function<void(const ProcessStatus&)>& visit) {
  DIR* const folder = ::opendir("/proc");
  if (!folder) return;
  while (const dirent* const entry = ::readdir(folder)) {
    const std::string_view name = entry->d_name;
    pid_t pid = 0;
    const auto [rest, problem] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (problem != std::errc() || rest != name.data() + name.size() || pid == ::getpid()) continue;
    const ProcessStatus status = status_of(pid);
    // Whom this process started itself leads a group, and is collected by who started it.
    if (status.state == 'Z' && status.parent == ::getpid() && status.group != pid) {
      ::waitpid(pid, nullptr, WNOHANG);
    }
    visit(status);
  }
  ::closedir(folder);
}

bool has_variable(pid_t pid, std::string_view name, std::string_view value) {
  const std::string text = '\0' + process_file(pid, "environ");
  return text.find('\0' + std::string(name) + "=" + std::string(value)) != std::string::npos;
}

void kill_until_gone(const std::function<bool(const ProcessStatus&)>& belongs) {
  for (int round = 0; round < kMostRounds; ++round) {
    bool found = false;
    each_process([&](const ProcessStatus& status) {
      if (!status.alive() || !belongs(status)) return;
      found = true;
      ::kill(status.pid, SIGKILL);
    });
    if (!found) return;
    // Whoever was killed takes a moment to go.
    ::poll(nullptr, 0, 1);
  }
}

void adopt_orphans() { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }

void kill_children(std::string_view spared) {
  // Most sessions end without any, and need not look at every process of the machine.
  siginfo_t ended{};
  if (::waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) < 0 && errno == ECHILD) return;
  // The children of those who are killed come to this process, and are found in the next round.
  kill_until_gone([&](const ProcessStatus& status) {
    return status.parent == ::getpid() && !has_variable(status.pid, spared, "");
  });
}

}  // namespace parley::agent
