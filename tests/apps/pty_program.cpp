#include "tests/apps/pty_program.hpp"

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

namespace parley::testing {
namespace {

constexpr int kPatienceMs = 30'000;

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

}  // namespace

PtyProgram::PtyProgram(std::vector<std::string> command, const Environment& environment) {
  std::vector<std::string> variables;
  for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
  const auto arguments = pointers(command), settings = pointers(variables);
  int terminal = -1;
  pid_ = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  if (pid_ < 0) throw std::runtime_error("forkpty failed");
  if (pid_ == 0) {
    ::execve(arguments[0], arguments.data(), settings.data());
    ::_exit(127);
  }
  terminal_.reset(terminal);
}

PtyProgram::~PtyProgram() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

bool PtyProgram::read_more() {
  pollfd ready{terminal_.get(), POLLIN, 0};
  if (::poll(&ready, 1, kPatienceMs) != 1) {
    ::kill(pid_, SIGKILL);  // it will not end by itself
    return false;
  }
  std::array<char, 4096> part{};
  const ssize_t count = ::read(terminal_.get(), part.data(), part.size());
  if (count <= 0) return false;  // EIO: nobody holds the other end any more
  screen_.append(part.data(), static_cast<std::size_t>(count));
  return true;
}

bool PtyProgram::shows(std::string_view text) {
  for (;;) {
    const auto at = screen_.find(text, seen_);
    if (at != std::string::npos) {
      seen_ = at + text.size();
      return true;
    }
    if (!read_more()) return false;
  }
}

void PtyProgram::type(std::string_view keys) {
  while (!keys.empty()) {
    const ssize_t count = ::write(terminal_.get(), keys.data(), keys.size());
    if (count <= 0) return;
    keys.remove_prefix(static_cast<std::size_t>(count));
  }
}

int PtyProgram::wait() {
  while (read_more()) {
  }
  int status = 0;
  if (::waitpid(pid_, &status, 0) != pid_) return -1;
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool PtyProgram::terminal_is_as_before() const {
  termios mode{};
  return ::tcgetattr(terminal_.get(), &mode) == 0 && (mode.c_lflag & ICANON) != 0 &&
         (mode.c_lflag & ECHO) != 0;
}

}  // namespace parley::testing
