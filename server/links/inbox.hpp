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

class Inbox : public std::enable_shared_from_this<Inbox> {
 public:
  using Post = std::function<void(std::function<void()>)>;
  using Take = std::function<void(const std::string&)>;

  /// `post` runs a task on the hub's loop, where `take` is called.
  Inbox(Post post, Take take) : post_(std::move(post)), take_(std::move(take)) {}

  /// Before the first message.
  void set_socket(std::weak_ptr<http::WebSocket> socket);
  /// On the socket's thread.
  void put(std::string text);

 private:
  void taken(std::size_t bytes);

  const Post post_;
  const Take take_;
  std::mutex mutex_;
  std::weak_ptr<http::WebSocket> socket_;
  std::size_t bytes_ = 0;  ///< On their way.
  bool paused_ = false;
};

}  // namespace parley::server
