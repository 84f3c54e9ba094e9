// Messages between the thread that reads them and whoever takes them. Internal to client/.
//
// A message is large, and moving one costs a good part of what reading it from JSON costs; so does
// freeing on one thread what another has allocated. So a line that the reading thread needs to know
// nothing of stays a line until it is taken, and whoever takes it decodes it on its own thread,
// where it is wanted. The others are decoded where they stay, in a batch. Batches change hands as a
// whole: the thread that reads and those that take meet once for each of them, not for each
// message.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../../support/process/wake_event.hpp"
#include "../../wire/messages/messages.hpp"
#include "../received_line.hpp"

namespace parley::detail {

/// As much is shown of a line that is no message.
inline constexpr std::size_t kShownLine = 4 * 1024;

/// Messages of one reader, oldest first.
class MessageBatch {
 public:
  /// An empty one. Its memory is used again when nobody holds it any more: a batch is made by one
  /// thread and freed by another, for which allocators return it to the system and ask for it anew.
  static std::shared_ptr<MessageBatch> make();

  [[nodiscard]] bool empty() const { return items_.empty(); }
  /// No more messages may be added, but lines.
  [[nodiscard]] bool full() const { return decoded_.size() == kRoom; }

  /// A line that is decoded when it is taken.
  void add_line(std::string_view line) {
    items_.push_back({lines_.size(), line.size(), line.size(), nullptr, nullptr});
    lines_ += line;
  }
  /// A fresh message, to be filled in place. `bytes` is what it took on the wire.
  Message& add(std::size_t bytes) {
    decoded_.reserve(kRoom);
    items_.push_back({0, 0, bytes, &decoded_.emplace_back(), nullptr});
    return decoded_.back();
  }
  /// Keeps the line that the message added last was read from.
  void keep_text(std::string_view line) {
    items_.back().begin = lines_.size();
    items_.back().text = line.size();
    lines_ += line;
  }
  /// A line that is no message, which only pop_line() tells of.
  void add_error(const Error& error, std::string_view line) {
    items_.push_back(
        {lines_.size(), line.size(), line.size(), nullptr, &errors_.emplace_back(error)});
    lines_ += line;
  }
  /// Takes back what the last add() added.
  void drop_last() {
    decoded_.pop_back();
    items_.pop_back();
  }

 private:
  friend class MessageQueue;
  class Spares;
  /// Makes it empty and keeps its memory, unless that is much.
  void clear();

  /// Messages have room for so many, taken once, so that adding one moves none.
  static constexpr std::size_t kRoom = 8;
  struct Item {
    std::size_t begin;   ///< Of its text in lines_.
    std::size_t text;    ///< The length of that; 0 if it was not kept.
    std::size_t bytes;   ///< What it took on the wire.
    Message* message;    ///< In decoded_; none for a line.
    const Error* error;  ///< In errors_.
  };
  std::vector<Item> items_;
  std::string lines_;
  std::vector<Message> decoded_;
  std::deque<Error> errors_;
  std::size_t bytes_ = 0;  ///< Of all items, once it is in a queue.
};

/// What the queues of one session hold together. A batch counts until its last message is taken.
struct Unread {
  std::atomic<std::size_t> bytes{0}, messages{0};
};

class MessageQueue {
 public:
  using Clock = std::chrono::steady_clock;
  /// What to deliver instead of a line that could not be decoded; nothing steps over it.
  using Salvage = std::function<std::optional<Message>(std::string_view line, const Error&)>;

  /// `salvage` is called by pop(). `unread` counts what is in here, and must outlive it.
  MessageQueue(Salvage salvage, Unread& unread) : salvage_(std::move(salvage)), unread_(unread) {}
  ~MessageQueue();
  MessageQueue(const MessageQueue&) = delete;
  MessageQueue& operator=(const MessageQueue&) = delete;

  /// Takes the messages; `batch` is none afterwards, and may have been none before.
  void push(std::shared_ptr<MessageBatch>& batch);
  /// Says that no more will come: pop() gives what is left and then the end.
  void end();
  /// Drops what is left, and ends.
  void clear_and_end();
  /// Drops the oldest down to so many bytes and messages. How many were dropped.
  std::size_t trim(std::size_t most_bytes, std::size_t most_messages);
  /// The next message; waits for it until the deadline, or for ever. Errors: `end`, `timeout`; with
  /// `enough`, `timeout` too if there is none when that is true; whoever sets it calls wake().
  Result<Message> pop(std::optional<Clock::time_point> deadline,
                      const std::atomic<bool>* enough = nullptr);
  /// The same with its line, and also for a line that is no message.
  Result<ReceivedLine> pop_line(std::optional<Clock::time_point> deadline);
  void wake();

  /// Both count a batch as long as something is left of it; they are 0 if nothing is left at all.
  [[nodiscard]] std::size_t bytes() const;
  [[nodiscard]] std::size_t size() const;
  /// Whether pop() would not wait, but for a line that cannot be decoded.
  [[nodiscard]] bool ready() const;
  /// Readable while ready(). Made at the first call.
  Result<int> fd();

 private:
  /// The next one, and what keeps it alive.
  struct Next {
    std::shared_ptr<MessageBatch> batch;
    MessageBatch::Item item{};
    [[nodiscard]] std::string_view text() const {
      return std::string_view(batch->lines_).substr(item.begin, item.text);
    }
  };
  Result<Next> next(std::optional<Clock::time_point> deadline, const std::atomic<bool>* enough);
  /// With `taking_` held, and without the other lock.
  std::optional<Next> take();

  // With the lock held.
  void count(std::size_t bytes, std::size_t messages);
  void uncount(std::size_t bytes, std::size_t messages);
  void update_fd();

  Salvage salvage_;
  Unread& unread_;

  /// Held by whoever takes a message, before the other lock, which is needed only where a batch
  /// begins and where it ends.
  std::mutex taking_;
  std::size_t next_ = 0;         ///< In the batch in hand.
  std::size_t taken_bytes_ = 0;  ///< Of that batch.

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  /// The batch that is being taken; changes with both locks held.
  std::shared_ptr<MessageBatch> in_hand_;
  std::deque<std::shared_ptr<MessageBatch>> batches_;  ///< Behind it. None of them is empty.
  std::size_t size_ = 0;  ///< Of all of them, and of the whole batch in hand.
  std::size_t bytes_ = 0;
  bool ended_ = false;
  std::optional<WakeEvent> event_;
  bool signalled_ = false;
};

}  // namespace parley::detail
