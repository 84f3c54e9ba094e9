// Messages between the thread that reads them and whoever takes them. Internal to client/.
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

class MessageQueue {
 public:
  using Clock = std::chrono::steady_clock;
  struct Item {
    Message message;
    std::size_t bytes = 0;  ///< What it took on the wire.
  };
  enum class Outcome { kMessage, kEnd, kTimeout };

  /// Moves the items in; `batch` is empty afterwards.
  void push(std::vector<Item>& batch);
  /// Says that no more will come: pop() gives what is left and then kEnd.
  void end();
  /// Drops what is left, and ends.
  void clear_and_end();
  /// The next message; waits for it until the deadline, or for ever.
  Outcome pop(Message& out, std::optional<Clock::time_point> deadline);

  [[nodiscard]] std::size_t bytes() const;
  [[nodiscard]] std::size_t size() const;
  /// Readable while pop() would not wait. Made at the first call.
  Result<int> fd();

 private:
  void update_fd();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> items_;
  std::size_t bytes_ = 0;
  bool ended_ = false;
  UniqueFd event_;
  bool signalled_ = false;
};

}  // namespace parley::detail
