// The sending side of a socket, for all threads. Whoever sends does it himself, at once, if nothing
// waits; only what the system does not take is left to the thread that watches the socket. So a
// message costs one call of the system, and no other thread has to wake up for it.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <string_view>

namespace parley::http {

class SocketWriter {
 public:
  enum class State {
    empty,   ///< Everything has left.
    filled,  ///< From now on something waits: flush() is to be called when the socket takes more.
    waits,   ///< Something waits, and did before.
    broken,  ///< The client is gone. Nothing is taken any more.
  };

  /// Before there is a socket everything waits. `first` goes before it.
  State attach(int fd, std::string_view first);
  /// The socket is about to be closed. Nothing is taken any more.
  void detach();

  /// Sends the two as one. No-op after send_last().
  State send(std::string_view head, std::string_view payload);
  /// The same, and the end.
  State send_last(std::string_view bytes);
  /// Sends what waits, as far as the socket takes it.
  State flush();
  /// Bytes that wait.
  [[nodiscard]] std::size_t waiting() const { return waiting_; }

 private:
  State send_locked(std::string_view head, std::string_view payload);
  State flush_locked();

  std::mutex mutex_;
  int fd_ = -1;
  std::string rest_;
  std::size_t sent_ = 0;  ///< Of rest_.
  bool over_ = false;
  std::atomic<std::size_t> waiting_{0};
};

}  // namespace parley::http
