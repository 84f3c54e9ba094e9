#include "client/shared/pool.hpp"

#include <algorithm>
#include <deque>
#include <mutex>
#include <stdexcept>

namespace parley {

struct SessionPool::Impl {
  Options options;
  std::size_t size;
  mutable std::mutex mutex;
  std::deque<Session> spares;

  /// Starts what is missing. A failure is left to take(), which meets it again and can report it.
  void refill() {
    while (spares.size() < size) {
      Session session(options);
      if (!session.start()) return;
      spares.push_back(std::move(session));
    }
  }
};

SessionPool::SessionPool(Options options, std::size_t size) : impl_(std::make_unique<Impl>()) {
  if (!options.transcript.session_id.empty() || !options.resume.id.empty() ||
      options.resume.latest) {
    throw std::invalid_argument("a pool cannot start one session several times");
  }
  impl_->options = std::move(options);
  impl_->size = size;
  const std::lock_guard lock(impl_->mutex);
  impl_->refill();
}

SessionPool::~SessionPool() = default;

Result<Session> SessionPool::take() {
  // A spare that died while it waited is nobody's error but its own; but if all of them did, the
  // next start tells why.
  for (std::size_t tries = 0; tries < impl_->size; ++tries) {
    std::optional<Session> spare;
    {
      const std::lock_guard lock(impl_->mutex);
      if (impl_->spares.empty()) break;
      spare.emplace(std::move(impl_->spares.front()));
      impl_->spares.pop_front();
    }
    if (spare->wait_ready() && spare->alive()) {
      const std::lock_guard lock(impl_->mutex);
      impl_->refill();
      return std::move(*spare);
    }
  }
  Session fresh(impl_->options);
  if (auto connected = fresh.connect(); !connected) return connected.error();
  const std::lock_guard lock(impl_->mutex);
  impl_->refill();
  return fresh;
}

std::size_t SessionPool::ready() const {
  const std::lock_guard lock(impl_->mutex);
  return static_cast<std::size_t>(
      std::count_if(impl_->spares.begin(), impl_->spares.end(),
                    [](const Session& spare) { return spare.alive(); }));
}

}  // namespace parley
