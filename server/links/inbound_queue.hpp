// What a client says, on its way from its socket to the hub's loop. Bounded: a client that talks
// faster than the hub listens is not read from until the hub has heard what it said.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "http/exchange.hpp"

namespace parley::server {

class InboundQueue : public std::enable_shared_from_this<InboundQueue> {
 public:
  using Post = std::function<void(std::function<void()>)>;
  using Handle = std::function<void(const std::string&)>;

  /// `post` runs a task on the hub's loop, where `handle` is called with each message.
  InboundQueue(Post post, Handle handle) : post_(std::move(post)), handle_(std::move(handle)) {}

  /// Before the first message.
  void set_socket(std::weak_ptr<http::WebSocket> socket);
  /// On the socket's thread.
  void push(std::string text);

 private:
  void on_handled(std::size_t bytes);

  const Post post_;
  const Handle handle_;
  std::mutex mutex_;
  std::weak_ptr<http::WebSocket> socket_;
  std::size_t bytes_ = 0;  ///< Of messages that are on their way.
  bool paused_ = false;
};

}  // namespace parley::server
