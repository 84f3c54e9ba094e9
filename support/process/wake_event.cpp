#include "support/process/wake_event.hpp"

#include <sys/eventfd.h>

namespace parley {

WakeEvent::WakeEvent() : fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

// It can only fail when the counter is full, and then it is set.
void WakeEvent::set() const { (void)::eventfd_write(fd_.get(), 1); }

void WakeEvent::clear() const {
  eventfd_t ignored = 0;
  (void)::eventfd_read(fd_.get(), &ignored);
}

}  // namespace parley
