#include "client/session/message_queue.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

namespace parley::detail {

void MessageQueue::push(std::shared_ptr<MessageBatch>& batch) {
  const auto pushed = std::exchange(batch, nullptr);
  if (!pushed || pushed->empty()) return;
  const std::lock_guard lock(mutex_);
  if (ended_) return;
  for (const auto& item : pushed->items_) bytes_ += item.bytes;
  size_ += pushed->items_.size();
  batches_.push_back(pushed);
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

void MessageQueue::wake() {
  const std::lock_guard lock(mutex_);  // so that nobody is between looking and waiting
  changed_.notify_all();
}

Result<std::optional<Message>> MessageQueue::pop(std::optional<Clock::time_point> deadline,
                                                 const std::atomic<bool>* enough) {
  // The only thing returned, so that a message is decoded where the caller wants it.
  Result<std::optional<Message>> taken(std::in_place);
  const auto over = [enough] { return enough != nullptr && *enough; };
  const auto ready = [&] { return size_ > 0 || ended_ || over(); };
  std::shared_ptr<MessageBatch> batch;  // freed without the lock
  for (std::unique_lock lock(mutex_);; lock.lock()) {
    if (!deadline) {
      changed_.wait(lock, ready);
    } else if (!ready() &&
               // Waiting for a time that is over still sleeps: who only asks must not pay for it.
               (*deadline <= Clock::now() || !changed_.wait_until(lock, *deadline, ready))) {
      taken = Error(ErrorCode::kTimeout, "no message has come in time");
      return taken;
    }
    if (over()) {
      taken = Error(ErrorCode::kTimeout, "no more messages are wanted");
      return taken;
    }
    if (size_ == 0) return taken;
    const auto item = take(batch);
    lock.unlock();
    if (item.message != nullptr) {
      *taken = std::move(*item.message);
      return taken;
    }
    const auto line = std::string_view(batch->lines_).substr(item.begin, item.bytes);
    const auto decoded = decode_message_into((*taken).emplace(), line);
    if (decoded) return taken;
    if ((*taken = salvage_(line, decoded.error()))) return taken;
  }
}

MessageBatch::Item MessageQueue::take(std::shared_ptr<MessageBatch>& batch) {
  batch = batches_.front();
  const auto item = batch->items_[next_++];
  bytes_ -= item.bytes;
  --size_;
  if (next_ == batch->items_.size()) {
    batches_.pop_front();
    next_ = 0;
  }
  update_fd();
  return item;
}

std::size_t MessageQueue::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

std::size_t MessageQueue::size() const {
  const std::lock_guard lock(mutex_);
  return size_;
}

bool MessageQueue::ready() const {
  const std::lock_guard lock(mutex_);
  return size_ > 0 || ended_;
}

Result<int> MessageQueue::fd() {
  const std::lock_guard lock(mutex_);
  if (!event_) {
    if (!event_.emplace().valid()) {
      event_.reset();
      return Error(ErrorCode::kIo, std::string("eventfd: ") + std::strerror(errno));
    }
    update_fd();
  }
  return event_->fd();
}

void MessageQueue::update_fd() {
  const bool wanted = size_ > 0 || ended_;
  if (!event_ || wanted == signalled_) return;
  if (wanted) {
    event_->set();
  } else {
    event_->clear();
  }
  signalled_ = wanted;
}

}  // namespace parley::detail
