// How a program answers what the agent asks: a handler is a callable, and a Reply is the one chance
// to answer.
#pragma once

#include <concepts>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "../../wire/error.hpp"

namespace parley {

/// Answers one request of the agent, exactly once: the first of send(), fail() and the destructor
/// counts. A Reply that is destroyed without an answer answers with an error, so the agent never
/// waits for a request that was forgotten. A request that the agent has cancelled is not answered
/// at all. Movable, may be kept and used later from any thread, also after its session has ended.
template <class Answer>
class Reply {
 public:
  using Send = std::function<void(Result<Answer>)>;

  explicit Reply(Send send) : send_(std::move(send)) {}
  Reply(Reply&& other) noexcept : send_(std::exchange(other.send_, nullptr)) {}
  Reply& operator=(Reply&& other) noexcept {
    if (this != &other) {
      forget();
      send_ = std::exchange(other.send_, nullptr);
    }
    return *this;
  }
  ~Reply() { forget(); }

  void send(Answer answer) { once(std::move(answer)); }
  /// Tells the agent that there is no answer; `why` is shown to the model or logged.
  void fail(std::string why) { once(Error(ErrorCode::remote, std::move(why))); }
  [[nodiscard]] bool answered() const { return !send_; }

 private:
  void once(Result<Answer> result) {
    if (const Send send = std::exchange(send_, nullptr)) send(std::move(result));
  }
  void forget() {
    if (send_) fail("the client's handler gave no answer");
  }

  Send send_;
};

/// Takes a callable of one of two shapes:
///
///   Answer(const Ask&)               answers when it returns; may block, for minutes if need be
///   void(const Ask&, Reply<Answer>)  answers when it likes, e.g. from a user interface
///
/// Handlers run on a thread of their session, never on the one that reads: several may run at the
/// same time. One that throws answers with an error.
template <class Ask, class Answer>
class Handler {
 public:
  Handler() = default;

  template <class F>
  requires(std::invocable<F&, const Ask&, Reply<Answer>>) Handler(F handler)
      : call_(std::move(handler)) {}

  template <class F>
  requires(std::invocable<F&, const Ask&>&&
               std::convertible_to<std::invoke_result_t<F&, const Ask&>, Answer>) Handler(F handler)
      : call_([handler = std::move(handler)](const Ask& ask, Reply<Answer> reply) mutable {
          try {
            reply.send(handler(ask));
          } catch (const std::exception& error) {
            reply.fail("the client's handler failed: " + std::string(error.what()));
          } catch (...) {
            reply.fail("the client's handler failed");
          }
        }) {}

  explicit operator bool() const { return static_cast<bool>(call_); }
  void operator()(const Ask& ask, Reply<Answer> reply) const { call_(ask, std::move(reply)); }

 private:
  std::function<void(const Ask&, Reply<Answer>)> call_;
};

}  // namespace parley
