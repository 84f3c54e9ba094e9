#include "server/links/inbound_queue.hpp"

#include <utility>

namespace parley::server {
namespace {

/// Less than one message may have, so that a long one is heard before the next is read.
constexpr std::size_t kMostBytes = std::size_t{1} << 20;

}  // namespace

void InboundQueue::set_socket(std::weak_ptr<http::WebSocket> socket) {
  const std::lock_guard lock(mutex_);
  socket_ = std::move(socket);
}

void InboundQueue::push(std::string text) {
  {
    const std::lock_guard lock(mutex_);
    bytes_ += text.size();
    if (bytes_ > kMostBytes && !paused_) {
      paused_ = true;
      if (const auto socket = socket_.lock()) socket->pause();
    }
  }
  post_([self = shared_from_this(), text = std::move(text)] {
    self->handle_(text);
    self->on_handled(text.size());
  });
}

void InboundQueue::on_handled(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  bytes_ -= bytes;
  if (bytes_ > kMostBytes / 2 || !std::exchange(paused_, false)) return;
  if (const auto socket = socket_.lock()) socket->resume();
}

}  // namespace parley::server
