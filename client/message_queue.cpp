#include "client/message_queue.hpp"

#include <sys/eventfd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace parley::detail {

void MessageQueue::push(std::vector<Item>& batch) {
  if (batch.empty()) return;
  const std::lock_guard lock(mutex_);
  if (!ended_) {
    for (Item& item : batch) {
      bytes_ += item.bytes;
      items_.push_back(std::move(item));
    }
    update_fd();
    changed_.notify_all();
  }
  batch.clear();
}

void MessageQueue::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  update_fd();
  changed_.notify_all();
}

void MessageQueue::clear_and_end() {
  const std::lock_guard lock(mutex_);
  items_.clear();
  bytes_ = 0;
  ended_ = true;
  update_fd();
  changed_.notify_all();
}

MessageQueue::Outcome MessageQueue::pop(Message& out, std::optional<Clock::time_point> deadline) {
  std::unique_lock lock(mutex_);
  const auto ready = [this] { return !items_.empty() || ended_; };
  if (!deadline) {
    changed_.wait(lock, ready);
  } else if (!changed_.wait_until(lock, *deadline, ready)) {
    return Outcome::kTimeout;
  }
  if (items_.empty()) return Outcome::kEnd;
  out = std::move(items_.front().message);
  bytes_ -= items_.front().bytes;
  items_.pop_front();
  update_fd();
  return Outcome::kMessage;
}

std::size_t MessageQueue::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

std::size_t MessageQueue::size() const {
  const std::lock_guard lock(mutex_);
  return items_.size();
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
  const bool wanted = !items_.empty() || ended_;
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
