#include "transport/spawn.hpp"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>
#include <string>
#include <vector>

#if defined(__SANITIZE_THREAD__)
// ThreadSanitizer takes a call of clone() for a fork() and loses track of this process, in whose
// memory the child runs. The C library's other name for the same function escapes its attention.
extern "C" int __clone(int (*)(void*), void*, int, void*, ...);
#define PARLEY_CLONE ::__clone
#else
#define PARLEY_CLONE ::clone
#endif

namespace parley::detail {
namespace {

constexpr std::size_t kStackBytes = 64 * 1024;

/// All the child needs, made before it exists: it must not allocate.
struct Plan {
  const char* program;
  char* const* arguments;
  char* const* environment;
  const char* folder;  ///< Null: stay.
  int input, output, errors;
  pid_t parent;
  const ProcessUser* user;  ///< Null: as we are.
};

enum class Step { kStart, kUser, kFolder };

/// What the child tells us if it fails.
struct Outcome {
  int error = 0;
  Step step = Step::kStart;
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
  const auto give_up = [&outcome](Step step) {
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
    const ProcessUser& user = *plan.user;
    if (::syscall(SYS_setgroups, user.groups.size(), user.groups.data()) != 0 ||
        ::syscall(SYS_setresgid, user.gid, user.gid, user.gid) != 0 ||
        ::syscall(SYS_setresuid, user.uid, user.uid, user.uid) != 0) {
      give_up(Step::kUser);
    }
  }
  ::syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  // If our process died before that call, nobody would tell the child any more.
  if (::syscall(SYS_getppid) != plan.parent) ::syscall(SYS_exit_group, 127);
  if (::syscall(SYS_setpgid, 0, 0) != 0) give_up(Step::kStart);
  if (::syscall(SYS_dup3, plan.input, 0, 0) < 0 || ::syscall(SYS_dup3, plan.output, 1, 0) < 0 ||
      ::syscall(SYS_dup3, plan.errors, 2, 0) < 0) {
    give_up(Step::kStart);
  }
  // What the host opened without O_CLOEXEC is not for the child. Before Linux 5.11 it leaks.
  ::syscall(SYS_close_range, 3U, ~0U, 4U /* CLOSE_RANGE_CLOEXEC */);
  if (plan.folder != nullptr && ::syscall(SYS_chdir, plan.folder) != 0) give_up(Step::kFolder);
  ::syscall(SYS_rt_sigprocmask, SIG_SETMASK, &no_signals, nullptr, sizeof no_signals);
  ::syscall(SYS_execve, plan.program, plan.arguments, plan.environment);
  give_up(Step::kStart);
  return 127;
}

Error system_error(ErrorCode code, const std::string& what, int number) {
  return {code, what + ": " + std::strerror(number)};
}

/// The program's file: looked up in PATH if it is a bare name, else made absolute, because the
/// child changes its folder first.
Result<std::string> locate(const ProcessSpec& spec) {
  if (spec.program.empty()) return Error(ErrorCode::kInvalid, "there is no program to start");
  if (spec.program.find('/') != std::string::npos) {
    std::error_code failed;
    const auto absolute = std::filesystem::absolute(spec.program, failed);
    return failed ? spec.program : absolute.string();
  }
  const auto path = std::find_if(spec.environment.begin(), spec.environment.end(),
                                 [](const auto& variable) { return variable.first == "PATH"; });
  const std::string folders = path == spec.environment.end() ? "/usr/bin:/bin" : path->second;
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    const std::string folder = folders.substr(begin, end - begin);
    const std::string file = (folder.empty() ? "." : folder) + "/" + spec.program;
    std::error_code ignored;
    if (::access(file.c_str(), X_OK) == 0 && !std::filesystem::is_directory(file, ignored)) {
      return std::filesystem::absolute(file, ignored).string();
    }
    begin = end + 1;
  }
  return Error(ErrorCode::kNotFound,
               "no program \"" + spec.program + "\" in PATH (" + folders + ")");
}

struct Pipe {
  UniqueFd read, write;
};

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return system_error(ErrorCode::kIo, "pipe2", errno);
  Pipe made{UniqueFd(ends[0]), UniqueFd(ends[1])};
  // A host may have closed its own 0, 1 or 2; in the child those numbers are targets of dup3.
  for (UniqueFd* end : {&made.read, &made.write}) {
    if (end->get() > 2) continue;
    const int higher = ::fcntl(end->get(), F_DUPFD_CLOEXEC, 3);
    if (higher < 0) return system_error(ErrorCode::kIo, "fcntl(F_DUPFD_CLOEXEC)", errno);
    end->reset(higher);
  }
  return made;
}

