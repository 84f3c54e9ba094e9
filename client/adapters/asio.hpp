// For programs that run on Boost.Asio: waiting for messages with co_await. Optional; nothing else
// here includes it.
//
//   parley::AsioSession waiter(executor, session);
//   while (auto message = (co_await waiter.receive()).value()) { ... }
#pragma once

#include <unistd.h>

// Boost 1.74 uses std::exchange without including it, so this comes first.
// clang-format off
#include <utility>
// clang-format on

#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <cstring>
#include <optional>

#include "../session.hpp"

namespace parley {

/// Waits on the descriptor of a session. The session must outlive it. One receive() at a time.
class AsioSession {
 public:
  template <class Executor>
  AsioSession(const Executor& executor, Session& session)
      : session_(session), descriptor_(executor) {}

  /// As Session::receive(), without blocking a thread. Cancelled by cancel().
  boost::asio::awaitable<Result<std::optional<Message>>> receive() {
    if (!descriptor_.is_open()) {
      const Result<int> fd = session_.fd();
      if (!fd) co_return fd.error();
      // Asio closes what it is given, so it gets a descriptor of its own.
      const int copy = ::dup(*fd);
      if (copy < 0) co_return Error(ErrorCode::kIo, std::string("dup: ") + std::strerror(errno));
      descriptor_.assign(copy);
    }
    for (;;) {
      auto message = session_.try_receive();
      if (message || message.error().code() != ErrorCode::kTimeout) co_return message;
      boost::system::error_code failed;
      co_await descriptor_.async_wait(
          boost::asio::posix::stream_descriptor::wait_read,
          boost::asio::redirect_error(boost::asio::use_awaitable, failed));
      if (failed) co_return Error(ErrorCode::kCancelled, failed.message());
    }
  }
  /// Ends a receive() that waits.
  void cancel() { descriptor_.cancel(); }

 private:
  Session& session_;
  boost::asio::posix::stream_descriptor descriptor_;
};

}  // namespace parley
