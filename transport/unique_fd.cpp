#include "transport/unique_fd.hpp"

#include <unistd.h>

namespace parley {

void UniqueFd::reset(int fd) {
  // close() is not repeated on EINTR: Linux has freed the descriptor by then.
  if (fd_ >= 0) ::close(fd_);
  fd_ = fd;
}

}  // namespace parley
