// A server with one handler, for the tests of http/.
#pragma once

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>

#include "http/server.hpp"
#include "raw_client.hpp"

namespace parley::http::testing {

using namespace std::chrono_literals;

inline std::unique_ptr<Server> serve(Handler handler, Limits limits = {}, int threads = 1) {
  ServerOptions options;
  options.limits = limits;
  options.threads = threads;
  return Server::start(options, std::move(handler)).value();
}

/// Answers with what it was asked.
inline void echo(const std::shared_ptr<Exchange>& exchange) {
  const Request& request = exchange->request();
  exchange->respond(
      Response::text(200, request.method + " " + request.target + " " + request.body));
}

inline std::string get(std::string_view target) {
  return "GET " + std::string(target) + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
}

/// What the answer says behind its header.
inline std::string body_of(const std::string& response) {
  const auto at = response.find("\r\n\r\n");
  return at == std::string::npos ? std::string() : response.substr(at + 4);
}
inline std::string status_of(const std::string& response) { return response.substr(0, 12); }

/// Waits until a condition holds that other threads make true.
class Signal {
 public:
  void set() {
    const std::lock_guard lock(mutex_);
    set_ = true;
    changed_.notify_all();
  }
  [[nodiscard]] bool wait() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::milliseconds(kPatienceMs), [this] { return set_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool set_ = false;
};

}  // namespace parley::http::testing
