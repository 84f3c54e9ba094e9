#include "http/socket_writer.hpp"

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>

namespace parley::http {
namespace {

/// What has left is forgotten in portions of this size at least, and an empty buffer beyond it too.
constexpr std::size_t kKept = std::size_t{64} << 10;

/// Bytes that the system took, which may be none; nothing if the client is gone.
std::optional<std::size_t> send_some(int fd, std::string_view head, std::string_view payload) {
  std::array<iovec, 2> parts{iovec{const_cast<char*>(head.data()), head.size()},
                             iovec{const_cast<char*>(payload.data()), payload.size()}};
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = parts.size();
  for (;;) {
    const ssize_t count = ::sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno == EAGAIN) return 0;
    if (errno != EINTR) return std::nullopt;
  }
}

}  // namespace

SocketWriter::State SocketWriter::attach(int fd, std::string_view first) {
  const std::lock_guard lock(mutex_);
  fd_ = fd;
  rest_.insert(0, first);
  return flush_locked();
}

void SocketWriter::detach() {
  const std::lock_guard lock(mutex_);
  fd_ = -1;
  over_ = true;
  rest_ = {};
  sent_ = 0;
  waiting_ = 0;
}

SocketWriter::State SocketWriter::send(std::string_view head, std::string_view payload) {
  const std::lock_guard lock(mutex_);
  return send_locked(head, payload);
}

SocketWriter::State SocketWriter::send_last(std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  const State state = send_locked(bytes, {});
  over_ = true;
  return state;
}

SocketWriter::State SocketWriter::flush() {
  const std::lock_guard lock(mutex_);
  return flush_locked();
}

SocketWriter::State SocketWriter::send_locked(std::string_view head, std::string_view payload) {
  const bool waited = !rest_.empty();
  if (over_) return waited ? State::waits : State::empty;
  std::size_t sent = 0;
  if (fd_ >= 0 && !waited) {
    const auto count = send_some(fd_, head, payload);
    if (!count) {
      over_ = true;
      return State::broken;
    }
    sent = *count;
    if (sent == head.size() + payload.size()) return State::empty;
  }
  const std::size_t of_head = std::min(sent, head.size());
  rest_ += head.substr(of_head);
  rest_ += payload.substr(sent - of_head);
  waiting_ = rest_.size() - sent_;
  return waited || fd_ < 0 ? State::waits : State::filled;
}

SocketWriter::State SocketWriter::flush_locked() {
  while (sent_ < rest_.size()) {
    const auto count = fd_ < 0 ? std::optional<std::size_t>(0)
                               : send_some(fd_, std::string_view(rest_).substr(sent_), {});
    if (!count) {
      over_ = true;
      rest_ = {};
      waiting_ = sent_ = 0;
      return State::broken;
    }
    sent_ += *count;
    waiting_ = rest_.size() - sent_;
    if (*count > 0) continue;
    if (sent_ > kKept) {
      rest_.erase(0, sent_);
      sent_ = 0;
    }
    return State::waits;
  }
  if (rest_.capacity() > kKept) rest_ = {};
  rest_.clear();
  sent_ = 0;
  return State::empty;
}

}  // namespace parley::http
