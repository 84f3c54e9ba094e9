#include "agent/tools/shell/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "agent/tools/shell/process_table.hpp"

namespace parley::agent {
namespace {

/// How long a command may take to end by itself when asked to.
constexpr int kGraceMilliseconds = 300;

class SpawnSetup {
 public:
  SpawnSetup() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
  }
  SpawnSetup(const SpawnSetup&) = delete;
  SpawnSetup& operator=(const SpawnSetup&) = delete;
  ~SpawnSetup() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> list;
  for (std::string& text : strings) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

/// Not pidfd_open(): the header of glibc 2.36 forgets to say that it is C.
int open_process(pid_t pid) { return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)); }

}  // namespace

Result<ChildProcess> ChildProcess::start(const Setup& setup) {
  ChildProcess child;
  int pipe_ends[2];
  if (::pipe2(pipe_ends, O_CLOEXEC) != 0) {
    return Error(ErrorCode::kIo, std::string("cannot make a pipe: ") + std::strerror(errno));
  }
  child.output_ = pipe_ends[0];
  child.mark_ = setup.mark;
  ::fcntl(child.output_, F_SETFL, O_NONBLOCK);

  SpawnSetup spawn;
  posix_spawn_file_actions_addchdir_np(&spawn.actions, setup.cwd.c_str());
  posix_spawn_file_actions_addopen(&spawn.actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&spawn.actions, pipe_ends[1], 1);
  posix_spawn_file_actions_adddup2(&spawn.actions, pipe_ends[1], 2);
  posix_spawn_file_actions_addclosefrom_np(&spawn.actions, 3);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&spawn.attributes, &none);
  posix_spawnattr_setsigdefault(&spawn.attributes, &all);
  posix_spawnattr_setflags(&spawn.attributes,
                           POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

  std::vector<std::string> argv = setup.argv, environment;
  for (const auto& [name, value] : setup.environment) {
    if (name != kMarkVariable) environment.push_back(name + "=" + value);
  }
  environment.push_back(std::string(kMarkVariable) + "=" + setup.mark);
  const int problem =
      ::posix_spawn(&child.pid_, argv.at(0).c_str(), &spawn.actions, &spawn.attributes,
                    pointers(argv).data(), pointers(environment).data());
  ::close(pipe_ends[1]);
  if (problem != 0) {
    child.pid_ = -1;
    return Error(problem == ENOENT ? ErrorCode::kNotFound : ErrorCode::kProcess,
                 "cannot start " + setup.argv[0] + " in " + setup.cwd.string() + ": " +
                     std::strerror(problem));
  }
  child.pidfd_ = open_process(child.pid_);
  if (child.pidfd_ < 0) {
    return Error(ErrorCode::kProcess, std::string("cannot watch the command: ") +
                                          std::strerror(errno));  // its destructor ends it
  }
  return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      pidfd_(std::exchange(other.pidfd_, -1)),
      output_(std::exchange(other.output_, -1)),
      reaped_(other.reaped_),
      mark_(std::move(other.mark_)) {}

ChildProcess::~ChildProcess() {
  if (pid_ > 0 && !reaped_) kill_all();
  if (pidfd_ >= 0) ::close(pidfd_);
  if (output_ >= 0) ::close(output_);
}

int ChildProcess::exit_code() {
  if (!reaped_) {
    siginfo_t info{};
    while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT) != 0 &&
           errno == EINTR) {
    }
    exit_code_ = info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
    if (!has_leftovers()) reap();
  }
  return exit_code_;
}

pid_t ChildProcess::leftover() const {
  if (reaped_) return -1;
  // Who is missed here is still found by the mark, or ended with the session.
  pid_t found = -1;
  each_descendant([&](const ProcessStatus& status) {
    if (status.pid != pid_ && status.session == pid_ && status.alive()) found = status.pid;
  });
  return found;
}

bool ChildProcess::has_leftovers() const { return leftover() > 0; }

int ChildProcess::watch_leftover() const {
  for (pid_t pid = leftover(); pid > 0; pid = leftover()) {
    // It may have ended just now, and then another one is looked for.
    if (const int fd = open_process(pid); fd >= 0) return fd;
  }
  return -1;
}

void ChildProcess::kill_all() {
  if (pid_ > 0 && !reaped_) {
    // As long as nobody has collected it the id is ours, dead or alive.
    ::kill(-pid_, SIGTERM);
    pollfd ended{pidfd_, POLLIN, 0};
    ::poll(&ended, 1, kGraceMilliseconds);
    ::kill(-pid_, SIGKILL);
    const pid_t session = pid_;
    kill_until_gone([&](const ProcessStatus& status) {
      return status.session == session || has_variable(status.pid, kMarkVariable, mark_);
    });
    reap();
  } else {
    kill_marked(mark_);
  }
}

void ChildProcess::reap() {
  if (reaped_) return;
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  reaped_ = true;
}

void kill_marked(const std::string& mark) {
  kill_until_gone([&](const ProcessStatus& status) {
    return has_variable(status.pid, ChildProcess::kMarkVariable, mark);
  });
}

}  // namespace parley::agent
