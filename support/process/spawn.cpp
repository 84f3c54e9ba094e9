#include "support/process/spawn.hpp"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <new>

#include "support/text/text.hpp"

#if defined(__SANITIZE_THREAD__)
// ThreadSanitizer takes a call of clone() for a fork() and loses track of this process, in whose
// memory the child runs. The C library's other name for the same function escapes its attention.
extern "C" int __clone(int (*)(void*), void*, int, void*, ...);
#define PARLEY_CLONE ::__clone
#else
#define PARLEY_CLONE ::clone
#endif

namespace parley {
namespace {

constexpr std::size_t kStackBytes = 64 * 1024;

/// All the child needs, made before it exists: it must not allocate.
struct Plan {
  const char* program;
  char* const* arguments;
  char* const* environment;
  const char* folder;  ///< Null: stay.
  int stdio[3];
  SpawnSpec::Group group;
  bool ends_with_thread;
  pid_t parent;
  const SpawnSpec::User* user;  ///< Null: as we are.
};

/// What the child tells us if it fails.
struct Outcome {
  int error = 0;
  SpawnStep step = SpawnStep::start;
};

/// Both ends of what the child is given.
struct Start {
  const Plan* plan;
  Outcome* outcome;
};

/// As the kernel has it, without the C library's bookkeeping, which the child shares with us.
struct KernelSigaction {
  void (*handler)(int);
  unsigned long flags;
  void (*restorer)();
  unsigned long mask;
};

/// Runs in the child, on a stack of its own but (unless it becomes another user) in our memory,
/// while this thread waits. So nothing here may allocate, lock, or run instrumented library code:
/// plain system calls only.
#if defined(__GNUC__)
__attribute__((no_sanitize("address"), no_sanitize("thread"), no_sanitize("undefined")))
#endif
int child_main(void* argument) {
  const Plan& plan = *static_cast<Start*>(argument)->plan;
  Outcome& outcome = *static_cast<Start*>(argument)->outcome;
  const auto give_up = [&outcome](SpawnStep step) {
    outcome = {errno, step};
    ::syscall(SYS_exit_group, 127);
  };

  // Handlers of ours must not run in the child, and ignored signals would stay ignored after exec.
  KernelSigaction by_default{};
  for (long number = 1; number <= 64; ++number) {
    ::syscall(SYS_rt_sigaction, number, &by_default, nullptr, sizeof by_default.mask);
  }
  const unsigned long no_signals = 0;
  if (plan.user != nullptr) {
    // The user last, for afterwards nothing may be changed any more. This also takes back the
    // request for a signal below, so it has to come first.
    const SpawnSpec::User& user = *plan.user;
    if (::syscall(SYS_setgroups, user.groups.size(), user.groups.data()) != 0 ||
        ::syscall(SYS_setresgid, user.gid, user.gid, user.gid) != 0 ||
        ::syscall(SYS_setresuid, user.uid, user.uid, user.uid) != 0) {
      give_up(SpawnStep::user);
    }
  }
  if (plan.ends_with_thread) {
    ::syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    // If our process died before that call, nobody would tell the child any more.
    if (::syscall(SYS_getppid) != plan.parent) ::syscall(SYS_exit_group, 127);
  }
  if ((plan.group == SpawnSpec::Group::own && ::syscall(SYS_setpgid, 0, 0) != 0) ||
      (plan.group == SpawnSpec::Group::session && ::syscall(SYS_setsid) < 0)) {
    give_up(SpawnStep::start);
  }
  for (int target = 0; target < 3; ++target) {
    const int fd = plan.stdio[target];
    // To itself dup3() refuses, and what stays must not close on exec.
    const long done =
        fd == target ? ::syscall(SYS_fcntl, fd, F_SETFD, 0) : ::syscall(SYS_dup3, fd, target, 0);
    if (done < 0) give_up(SpawnStep::start);
  }
  // What the host opened without O_CLOEXEC is not for the child. Before Linux 5.11 it leaks.
  ::syscall(SYS_close_range, 3U, ~0U, 4U /* CLOSE_RANGE_CLOEXEC */);
  if (plan.folder != nullptr && ::syscall(SYS_chdir, plan.folder) != 0) give_up(SpawnStep::folder);
  ::syscall(SYS_rt_sigprocmask, SIG_SETMASK, &no_signals, nullptr, sizeof no_signals);
  ::syscall(SYS_execve, plan.program, plan.arguments, plan.environment);
  give_up(SpawnStep::start);
  return 127;
}

/// What exec wants; it does not change the texts, though its type says so.
std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

}  // namespace

Spawned spawn(const SpawnSpec& spec) {
  const auto arguments = pointers(spec.arguments);
  const auto environment = pointers(spec.environment);
  const Plan plan{.program = spec.program.c_str(),
                  .arguments = arguments.data(),
                  .environment = environment.data(),
                  .folder = spec.working_folder.empty() ? nullptr : spec.working_folder.c_str(),
                  .stdio = {spec.stdio[0], spec.stdio[1], spec.stdio[2]},
                  .group = spec.group,
                  .ends_with_thread = spec.ends_with_thread,
                  .parent = ::getpid(),
                  .user = spec.user ? &*spec.user : nullptr};

  // Shared, so that the outcome, which lies at the far end of the stack, can be read here however
  // the child was made.
  void* stack = ::mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  Spawned child;
  if (stack == MAP_FAILED) {
    child.error = errno;
    return child;
  }
  Outcome* const shared = new (stack) Outcome;
  Start start{&plan, shared};
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  // Like vfork: the child runs in our memory until it is another program, so this takes the same
  // time in a host of ten gigabytes as in a small one. Not so if it becomes another user, who could
  // trace it then and so reach into our memory.
  const int sharing = plan.user == nullptr ? CLONE_VM : 0;
  int pidfd = -1;
  child.pid = PARLEY_CLONE(child_main, static_cast<char*>(stack) + kStackBytes,
                           sharing | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, &start, &pidfd);
  const int clone_error = errno;
  const Outcome outcome = *shared;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  ::munmap(stack, kStackBytes);
  if (child.pid < 0) {
    child.error = clone_error;
    return child;
  }
  child.pidfd.reset(pidfd);
  child.error = outcome.error;
  child.failed = outcome.step;
  if (child) return child;
  siginfo_t ignored;
  ::waitid(P_PIDFD, static_cast<id_t>(pidfd), &ignored, WEXITED);
  child.pid = -1;
  child.pidfd.reset();
  return child;
}

std::optional<std::filesystem::path> find_program(const std::string& name, std::string_view folders,
                                                  PathFolders which) {
  for (const std::string_view folder : split(folders, ':')) {
    if (which == PathFolders::absolute && !folder.starts_with('/')) continue;
    const std::filesystem::path file = std::filesystem::path(folder.empty() ? "." : folder) / name;
    std::error_code error;
    if (std::filesystem::is_regular_file(file, error) && ::access(file.c_str(), X_OK) == 0) {
      return std::filesystem::absolute(file, error);
    }
  }
  return std::nullopt;
}

}  // namespace parley
