#include "apps/parley/stdio.hpp"

#include <signal.h>
#include <unistd.h>

#include <cerrno>

namespace parley::app {

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

int end_like(const ExitStatus& status) {
  if (!status.signal) return status.code.value_or(0);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, *status.signal);
  ::signal(*status.signal, SIG_DFL);
  ::sigprocmask(SIG_UNBLOCK, &signals, nullptr);
  ::raise(*status.signal);
  return 128 + *status.signal;  // a signal that does not end a process
}

}  // namespace parley::app
