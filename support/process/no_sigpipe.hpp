// Keeps a write to a reader that is gone from ending the process. Internal to Parley.
#pragma once

#include <pthread.h>
#include <signal.h>

#include <ctime>

namespace parley {

/// For as long as it lives, in the thread that made it. A process-wide "ignore" would not be this
/// library's to decide.
class NoSigpipe {
 public:
  NoSigpipe() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t before;
    pthread_sigmask(SIG_BLOCK, &pipe_, &before);
    was_blocked_ = sigismember(&before, SIGPIPE) == 1;
  }
  ~NoSigpipe() {
    if (was_blocked_) return;
    const timespec at_once{};
    while (sigtimedwait(&pipe_, nullptr, &at_once) == SIGPIPE) {
    }
    pthread_sigmask(SIG_UNBLOCK, &pipe_, nullptr);
  }
  NoSigpipe(const NoSigpipe&) = delete;
  NoSigpipe& operator=(const NoSigpipe&) = delete;

 private:
  sigset_t pipe_;
  bool was_blocked_ = false;
};

}  // namespace parley
