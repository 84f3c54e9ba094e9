// Messages between the thread that reads them and whoever takes them. Internal to client/.
//
// A message is large, and moving one costs a good part of what reading it from JSON costs. So it is
// decoded where it stays, in a batch; batches change hands as a whole; and a message is moved once,
// to whoever takes it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "../transport/unique_fd.hpp"
#include "../wire/messages.hpp"

namespace parley::detail {

struct QueuedMessage {
  /// `make` gives a Result<Message>; what it makes is made in place.
  template <class Make>
  QueuedMessage(const Make& make, std::size_t size) : message(make()), bytes(size) {}

  Result<Message> message;  ///< Once it is in a queue: a message.
  std::size_t bytes = 0;    ///< What it took on the wire.
};

/// Messages of one reader, oldest first. Its room is taken once, so that adding moves nothing.
class MessageBatch {
 public:
  static constexpr std::size_t kRoom = 32;

  [[nodiscard]] bool empty() const { return items_.empty(); }
  [[nodiscard]] bool full() const { return items_.size() == kRoom; }
  /// Not if it is full.
  template <class Make>
  QueuedMessage& add(const Make& make, std::size_t bytes) {
    items_.reserve(kRoom);
    return items_.emplace_back(make, bytes);
  }
  void drop_last() { items_.pop_back(); }

 private:
  friend class MessageQueue;
  std::vector<QueuedMessage> items_;
};

class MessageQueue {
 public:
  using Clock = std::chrono::steady_clock;

  /// Takes the messages; `batch` is empty afterwards.
  void push(MessageBatch& batch);
  /// Says that no more will come: pop() gives what is left and then the end.
  void end();
  /// Drops what is left, and ends.
  void clear_and_end();
  /// The next message; waits for it until the deadline, or for ever. Nothing at the end; kTimeout.
  Result<std::optional<Message>> pop(std::optional<Clock::time_point> deadline);

  [[nodiscard]] std::size_t bytes() const;
  [[nodiscard]] std::size_t size() const;
  /// Readable while pop() would not wait. Made at the first call.
  Result<int> fd();

 private:
  Result<std::optional<Message>> take();
  void update_fd();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<MessageBatch> batches_;  ///< None of them is empty.
  std::size_t next_ = 0;              ///< In the first batch.
  MessageBatch spare_;                ///< An empty one with its room, for the reader.
  std::size_t size_ = 0;
  std::size_t bytes_ = 0;
  bool ended_ = false;
  UniqueFd event_;
  bool signalled_ = false;
};

}  // namespace parley::detail
