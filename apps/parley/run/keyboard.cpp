#include "apps/parley/run/keyboard.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <iostream>
#include <mutex>

#include "support/process/environment.hpp"
#include "support/process/spawn.hpp"
#include "support/text/text.hpp"

namespace parley::app {
namespace {

constexpr char kEndOfInput = '\x04';  // Ctrl-D
constexpr char kEscape = '\x1b';

std::mutex terminal_mutex;
std::optional<termios> terminal_before;  ///< While a Keyboard holds the terminal.

enum class Mode { keys, lines };

void set_mode(Mode mode) {
  const std::lock_guard lock(terminal_mutex);
  if (!terminal_before) return;
  termios changed = *terminal_before;
  if (mode == Mode::keys) {
    // Ctrl-C stays a signal.
    changed.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    changed.c_cc[VMIN] = 1;
    changed.c_cc[VTIME] = 0;
  }
  ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &changed);
}

}  // namespace

bool Keyboard::present() { return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1; }

Keyboard::Keyboard(std::stop_token withdrawn) : withdrawn_(std::move(withdrawn)) {
  {
    const std::lock_guard lock(terminal_mutex);
    termios now{};
    if (::tcgetattr(STDIN_FILENO, &now) == 0) terminal_before = now;
  }
  set_mode(Mode::keys);
}

Keyboard::~Keyboard() { release_terminal(); }

void Keyboard::release_terminal() {
  const std::lock_guard lock(terminal_mutex);
  if (!terminal_before) return;
  ::tcsetattr(STDIN_FILENO, TCSADRAIN, &*terminal_before);
  terminal_before.reset();
}

bool Keyboard::wait() {
  const std::stop_callback ring(withdrawn_, [this] { bell_.set(); });
  for (;;) {
    std::array<pollfd, 2> ready{{{STDIN_FILENO, POLLIN, 0}, {bell_.fd(), POLLIN, 0}}};
    if (::poll(ready.data(), ready.size(), -1) < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    return ready[1].revents == 0;
  }
}

std::optional<char> Keyboard::key() {
  if (!wait()) return std::nullopt;
  char key = 0;
  if (::read(STDIN_FILENO, &key, 1) != 1 || key == kEndOfInput) return std::nullopt;
  // The rest of an arrow or a function key comes with its Escape and must not count as letters.
  pollfd more{STDIN_FILENO, POLLIN, 0};
  for (char rest = 0; key == kEscape && ::poll(&more, 1, 0) == 1;) {
    if (::read(STDIN_FILENO, &rest, 1) != 1 || std::isalpha(static_cast<unsigned char>(rest)))
      break;
  }
  return key;
}

std::optional<std::string> Keyboard::line(std::string_view prompt) {
  // First the mode, which throws away what was typed, and then the prompt that is answered.
  set_mode(Mode::lines);
  std::cerr << prompt << std::flush;
  std::string text;
  bool got = false;
  while (wait()) {
    std::array<char, 4096> part{};
    const ssize_t count = ::read(STDIN_FILENO, part.data(), part.size());
    if (count <= 0) break;
    text.append(part.data(), static_cast<std::size_t>(count));
    got = text.back() == '\n';
    if (got) break;
  }
  set_mode(Mode::keys);
  if (got) return std::string(trimmed(text));
  std::cerr << '\n';
  return std::nullopt;
}

int Keyboard::run(const std::string& shell_command) {
  set_mode(Mode::lines);
  SpawnSpec wanted;
  wanted.program = "/bin/sh";
  wanted.arguments = {"sh", "-c", shell_command};
  wanted.environment = environment_texts(current_environment());
  // The terminal is for our group.
  wanted.group = SpawnSpec::Group::ours;
  const Spawned started = spawn(wanted);
  int status = -1;
  while (started && ::waitpid(started.pid, &status, 0) < 0 && errno == EINTR) {
  }
  set_mode(Mode::keys);
  return started && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace parley::app
