// A client that sends exactly the bytes it is told to, and nothing by itself.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace parley::http::testing {

/// Far more than anything here takes; a test that waits this long has failed.
inline constexpr int kPatienceMs = 20'000;

class RawClient {
 public:
  explicit RawClient(std::uint16_t port) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    sockaddr generic{};
    static_assert(sizeof(generic) == sizeof(address));
    __builtin_memcpy(&generic, &address, sizeof(address));
    connected_ = ::connect(fd_, &generic, sizeof(generic)) == 0;
  }
  ~RawClient() { close(); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  [[nodiscard]] bool connected() const { return connected_; }

  /// False if the server has closed before it took everything.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  /// Everything up to and including `mark`; what came if the server closes or time is over.
  std::string read_until(std::string_view mark) {
    for (;;) {
      if (const auto at = input_.find(mark); at != std::string::npos) {
        return take(at + mark.size());
      }
      if (!receive()) return take(input_.size());
    }
  }
  std::string read(std::size_t count) {
    while (input_.size() < count && receive()) {
    }
    return take(std::min(count, input_.size()));
  }
  /// Everything up to the end of the connection.
  std::string read_all() {
    while (receive()) {
    }
    return take(input_.size());
  }
  /// One response with a Content-Length: header and body.
  std::string read_response() {
    std::string head = read_until("\r\n\r\n");
    const auto at = head.find("Content-Length: ");
    if (at == std::string::npos) return head;
    return head + read(std::stoul(head.substr(at + 16)));
  }
  /// Whether the server has ended the connection within the time.
  [[nodiscard]] bool ended() { return read_all().empty() && ended_; }

  void end_sending() { ::shutdown(fd_, SHUT_WR); }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }
  /// Goes away with a reset instead of a farewell.
  void reset() {
    const linger hard{1, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &hard, sizeof(hard));
    close();
  }
  /// Takes little into the buffers of the system, so that a server soon notices a slow reader.
  void shrink_buffers() {
    const int size = 4096;
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
  }

 private:
  bool receive() {
    pollfd ready{fd_, POLLIN, 0};
    if (::poll(&ready, 1, kPatienceMs) <= 0) return false;
    char buffer[16 * 1024];
    const ssize_t count = ::recv(fd_, buffer, sizeof(buffer), 0);
    if (count <= 0) {
      ended_ = true;
      return false;
    }
    input_.append(buffer, static_cast<std::size_t>(count));
    return true;
  }
  std::string take(std::size_t count) {
    std::string taken = input_.substr(0, count);
    input_.erase(0, count);
    return taken;
  }

  int fd_;
  bool connected_ = false;
  bool ended_ = false;
  std::string input_;
};

}  // namespace parley::http::testing
