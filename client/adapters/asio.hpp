// For programs that run on Boost.Asio: waiting for messages with co_await. Optional; nothing else
// here includes it.
//
//   parley::Turn turn = session.ask("Hello");
//   parley::AsioTurn waiter(executor, turn);
//   const auto result = (co_await waiter.result()).value();
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

namespace detail {

/// Waits on the descriptor of something that messages come from.
template <class Source>
class AsioWaiter {
 public:
  template <class Executor>
  AsioWaiter(const Executor& executor, Source& source) : source_(source), descriptor_(executor) {}

  /// Calls `attempt` until it says something else than `timeout`. Cancelled by cancel().
  template <class Value, class Attempt>
  boost::asio::awaitable<Result<Value>> until(Attempt attempt) {
    if (!descriptor_.is_open()) {
      const Result<int> fd = source_.fd();
      if (!fd) co_return fd.error();
      // Asio closes what it is given, so it gets a descriptor of its own.
      const int copy = ::dup(*fd);
      if (copy < 0) co_return Error(ErrorCode::io, std::string("dup: ") + std::strerror(errno));
      descriptor_.assign(copy);
    }
    for (;;) {
      Result<Value> value = attempt();
      if (value || value.error().code() != ErrorCode::timeout) co_return value;
      boost::system::error_code failed;
      co_await descriptor_.async_wait(
          boost::asio::posix::stream_descriptor::wait_read,
          boost::asio::redirect_error(boost::asio::use_awaitable, failed));
      if (failed) co_return Error(ErrorCode::cancelled, failed.message());
    }
  }
  void cancel() { descriptor_.cancel(); }

 private:
  Source& source_;
  boost::asio::posix::stream_descriptor descriptor_;
};

}  // namespace detail

/// For Session::receive(). The session must outlive it. One receive() at a time.
class AsioSession {
 public:
  template <class Executor>
  AsioSession(const Executor& executor, Session& session)
      : session_(session), waiter_(executor, session) {}

  /// As Session::receive(), without blocking a thread. Cancelled by cancel().
  boost::asio::awaitable<Result<Message>> receive() {
    return waiter_.template until<Message>([this] { return session_.try_receive(); });
  }
  /// Ends a receive() that waits.
  void cancel() { waiter_.cancel(); }

 private:
  Session& session_;
  detail::AsioWaiter<Session> waiter_;
};

/// For a turn, which must outlive it. One call at a time.
class AsioTurn {
 public:
  template <class Executor>
  AsioTurn(const Executor& executor, Turn& turn) : turn_(turn), waiter_(executor, turn) {}

  /// As Turn::next(), without blocking a thread. Cancelled by cancel().
  boost::asio::awaitable<Result<Message>> next() {
    return waiter_.template until<Message>([this] { return turn_.next(kNow); });
  }
  /// As Turn::result().
  boost::asio::awaitable<Result<ResultMessage>> result() {
    return waiter_.template until<ResultMessage>([this] { return turn_.result(kNow); });
  }
  /// Ends a call that waits.
  void cancel() { waiter_.cancel(); }

 private:
  static constexpr std::chrono::milliseconds kNow{0};

  Turn& turn_;
  detail::AsioWaiter<Turn> waiter_;
};

}  // namespace parley
