#include "transport/spawn.hpp"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
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
  int error = 0;  ///< Set by the child if it fails.
  bool in_chdir = false;
};

/// As the kernel has it, without the C library's bookkeeping, which the child shares with us.
struct KernelSigaction {
  void (*handler)(int);
  unsigned long flags;
  void (*restorer)();
  unsigned long mask;
};

/// Runs in the child, on a stack of its own but in our memory, while this thread waits. So nothing
/// here may allocate, lock, or run instrumented library code: plain system calls only.
#if defined(__GNUC__)
__attribute__((no_sanitize("address"), no_sanitize("thread"), no_sanitize("undefined")))
#endif
int child_main(void* argument) {
  Plan& plan = *static_cast<Plan*>(argument);
  const auto give_up = [&plan] {
    plan.error = errno;
    ::syscall(SYS_exit_group, 127);
  };

  // Handlers of ours must not run in the child, and ignored signals would stay ignored after exec.
  KernelSigaction by_default{};
  for (long number = 1; number <= 64; ++number) {
    ::syscall(SYS_rt_sigaction, number, &by_default, nullptr, sizeof by_default.mask);
  }
  const unsigned long no_signals = 0;
  ::syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  // If our process died before that call, nobody would tell the child any more.
  if (::syscall(SYS_getppid) != plan.parent) ::syscall(SYS_exit_group, 127);
  if (::syscall(SYS_setpgid, 0, 0) != 0) give_up();
  if (::syscall(SYS_dup3, plan.input, 0, 0) < 0 || ::syscall(SYS_dup3, plan.output, 1, 0) < 0 ||
      ::syscall(SYS_dup3, plan.errors, 2, 0) < 0) {
    give_up();
  }
  // What the host opened without O_CLOEXEC is not for the child. Before Linux 5.11 it leaks.
  ::syscall(SYS_close_range, 3U, ~0U, 4U /* CLOSE_RANGE_CLOEXEC */);
  if (plan.folder != nullptr && ::syscall(SYS_chdir, plan.folder) != 0) {
    plan.in_chdir = true;
    give_up();
  }
  ::syscall(SYS_rt_sigprocmask, SIG_SETMASK, &no_signals, nullptr, sizeof no_signals);
  ::syscall(SYS_execve, plan.program, plan.arguments, plan.environment);
  give_up();
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

Error start_error(const Plan& plan, const ProcessSpec& spec, const std::string& file) {
  if (plan.in_chdir) {
    return system_error(plan.error == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo,
                        "cannot use the working folder " + spec.working_folder.string(),
                        plan.error);
  }
  const std::string what = "cannot start " + file;
  switch (plan.error) {
    case ENOENT: {
      // The file is there, so the interpreter that its first line names is not.
      std::error_code ignored;
      if (std::filesystem::exists(file, ignored)) {
        return {ErrorCode::kNotFound, what + ": its interpreter does not exist"};
      }
      return system_error(ErrorCode::kNotFound, what, plan.error);
    }
    case ENOTDIR: return system_error(ErrorCode::kNotFound, what, plan.error);
    case EACCES:
    case EPERM: return system_error(ErrorCode::kPermission, what, plan.error);
    case E2BIG: return {ErrorCode::kTooLarge, what + ": its arguments are too long for the system"};
    default: return system_error(ErrorCode::kIo, what, plan.error);
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
            .parent = ::getpid()};

  void* stack = ::mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) return system_error(ErrorCode::kIo, "mmap", errno);
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  // Like vfork: the child runs in our memory until it is another program, so this takes the same
  // time in a host of ten gigabytes as in a small one, and its errors are simply there to read.
  int pidfd = -1;
  const pid_t pid = PARLEY_CLONE(child_main, static_cast<char*>(stack) + kStackBytes,
                                 CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, &plan, &pidfd);
  const int clone_error = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  ::munmap(stack, kStackBytes);
  if (pid < 0) return system_error(ErrorCode::kIo, "clone", clone_error);

  Child child{.pid = pid,
              .pidfd = UniqueFd(pidfd),
              .input = std::move(input->write),
              .output = std::move(output->read),
              .errors = std::move(errors->read)};
  if (plan.error != 0) {
    siginfo_t ignored;
    ::waitid(P_PIDFD, static_cast<id_t>(pidfd), &ignored, WEXITED);
    return start_error(plan, spec, *file);
  }
  for (const UniqueFd* fd : {&child.input, &child.output, &child.errors}) set_non_blocking(*fd);
  return child;
}

}  // namespace parley::detail
