#include "support/files/unique_fd.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace parley {

void UniqueFd::reset(int fd) {
  // close() is not repeated on EINTR: Linux has freed the descriptor by then.
  if (fd_ >= 0) ::close(fd_);
  fd_ = fd;
}

bool UniqueFd::close() { return ::close(release()) == 0; }

std::optional<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  Pipe made{UniqueFd(ends[0]), UniqueFd(ends[1])};
  // A host may have closed its own 0, 1 or 2.
  for (UniqueFd* end : {&made.read, &made.write}) {
    if (end->get() > 2) continue;
    const int higher = ::fcntl(end->get(), F_DUPFD_CLOEXEC, 3);
    if (higher < 0) return std::nullopt;
    end->reset(higher);
  }
  return made;
}

bool set_non_blocking(int fd) {
  const int flags = ::fcntl(fd, F_GETFL);
  return flags >= 0 && ::fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0;
}

}  // namespace parley
