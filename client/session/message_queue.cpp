#include "client/session/message_queue.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

namespace parley::detail {

MessageQueue::~MessageQueue() { uncount(bytes_, size_); }

void MessageQueue::count(std::size_t bytes, std::size_t messages) {
  bytes_ += bytes;
  size_ += messages;
  unread_.bytes += bytes;
  unread_.messages += messages;
}

void MessageQueue::uncount(std::size_t bytes, std::size_t messages) {
  bytes_ -= bytes;
  size_ -= messages;
  unread_.bytes -= bytes;
  unread_.messages -= messages;
}

void MessageQueue::push(std::shared_ptr<MessageBatch>& batch) {
  const auto pushed = std::exchange(batch, nullptr);
  if (!pushed || pushed->empty()) return;
  const std::lock_guard lock(mutex_);
  if (ended_) return;
  std::size_t bytes = 0;
  for (const auto& item : pushed->items_) bytes += item.bytes;
  count(bytes, pushed->items_.size());
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
  next_ = 0;
  uncount(bytes_, size_);
  ended_ = true;
  update_fd();
  changed_.notify_all();
}

std::size_t MessageQueue::trim(std::size_t most_bytes, std::size_t most_messages) {
  std::size_t dropped = 0;
  const std::lock_guard lock(mutex_);
  for (; bytes_ > most_bytes || size_ > most_messages; ++dropped) (void)take();
  return dropped;
}

void MessageQueue::wake() {
  const std::lock_guard lock(mutex_);  // so that nobody is between looking and waiting
  changed_.notify_all();
}

Result<MessageQueue::Next> MessageQueue::next(std::optional<Clock::time_point> deadline,
                                              const std::atomic<bool>* enough) {
  const auto over = [enough] { return enough != nullptr && *enough; };
  const auto ready = [&] { return size_ > 0 || ended_ || over(); };
  std::unique_lock lock(mutex_);
  if (!deadline) {
    changed_.wait(lock, ready);
  } else if (!ready() &&
             // Waiting for a time that is over still sleeps: who only asks must not pay for it.
             (*deadline <= Clock::now() || !changed_.wait_until(lock, *deadline, ready))) {
    return Error(ErrorCode::timeout, "no message has come in time");
  }
  if (size_ > 0) return take();
  if (ended_) return Error(ErrorCode::end, "there are no more messages");
  return Error(ErrorCode::timeout, "it is not waited for any longer");
}

Result<Message> MessageQueue::pop(std::optional<Clock::time_point> deadline,
                                  const std::atomic<bool>* enough) {
  // The only thing returned, so that a message is decoded where the caller wants it.
  Result<Message> taken(std::in_place);
  for (;;) {
    const auto found = next(deadline, enough);  // what it keeps alive is freed without the lock
    if (!found) {
      taken = found.error();
      return taken;
    }
    if (found->item.error != nullptr) continue;
    if (found->item.message != nullptr) {
      *taken = std::move(*found->item.message);
      return taken;
    }
    const auto decoded = decode_message_into(*taken, found->text());
    if (decoded) return taken;
    if (auto instead = salvage_(found->text(), decoded.error())) {
      *taken = *std::move(instead);
      return taken;
    }
    *taken = Message();  // of the line that failed it may hold a part
  }
}

Result<ReceivedLine> MessageQueue::pop_line(std::optional<Clock::time_point> deadline) {
  Result<ReceivedLine> taken(std::in_place);  // as in pop()
  auto found = next(deadline, nullptr);
  if (!found) {
    taken = found.error();
    return taken;
  }
  ReceivedLine& line = *taken;
  line.text = found->text();
  if (found->item.error != nullptr) {
    line.error = *found->item.error;
  } else if (found->item.message != nullptr) {
    line.message = std::move(*found->item.message);
  } else if (const auto decoded = decode_message_into(line.message, line.text); !decoded) {
    if (auto instead = salvage_(line.text, decoded.error())) {
      line.message = *std::move(instead);
    } else {
      line.error = decoded.error();
      line.text = line.text.substr(0, kShownLine);
    }
  }
  line.owner = std::move(found->batch);
  return taken;
}

MessageQueue::Next MessageQueue::take() {
  Next found{batches_.front(), batches_.front()->items_[next_++]};
  uncount(found.item.bytes, 1);
  if (next_ == found.batch->items_.size()) {
    batches_.pop_front();
    next_ = 0;
  }
  update_fd();
  return found;
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
      return Error(ErrorCode::io, std::string("eventfd: ") + std::strerror(errno));
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
