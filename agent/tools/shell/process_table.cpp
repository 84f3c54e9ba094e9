#include "agent/tools/shell/process_table.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <string>
#include <vector>

#include "support/files/io.hpp"
#include "support/files/unique_fd.hpp"

namespace parley::agent {
namespace {

/// A process that forks all the time can escape one look at the list, hardly this many.
constexpr int kMostRounds = 1000;

/// A file of a process; empty if it is gone. Streams would cost more than the look itself.
std::string process_file(pid_t pid, const char* name) {
  const std::string path = "/proc/" + std::to_string(pid) + "/" + name;
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  if (file) (void)!read_all(file.get(), text);
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

/// The entries of a folder that are numbers, which in /proc are processes and threads.
std::vector<pid_t> numbers_in(const std::string& path) {
  std::vector<pid_t> numbers;
  DIR* const folder = ::opendir(path.c_str());
  if (!folder) return numbers;
  while (const dirent* const entry = ::readdir(folder)) {
    const std::string_view name = entry->d_name;
    pid_t number = 0;
    const auto [rest, problem] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (problem == std::errc() && rest == name.data() + name.size()) numbers.push_back(number);
  }
  ::closedir(folder);
  return numbers;
}

/// Appends the children of a process, which are listed by the thread that they belong to.
void add_children(pid_t pid, std::vector<pid_t>& all) {
  for (const pid_t thread : numbers_in("/proc/" + std::to_string(pid) + "/task")) {
    const std::string list =
        process_file(pid, ("task/" + std::to_string(thread) + "/children").c_str());
    const char* at = list.data();
    const char* const end = at + list.size();
    pid_t child = 0;
    while (at < end) {
      const auto [rest, problem] = std::from_chars(at, end, child);
      if (problem != std::errc()) break;
      all.push_back(child);
      at = rest + 1;  // behind the blank
    }
  }
}

/// Whether all descendants of this process stay below it, and the kernel tells who they are.
bool knows_descendants() {
  static const bool lists_children = ::access("/proc/thread-self/children", R_OK) == 0;
  int adopts = 0;
  return lists_children && ::prctl(PR_GET_CHILD_SUBREAPER, &adopts) == 0 && adopts != 0;
}

void look_at(pid_t pid, const std::function<void(const ProcessStatus&)>& visit) {
  const ProcessStatus status = status_of(pid);
  // Whom this process started itself leads a group, and is collected by who started it.
  if (status.state == 'Z' && status.parent == ::getpid() && status.group != pid) {
    ::waitpid(pid, nullptr, WNOHANG);
  }
  visit(status);
}

}  // namespace

void each_process(const std::function<void(const ProcessStatus&)>& visit) {
  for (const pid_t pid : numbers_in("/proc")) {
    if (pid != ::getpid()) look_at(pid, visit);
  }
}

void each_descendant(const std::function<void(const ProcessStatus&)>& visit) {
  if (!knows_descendants()) return each_process(visit);
  std::vector<pid_t> found;
  add_children(::getpid(), found);
  for (std::size_t i = 0; i < found.size(); ++i) {
    add_children(found[i], found);
    look_at(found[i], visit);
  }
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
