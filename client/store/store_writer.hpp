// Hands what a session writes to its store, in order and off the loop thread. Internal to client/.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "../handlers/dispatcher.hpp"
#include "session_store.hpp"

namespace parley::detail {

class StoreWriter : public std::enable_shared_from_this<StoreWriter> {
 public:
  /// Both are called on the writer's thread: `failed` when an append was given up, `written` after
  /// each that is done with.
  struct Events {
    std::function<void(const SessionKey&, const Error&)> failed;
    std::function<void()> written;
  };
  StoreWriter(std::shared_ptr<SessionStore> store, Events events)
      : store_(std::move(store)), events_(std::move(events)) {}

  void add(SessionKey key, std::vector<RawJson> entries);
  /// What waits, in bytes: a store that is slower than the agent must slow it down.
  [[nodiscard]] std::size_t waiting_bytes() const { return waiting_bytes_; }
  /// Waits until all is written, at most that long; a store that calls this from append() does not
  /// wait for itself. What is added afterwards is dropped.
  void finish(std::chrono::milliseconds patience) { thread_->finish(patience); }

 private:
  [[nodiscard]] Result<void> append(const SessionKey& key, const std::vector<RawJson>& entries);

  const std::shared_ptr<SessionStore> store_;
  const Events events_;
  const std::shared_ptr<Dispatcher> thread_ = std::make_shared<Dispatcher>(1);
  std::atomic<std::size_t> waiting_bytes_ = 0;
};

}  // namespace parley::detail
