#include "raw_server.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

namespace parley::testing {

std::string Peer::read_request() {
  const auto more = [this] {
    char bytes[4096];
    const ssize_t got = ::recv(fd_, bytes, sizeof bytes, 0);
    if (got > 0) buffered_.append(bytes, static_cast<std::size_t>(got));
    return got > 0;
  };
  std::size_t head = 0;
  while ((head = buffered_.find("\r\n\r\n")) == std::string::npos) {
    if (!more()) return {};
  }
  std::size_t size = head + 4;
  if (const std::size_t at = buffered_.find("Content-Length: "); at < head) {
    size += std::strtoul(buffered_.c_str() + at + 16, nullptr, 10);
  }
  while (buffered_.size() < size) {
    if (!more()) return {};
  }
  std::string request = buffered_.substr(0, size);
  buffered_.erase(0, size);
  return request;
}

bool Peer::send(const std::string& bytes) {
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t some = ::send(fd_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (some <= 0) return false;
    sent += static_cast<std::size_t>(some);
  }
  return true;
}

bool Peer::send_events(const std::string& events) {
  return send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: " +
              std::to_string(events.size()) + "\r\nRequest-Id: req_1\r\n\r\n" + events);
}

void Peer::wait_for_close() {
  char bytes[4096];
  while (::recv(fd_, bytes, sizeof bytes, 0) > 0) {
  }
}

void Peer::reset() {
  const linger at_once{1, 0};
  ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

RawServer::RawServer(Handler handler) : handler_(std::move(handler)) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      ::listen(listener_, 64) != 0 ||
      ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    throw std::runtime_error("no loopback server");
  }
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { accept_all(); });
}

RawServer::~RawServer() {
  ::shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  {
    const std::lock_guard lock(mutex_);
    for (const int fd : open_) ::shutdown(fd, SHUT_RDWR);
  }
  for (std::thread& handler : handlers_) handler.join();
  ::close(listener_);
}

void RawServer::accept_all() {
  for (;;) {
    const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) return;
    ++connections_;
    {
      const std::lock_guard lock(mutex_);
      open_.push_back(fd);
    }
    handlers_.emplace_back([this, fd] {
      Peer peer(fd);
      handler_(peer);
      const std::lock_guard lock(mutex_);
      std::erase(open_, fd);
      ::close(fd);
    });
  }
}

std::string sse(const std::string& json) { return "data: " + json + "\n\n"; }

std::string text_answer(const std::string& text) {
  return sse(R"({"type":"message_start","message":{"id":"msg_1","type":"message",)"
             R"("role":"assistant","model":"m","content":[],"stop_reason":null,)"
             R"("stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":1}}})") +
         sse(R"({"type":"content_block_start","index":0,)"
             R"("content_block":{"type":"text","text":""}})") +
         sse(R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":")" +
             text + R"("}})") +
         sse(R"({"type":"content_block_stop","index":0})") +
         sse(R"({"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},)"
             R"("usage":{"output_tokens":20}})") +
         sse(R"({"type":"message_stop"})");
}

}  // namespace parley::testing
