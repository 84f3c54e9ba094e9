// One prompt and the agent's answer to it.
//
//   parley::Turn turn = session.ask("What is in this folder?");
//   for (const std::string& piece : turn.text()) std::cout << piece << std::flush;
//   const parley::ResultMessage result = turn.result().value();
//
// A turn is matched to its prompt by the prompt's uuid, not by the order of results: whatever was
// asked before and not waited for, interrupted, or begun by the agent itself, a turn gives the
// messages and the result of its own prompt. Where the agent merges queued prompts into one turn,
// each has the messages from the moment it was taken up, and the result.
#pragma once

#include <chrono>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <string>

#include "../wire/messages/messages.hpp"
#include "session.hpp"

namespace parley {

namespace detail {
struct TurnState;

/// Walks what a source gives, once. Light on purpose: how a value is fetched is compiled in the
/// library.
template <class Value>
class PullIterator {
 public:
  using value_type = Value;
  using difference_type = std::ptrdiff_t;
  using iterator_concept = std::input_iterator_tag;
  /// False at the end; throws errors as what they are (errors.hpp).
  using Pull = bool (*)(void* source, Value& into);

  PullIterator() = default;
  PullIterator(void* source, Pull pull) : source_(source), pull_(pull), current_(new Value) {
    ++*this;
  }
  const Value& operator*() const { return *current_; }
  const Value* operator->() const { return current_.get(); }
  PullIterator& operator++() {
    if (!pull_(source_, *current_)) source_ = nullptr;
    return *this;
  }
  void operator++(int) { ++*this; }
  friend bool operator==(const PullIterator& a, std::default_sentinel_t) {
    return a.source_ == nullptr;
  }

 private:
  void* source_ = nullptr;
  Pull pull_ = nullptr;
  std::unique_ptr<Value> current_;
};

}  // namespace detail

/// A handle. Movable, not copyable. Members may be called from any thread; of several threads that
/// take messages, each message goes to one. It may outlive its session, whose end ends it.
///
/// Dropping it drops what was not read of the turn, and what is still to come; the agent works on
/// unless interrupt() was called before. Other turns, receive() and the ledger miss nothing. Do not
/// hold turns without reading them: when their messages reach Limits, the CLI has to wait, and so
/// has who waits for a later turn (`too_large`).
///
/// With DeliveryOptions::on_message, messages go there and next() and text() are errors; result(),
/// answer() and interrupt() work.
class [[nodiscard]] Turn {
 public:
  using Timeout = Session::Timeout;
  class Text;

  ~Turn();
  Turn(Turn&&) noexcept;
  Turn& operator=(Turn&&) noexcept;

  /// The uuid of the prompt.
  [[nodiscard]] const std::string& uuid() const;
  /// The result is there; next() has perhaps more to give.
  [[nodiscard]] bool over() const;

  /// The next message of the turn; the last one is its ResultMessage, also if that is an error, and
  /// then comes `end`. `timeout`: nothing is lost, ask again. `cancelled`: the prompt was withdrawn
  /// before it was answered. `invalid`: it could not be sent, or the agent had one with its uuid
  /// before. `process`, `closed`: the session ended first.
  Result<Message> next(Timeout timeout = std::nullopt);
  /// The same for a loop, which throws where next() fails. Walk it once.
  detail::PullIterator<Message> begin();
  [[nodiscard]] std::default_sentinel_t end() const { return std::default_sentinel; }
  /// The text of the answer as it is written: in small pieces with
  /// DeliveryOptions::partial_messages, else in blocks. Thoughts, and what subagents say, are no
  /// part of it.
  [[nodiscard]] Text text();
  /// Waits for the end. Messages that were not read are dropped. An error if the turn failed
  /// (error_of), or as next(). After a `timeout` the turn goes on: call it again, or interrupt().
  Result<ResultMessage> result(Timeout timeout = std::nullopt);
  /// The same, of which the text: ResultMessage::result.
  Result<std::string> answer(Timeout timeout = std::nullopt);

  /// Stops this turn: withdraws the prompt if the agent has not begun with it, else interrupts what
  /// runs, and returns when that has ended. Nothing happens if the turn is over.
  Result<InterruptReceipt> interrupt();

  /// As Session::fd(), for next() with a timeout of zero.
  Result<int> fd();

 private:
  friend class Session;
  Turn(std::shared_ptr<Session::Impl> session, std::shared_ptr<detail::TurnState> state);

  std::shared_ptr<Session::Impl> session_;
  std::shared_ptr<detail::TurnState> state_;
};

/// The text of a turn as it is written. The turn must outlive it.
class Turn::Text {
 public:
  /// The next piece, never an empty one; `end` when the turn is over. A turn that failed has its
  /// error here.
  Result<std::string> next(Timeout timeout = std::nullopt);
  /// For a loop; throws where next() fails.
  detail::PullIterator<std::string> begin();
  [[nodiscard]] std::default_sentinel_t end() const { return std::default_sentinel; }

 private:
  friend class Turn;
  explicit Text(Turn& turn) : turn_(turn) {}

  Turn& turn_;
  bool streamed_ = false;  ///< Pieces of the next whole message have been given.
};

}  // namespace parley
