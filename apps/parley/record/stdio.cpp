#include "apps/parley/record/stdio.hpp"

#include <signal.h>
#include <unistd.h>

namespace parley::app {

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
