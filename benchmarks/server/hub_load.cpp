#include "benchmarks/server/hub_load.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "client/prompt.hpp"

namespace parley::bench {
namespace {

int connect_to(std::uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  sockaddr generic{};
  std::memcpy(&generic, &address, sizeof(address));
  if (::connect(fd, &generic, sizeof(generic)) != 0) throw std::runtime_error("cannot connect");
  return fd;
}

void send_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) throw std::runtime_error("the server does not read");
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

/// False at the end.
bool receive(int fd, std::string& input) {
  static std::array<char, 64 * 1024> buffer;  // one for all, never cleared: it is read into often
  const ssize_t count = ::recv(fd, buffer.data(), buffer.size(), 0);
  if (count <= 0) return false;
  input.append(buffer.data(), static_cast<std::size_t>(count));
  return true;
}

std::string head(const std::string& method, const std::string& path, const std::string& more) {
  return method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + kToken +
         "\r\n" + more + "\r\n";
}

/// A masked text frame; the mask is zero, which a server takes like any other.
std::string frame(const std::string& text) {
  std::string bytes = "\x81";
  if (text.size() < 126) {
    bytes += static_cast<char>(0x80 | text.size());
  } else {
    bytes += static_cast<char>(0x80 | 126);
    bytes += static_cast<char>(text.size() >> 8);
    bytes += static_cast<char>(text.size() & 0xFF);
  }
  return bytes + std::string(4, '\0') + text;
}

double now_us() {
  return static_cast<double>(std::chrono::duration_cast<std::chrono::microseconds>(
                                 std::chrono::system_clock::now().time_since_epoch())
                                 .count());
}

}  // namespace

ServeProcess::ServeProcess(const std::string& program, const std::vector<std::string>& arguments) {
  std::array<int, 2> out{};
  if (::pipe(out.data()) != 0) throw std::runtime_error("no pipe");
  pid_ = ::fork();
  if (pid_ == 0) {
    ::dup2(out[1], STDOUT_FILENO);
    ::close(out[0]);
    ::close(out[1]);
    std::vector<std::string> words = {program, "serve",   "--no-open", "--port",
                                      "0",     "--token", kToken};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    ::execv(program.c_str(), argv.data());
    std::_Exit(127);
  }
  ::close(out[1]);
  std::string line;
  char c = 0;
  while (::read(out[0], &c, 1) == 1 && c != '\n') line += c;
  ::close(out[0]);
  const auto colon = line.rfind(':');
  if (colon == std::string::npos) throw std::runtime_error("parley serve did not start");
  port_ = static_cast<std::uint16_t>(std::atoi(line.c_str() + colon + 1));
}

ServeProcess::~ServeProcess() {
  ::kill(pid_, SIGTERM);
  ::waitpid(pid_, nullptr, 0);
}

std::size_t ServeProcess::kilobytes() const {
  std::ifstream file("/proc/" + std::to_string(pid_) + "/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("VmRSS:")) return std::strtoull(line.c_str() + 6, nullptr, 10);
  }
  return 0;
}

std::string request(std::uint16_t port, const std::string& method, const std::string& path,
                    const std::string& body) {
  const int fd = connect_to(port);
  std::string more = "Connection: close\r\n";
  if (!body.empty()) {
    more +=
        "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
  }
  send_all(fd, head(method, path, more) + body);
  std::string answer;
  while (receive(fd, answer)) {
  }
  ::close(fd);
  const auto end = answer.find("\r\n\r\n");
  if (!answer.starts_with("HTTP/1.1 200") || end == std::string::npos) {
    throw std::runtime_error(method + " " + path + ": " + answer.substr(0, answer.find('\r')));
  }
  return answer.substr(end + 4);
}

Viewers::~Viewers() {
  for (const Viewer& viewer : viewers_) ::close(viewer.fd);
}

void Viewers::add(const std::string& session) {
  Viewer viewer;
  viewer.session = session;
  viewer.fd = connect_to(port_);
  send_all(viewer.fd, head("GET", "/api/socket",
                           "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: "
                           "13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"));
  while (viewer.input.find("\r\n\r\n") == std::string::npos) {
    if (!receive(viewer.fd, viewer.input)) throw std::runtime_error("no WebSocket");
  }
  viewer.input.erase(0, viewer.input.find("\r\n\r\n") + 4);
  send_all(viewer.fd, frame(R"({"type":"attach","session":")" + session + R"(","after":0})"));
  ::fcntl(viewer.fd, F_SETFL, O_NONBLOCK);
  viewers_.push_back(std::move(viewer));
}

void Viewers::prompt_all(const std::string& text) {
  for (const Viewer& viewer : viewers_) {
    send_all(viewer.fd,
             frame(R"({"type":"send","session":")" + viewer.session + R"(","client_id":")" +
                   make_uuid() + R"(","content":")" + text + R"("})"));
  }
}

void Viewers::take(Viewer& viewer, std::vector<double>& ages) {
  std::size_t at = 0;
  const double now = now_us();
  for (;;) {
    const std::string_view rest = std::string_view(viewer.input).substr(at);
    if (rest.size() < 2) break;
    const auto byte = [&rest](std::size_t i) { return static_cast<unsigned char>(rest[i]); };
    std::size_t size = byte(1) & 127U;
    std::size_t start = 2;
    if (size >= 126) {
      const std::size_t digits = size == 126 ? 2 : 8;
      if (rest.size() < 2 + digits) break;
      size = 0;
      for (std::size_t i = 0; i < digits; ++i) size = size << 8 | byte(2 + i);
      start += digits;
    }
    if (rest.size() < start + size) break;
    const std::string_view message = rest.substr(start, size);
    at += start + size;
    if (!message.starts_with(R"({"type":"event")")) continue;
    constexpr std::string_view kMark = R"("text":"at )";
    if (const auto mark = message.find(kMark); mark != std::string_view::npos) {
      ages.push_back((now - std::strtod(message.data() + mark + kMark.size(), nullptr)) / 1000);
    } else if (message.find(R"("type":"result")") != std::string_view::npos) {
      viewer.done = true;
    }
  }
  viewer.input.erase(0, at);
}

std::vector<double> Viewers::read(double seconds) {
  const int poll = ::epoll_create1(EPOLL_CLOEXEC);
  for (std::size_t i = 0; i < viewers_.size(); ++i) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = i;
    ::epoll_ctl(poll, EPOLL_CTL_ADD, viewers_[i].fd, &event);
  }
  std::vector<double> ages;
  const double end = now_us() + seconds * 1e6;
  std::array<epoll_event, 256> ready{};
  std::size_t reading = viewers_.size();
  while (now_us() < end && reading > 0) {
    const int count = ::epoll_wait(poll, ready.data(), static_cast<int>(ready.size()), 100);
    for (int i = 0; i < count; ++i) {
      Viewer& viewer = viewers_[ready[static_cast<std::size_t>(i)].data.u64];
      const bool was_done = viewer.done;
      if (!receive(viewer.fd, viewer.input)) {
        ::epoll_ctl(poll, EPOLL_CTL_DEL, viewer.fd, nullptr);
        viewer.done = true;
      }
      take(viewer, ages);
      if (viewer.done && !was_done) --reading;
    }
  }
  ::close(poll);
  std::sort(ages.begin(), ages.end());
  return ages;
}

}  // namespace parley::bench