void set_non_blocking(const UniqueFd& fd) {
  ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

Error start_error(const Outcome& outcome, const ProcessSpec& spec, const std::string& file) {
  if (outcome.step == Step::kUser) {
    return system_error(outcome.error == EPERM ? ErrorCode::kPermission : ErrorCode::kIo,
                        "cannot become the user " + spec.user->name, outcome.error);
  }
  if (outcome.step == Step::kFolder) {
    return {outcome.error == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo,
            "cannot use " + spec.working_folder.string() + ": " + std::strerror(outcome.error),
            "working folder"};
  }
  const std::string what = "cannot start " + file;
  switch (outcome.error) {
    case ENOENT: {
      // The file is there, so the interpreter that its first line names is not.
      std::error_code ignored;
      if (std::filesystem::exists(file, ignored)) {
        return {ErrorCode::kNotFound, what + ": its interpreter does not exist"};
      }
      return system_error(ErrorCode::kNotFound, what, outcome.error);
    }
    case ENOTDIR: return system_error(ErrorCode::kNotFound, what, outcome.error);
    case EACCES:
    case EPERM: return system_error(ErrorCode::kPermission, what, outcome.error);
    case E2BIG: return {ErrorCode::kTooLarge, what + ": its arguments are too long for the system"};
    default: return system_error(ErrorCode::kIo, what, outcome.error);
  }
}

}  // namespace

Result<Child> spawn(const ProcessSpec& spec) {
  const auto file = locate(spec);
  if (!file) return file.error();
  auto input = make_pipe();
  if (!input) return input.error();
  auto output = make_pipe();
  if (!output) return output.error();
  auto errors = make_pipe();
  if (!errors) return errors.error();

  std::vector<std::string> arguments{spec.program};
  arguments.insert(arguments.end(), spec.arguments.begin(), spec.arguments.end());
  std::vector<std::string> environment;
  environment.reserve(spec.environment.size());
  for (const auto& [name, value] : spec.environment) environment.push_back(name + "=" + value);
  const auto argument_pointers = pointers(arguments);
  const auto environment_pointers = pointers(environment);
  const std::string folder = spec.working_folder.string();

  Plan plan{.program = file->c_str(),
            .arguments = argument_pointers.data(),
            .environment = environment_pointers.data(),
            .folder = folder.empty() ? nullptr : folder.c_str(),
            .input = input->read.get(),
            .output = output->write.get(),
            .errors = errors->write.get(),
            .parent = ::getpid(),
            .user = spec.user ? &*spec.user : nullptr};

  // Shared, so that the outcome, which lies at the far end of the stack, can be read here however
  // the child was made.
  void* stack = ::mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) return system_error(ErrorCode::kIo, "mmap", errno);
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
  const pid_t pid = PARLEY_CLONE(child_main, static_cast<char*>(stack) + kStackBytes,
                                 sharing | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, &start, &pidfd);
  const int clone_error = errno;
  const Outcome outcome = *shared;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  ::munmap(stack, kStackBytes);
  if (pid < 0) return system_error(ErrorCode::kIo, "clone", clone_error);

  Child child{.pid = pid,
              .pidfd = UniqueFd(pidfd),
              .input = std::move(input->write),
              .output = std::move(output->read),
              .errors = std::move(errors->read)};
  if (outcome.error != 0) {
    siginfo_t ignored;
    ::waitid(P_PIDFD, static_cast<id_t>(pidfd), &ignored, WEXITED);
    return start_error(outcome, spec, *file);
  }
  for (const UniqueFd* fd : {&child.input, &child.output, &child.errors}) set_non_blocking(*fd);
  return child;
}

}  // namespace parley::detail
