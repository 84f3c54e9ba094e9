#include "client/session/message_queue.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

namespace parley::detail {

/// Of all sessions of the program.
class MessageBatch::Spares {
 public:
  /// Never destroyed: sessions may outlive every other static object.
  static Spares& instance() {
    static auto* const spares = new Spares;
    return *spares;
  }

  std::unique_ptr<MessageBatch> take() {
    const std::lock_guard lock(mutex_);
    if (batches_.empty()) return std::make_unique<MessageBatch>();
    auto batch = std::move(batches_.back());
    batches_.pop_back();
    return batch;
  }

  void put(std::unique_ptr<MessageBatch> batch) {
    batch->clear();
    const std::lock_guard lock(mutex_);
    if (batches_.size() < kMost) batches_.push_back(std::move(batch));
  }

 private:
  static constexpr std::size_t kMost = 8;
  Spares() { batches_.reserve(kMost); }

  std::mutex mutex_;
  std::vector<std::unique_ptr<MessageBatch>> batches_;
};

std::shared_ptr<MessageBatch> MessageBatch::make() {
  return {Spares::instance().take().release(), [](MessageBatch* batch) {
            Spares::instance().put(std::unique_ptr<MessageBatch>(batch));
          }};
}

void MessageBatch::clear() {
  constexpr std::size_t kMostLines = std::size_t{256} << 10;
  constexpr std::size_t kMostItems = 1024;
  if (lines_.capacity() > kMostLines) lines_ = {};
  if (items_.capacity() > kMostItems) items_ = {};
  lines_.clear();
  items_.clear();
  decoded_.clear();
  errors_.clear();
  bytes_ = 0;
}

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
  auto pushed = std::exchange(batch, nullptr);
  if (!pushed || pushed->empty()) return;
  for (const auto& item : pushed->items_) pushed->bytes_ += item.bytes;
  const std::lock_guard lock(mutex_);
  if (ended_) return;
  count(pushed->bytes_, pushed->items_.size());
  batches_.push_back(std::move(pushed));
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
  const std::scoped_lock lock(taking_, mutex_);
  in_hand_.reset();
  batches_.clear();
  uncount(bytes_, size_);
  ended_ = true;
  update_fd();
  changed_.notify_all();
}

std::size_t MessageQueue::trim(std::size_t most_bytes, std::size_t most_messages) {
  const std::lock_guard taking(taking_);
  const auto too_much = [&] {
    const std::lock_guard lock(mutex_);
    if (!in_hand_) return bytes_ > most_bytes || size_ > most_messages;
    return bytes_ - taken_bytes_ > most_bytes || size_ - next_ > most_messages;
  };
  std::size_t dropped = 0;
  while (too_much() && take()) ++dropped;
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
  for (;;) {
    {
      const std::lock_guard taking(taking_);
      if (auto found = take()) return *std::move(found);
    }
    std::unique_lock lock(mutex_);
    if (!deadline) {
      changed_.wait(lock, ready);
    } else if (!ready() &&
               // Waiting for a time that is over still sleeps: who only asks must not pay for it.
               (*deadline <= Clock::now() || !changed_.wait_until(lock, *deadline, ready))) {
      return Error(ErrorCode::timeout, "no message has come in time");
    }
    if (size_ > 0) continue;
    if (ended_) return Error(ErrorCode::end, "there are no more messages");
    return Error(ErrorCode::timeout, "it is not waited for any longer");
  }
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

std::optional<MessageQueue::Next> MessageQueue::take() {
  std::unique_lock lock(mutex_, std::defer_lock);
  if (!in_hand_) {
    lock.lock();
    if (batches_.empty()) return std::nullopt;
    in_hand_ = std::move(batches_.front());
    batches_.pop_front();
    next_ = 0;
    taken_bytes_ = 0;
  }
  const MessageBatch::Item item = in_hand_->items_[next_++];
  taken_bytes_ += item.bytes;
  if (next_ < in_hand_->items_.size()) return Next{in_hand_, item};
  if (!lock.owns_lock()) lock.lock();
  uncount(in_hand_->bytes_, in_hand_->items_.size());
  update_fd();
  return Next{std::exchange(in_hand_, nullptr), item};
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
