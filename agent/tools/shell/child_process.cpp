#include "agent/tools/shell/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "agent/tools/shell/process_table.hpp"
#include "support/process/spawn.hpp"

namespace parley::agent {
namespace {

/// How long a command may take to end by itself when asked to.
constexpr int kGraceMilliseconds = 300;

/// Not pidfd_open(): the header of glibc 2.36 forgets to say that it is C.
int open_process(pid_t pid) { return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)); }

}  // namespace

Result<ChildProcess> ChildProcess::start(const Setup& setup) {
  auto pipe = make_pipe();
  if (!pipe) {
    return Error(ErrorCode::io, std::string("cannot make a pipe: ") + std::strerror(errno));
  }
  const UniqueFd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  set_non_blocking(pipe->read.get());

  SpawnSpec wanted;
  wanted.program = setup.argv.at(0);
  wanted.arguments = setup.argv;
  for (const auto& [name, value] : setup.environment) {
    if (name != kMarkVariable) wanted.environment.push_back(name + "=" + value);
  }
  wanted.environment.push_back(std::string(kMarkVariable) + "=" + setup.mark);
  wanted.working_folder = setup.cwd.string();
  wanted.stdio = {nothing.get(), pipe->write.get(), pipe->write.get()};
  wanted.group = SpawnSpec::Group::session;
  Spawned started = spawn(wanted);
  if (!started) {
    return Error(started.error == ENOENT ? ErrorCode::not_found : ErrorCode::process,
                 "cannot start " + setup.argv[0] + " in " + setup.cwd.string() + ": " +
                     std::strerror(started.error));
  }
  return ChildProcess(started.pid, std::move(started.pidfd), std::move(pipe->read), setup.mark);
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      pidfd_(std::move(other.pidfd_)),
      output_(std::move(other.output_)),
      reaped_(other.reaped_),
      mark_(std::move(other.mark_)) {}

ChildProcess::~ChildProcess() {
  if (pid_ > 0 && !reaped_) kill_all();
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

UniqueFd ChildProcess::watch_leftover() const {
  for (pid_t pid = leftover(); pid > 0; pid = leftover()) {
    // It may have ended just now, and then another one is looked for.
    if (UniqueFd fd(open_process(pid)); fd) return fd;
  }
  return {};
}

void ChildProcess::kill_all() {
  if (pid_ > 0 && !reaped_) {
    // As long as nobody has collected it the id is ours, dead or alive.
    ::kill(-pid_, SIGTERM);
    pollfd ended{pidfd_.get(), POLLIN, 0};
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
