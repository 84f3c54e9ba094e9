#include "client/mcp/line_writer.hpp"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace parley::detail {
namespace {

/// A write to a closed pipe is an error code, not a signal, whatever the host does about SIGPIPE.
class SigpipeHeldBack {
 public:
  SigpipeHeldBack() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~SigpipeHeldBack() {
    const timespec at_once{};
    if (!was_pending_) {
      while (sigtimedwait(&pipe_, nullptr, &at_once) < 0 && errno == EINTR) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  SigpipeHeldBack(const SigpipeHeldBack&) = delete;
  SigpipeHeldBack& operator=(const SigpipeHeldBack&) = delete;

 private:
  sigset_t pipe_, before_;
  bool was_pending_ = false;
};

}  // namespace

void LineWriter::write(std::string line) {
  line += '\n';
  const std::lock_guard lock(mutex_);
  if (closed_) return;
  const SigpipeHeldBack held;
  if (write_all_of(line)) return;
  closed_ = true;
  end_.set();
}

bool LineWriter::write_all_of(std::string_view bytes) {
  while (!bytes.empty()) {
    std::array<pollfd, 2> ready = {{{fd_, POLLOUT, 0}, {end_.fd(), POLLIN, 0}}};
    if (::poll(ready.data(), ready.size(), -1) < 0) {
      if (errno == EINTR) continue;
      failure_ = errno;
      return false;
    }
    if (ready[1].revents != 0) return false;
    // So much finds room in a pipe that is ready, so this does not block, and the end is heard even
    // if nobody reads. The descriptor is shared with others, who would notice O_NONBLOCK.
    const ssize_t written =
        ::write(fd_, bytes.data(), std::min<std::size_t>(bytes.size(), PIPE_BUF));
    if (written < 0 && errno != EINTR && errno != EAGAIN) {
      failure_ = errno;
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
  }
  return true;
}

void LineWriter::close() {
  end_.set();
  const std::lock_guard lock(mutex_);
  closed_ = true;
}

std::optional<int> LineWriter::failure() {
  const std::lock_guard lock(mutex_);
  return failure_;
}

}  // namespace parley::detail
