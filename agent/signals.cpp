#include "agent/signals.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

namespace parley::agent {
namespace {

int pipe_ends[2] = {-1, -1};

/// May be called in the middle of anything, so it only leaves a note.
extern "C" void leave_note(int signal) {
  const int saved = errno;
  const auto byte = static_cast<unsigned char>(signal);
  (void)!::write(pipe_ends[1], &byte, 1);
  errno = saved;
}

}  // namespace

void watch_signals(std::function<void(int)> on_signal) {
  if (::pipe2(pipe_ends, O_CLOEXEC) != 0) return;
  struct sigaction action {};
  action.sa_handler = leave_note;
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(signal, &action, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  std::thread([on_signal = std::move(on_signal)] {
    for (unsigned char byte = 0;;) {
      const ssize_t count = ::read(pipe_ends[0], &byte, 1);
      if (count == 1) on_signal(byte);
      if (count == 0 || (count < 0 && errno != EINTR)) return;
    }
  }).detach();
}

}  // namespace parley::agent
