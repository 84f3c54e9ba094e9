#include "client/message_queue.hpp"

#include <sys/eventfd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

namespace parley::detail {

void MessageQueue::push(MessageBatch& batch) {
  if (batch.empty()) return;
  const std::lock_guard lock(mutex_);
  if (ended_) return batch.items_.clear();
  for (const QueuedMessage& item : batch.items_) bytes_ += item.bytes;
  size_ += batch.items_.size();
  batches_.push_back(std::move(batch));
  batch = std::exchange(spare_, MessageBatch());
  update_fd();
  changed_.notify_all();
}

void MessageQueue::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  update_fd();
  changed_.notify_all();
}

void MessageQueue::clear_and_end() {
  const std::lock_guard lock(mutex_);
  batches_.clear();
  next_ = size_ = bytes_ = 0;
  ended_ = true;
  update_fd();
  changed_.notify_all();
}

Result<std::optional<Message>> MessageQueue::pop(std::optional<Clock::time_point> deadline) {
  std::unique_lock lock(mutex_);
  const auto ready = [this] { return size_ > 0 || ended_; };
  if (!deadline) {
    changed_.wait(lock, ready);
  } else if (!changed_.wait_until(lock, *deadline, ready)) {
    return Error(ErrorCode::kTimeout, "no message has come in time");
  }
  if (size_ == 0) return std::optional<Message>();
  return take();
}

Result<std::optional<Message>> MessageQueue::take() {
  auto& items = batches_.front().items_;
  QueuedMessage& item = items[next_++];
  Result<std::optional<Message>> taken(std::in_place, std::in_place, std::move(*item.message));
  bytes_ -= item.bytes;
  --size_;
  if (next_ == items.size()) {
    items.clear();
    spare_ = std::move(batches_.front());
    batches_.pop_front();
    next_ = 0;
  }
  update_fd();
  return taken;
}

std::size_t MessageQueue::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

std::size_t MessageQueue::size() const {
  const std::lock_guard lock(mutex_);
  return size_;
}

Result<int> MessageQueue::fd() {
  const std::lock_guard lock(mutex_);
  if (!event_) {
    event_.reset(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!event_) return Error(ErrorCode::kIo, std::string("eventfd: ") + std::strerror(errno));
    update_fd();
  }
  return event_.get();
}

void MessageQueue::update_fd() {
  const bool wanted = size_ > 0 || ended_;
  if (!event_ || wanted == signalled_) return;
  std::uint64_t count = 1;
  // Neither can fail: the counter is 0 or 1.
  if (wanted) {
    (void)!::write(event_.get(), &count, sizeof count);
  } else {
    (void)!::read(event_.get(), &count, sizeof count);
  }
  signalled_ = wanted;
}

}  // namespace parley::detail
