// Turns that somebody holds: which messages are theirs, how they end, and what happens if nobody
// reads them.
#include <algorithm>

#include "client/session/session_impl.hpp"
#include "client/session/waiting.hpp"
#include "client/turn.hpp"
#include "wire/codec/codec.hpp"
#include "wire/control/control.hpp"

namespace parley {

using detail::TurnState;
using detail::wait;

// ---- asking -------------------------------------------------------------------------------------

std::shared_ptr<TurnState> Session::Impl::ask(Prompt prompt) {
  if (prompt.uuid.empty()) prompt.uuid = make_uuid();
  const auto state = std::make_shared<TurnState>(
      prompt.uuid,
      [weak = weak_from_this()](std::string_view line, const Error& error) {
        const auto self = weak.lock();
        return self ? self->salvage(line, error) : std::optional<Message>();
      },
      unread_);
  {
    const std::lock_guard lock(mutex_);
    turns_.push_back(state);
    has_turns_ = true;
  }
  const auto sent =
      prompt.query
          ? send(std::move(prompt))
          : Result<std::string>(
                Error(ErrorCode::invalid, "nothing answers a prompt that is no query: use send()"));
  const std::lock_guard lock(mutex_);
  if (!sent) {
    state->error = sent.error();
    settled(state);
  } else if (ended_ || closing_) {
    settled(state);  // whoever ended the others may not have seen it
  }
  return state;
}

void Session::Impl::settled(const std::shared_ptr<TurnState>& state) {
  state->queue.end();
  std::erase(turns_, state);
  has_turns_ = !turns_.empty();
  changed_.notify_all();
}

void Session::Impl::fail_turns(const std::vector<std::string>& uuids, const Error& error) {
  const auto turns = turns_;
  for (const auto& state : turns) {
    if (std::find(uuids.begin(), uuids.end(), state->prompt) == uuids.end()) continue;
    state->error = make_error(failure_now(error));
    settled(state);
  }
}

void Session::Impl::end_turns(bool clear) {
  for (const auto& state : turns_) {
    if (clear) {
      state->queue.clear_and_end();
    } else {
      state->queue.end();
    }
  }
  turns_.clear();
  has_turns_ = false;
}

void Session::Impl::drop_turn(TurnState& state) {
  {
    const std::lock_guard lock(mutex_);
    state.dropped = true;
    state.queue.clear_and_end();
  }
  update_flow();
}

bool Session::Impl::turn_over(const TurnState& state) const {
  const std::lock_guard lock(mutex_);
  return state.result || state.error || ended_ || closing_;
}

// ---- where messages go --------------------------------------------------------------------------

Session::Impl::Destination Session::Impl::destination_of(const std::vector<std::string>& uuids) {
  Destination to;
  if (uuids.empty()) return to;
  to.stream = false;
  for (const std::string& uuid : uuids) {
    bool held = false;
    for (const auto& state : turns_) {
      if (state->prompt != uuid) continue;
      held = true;
      if (!state->dropped) to.turns.push_back(state);
    }
    if (!held) to.stream = true;
  }
  return to;
}

void Session::Impl::turn_to(Destination to) {
  if (to == to_) return;
  pass_on();
  to_ = std::move(to);
}

void Session::Impl::pass_on() {
  if (!batch_) return;
  if (to_.stream || to_.turns.empty()) return queue_.push(batch_);
  to_.turns.front()->queue.push(batch_);
}

void Session::Impl::end_turns_with(const ResultMessage& result,
                                   const std::vector<std::string>& uuids) {
  for (const auto& state : turns_) {
    if (std::find(uuids.begin(), uuids.end(), state->prompt) == uuids.end()) continue;
    state->result = result;
    state->number = results_seen_;
    finished_.push_back(state);
  }
}

void Session::Impl::finish_turns() {
  if (finished_.empty()) return;
  pass_on();
  const std::lock_guard lock(mutex_);
  for (const auto& state : finished_) settled(state);
  finished_.clear();
  to_ = Destination();
}

// ---- reading ------------------------------------------------------------------------------------

Error Session::Impl::timeout_error(std::string message) const {
  const std::lock_guard lock(mutex_);
  return make_error(failure_now(Error(ErrorCode::timeout, std::move(message))));
}

Error Session::Impl::end_of(const TurnState& state) const {
  const std::lock_guard lock(mutex_);
  if (state.error) return *state.error;
  if (state.result) return {ErrorCode::end, "the turn is over"};
  const Error ended = end_error();
  if (failure_ || closing_) return ended;
  return make_error(failure_now(Error(ErrorCode::closed, "the session ended before the turn did")));
}

Result<Message> Session::Impl::next_of(TurnState& state,
                                       std::optional<Clock::time_point> deadline) {
  if (options_.delivery.on_message) return not_for_callbacks("Turn::next");
  if (options_.delivery.line_stream) return not_for_lines("Turn::next");
  auto taken = state.queue.pop(Clock::now());  // the only thing returned, as in take()
  if (!taken && taken.error().code() == ErrorCode::timeout &&
      (!deadline || *deadline > Clock::now())) {
    {
      const std::lock_guard lock(mutex_);
      ++state.waiting;
      ++starving_;
    }
    // What others have not read may be in the way.
    if (paused_) update_flow();
    taken = state.queue.pop(deadline, &state.stuck);
    const std::lock_guard lock(mutex_);
    --state.waiting;
    --starving_;
  }
  if (state.stuck.exchange(false) && !taken && taken.error().code() == ErrorCode::timeout) {
    taken = Error(ErrorCode::too_large,
                  "other turns of this session hold " + std::to_string(unread_.bytes) +
                      " bytes that nobody has read: read them or drop their handles");
    return taken;
  }
  if (paused_) update_flow();
  if (!taken && taken.error().code() == ErrorCode::end) taken = end_of(state);
  if (!taken && taken.error().code() == ErrorCode::timeout) {
    taken = timeout_error("no message has come in time; the turn goes on, so ask again");
  }
  return taken;
}

Result<ResultMessage> Session::Impl::result_of(TurnState& state,
                                               std::optional<Clock::time_point> deadline) {
  static constexpr const char* kLate =
      "the turn did not end in time; it goes on, so wait again or interrupt it";
  if (options_.delivery.on_message || options_.delivery.line_stream) {
    if (options_.delivery.on_message && messages_->on_thread())
      return waits_for_itself("Turn::result");
    std::unique_lock lock(mutex_);
    const bool in_time = wait(changed_, lock, deadline, [&] {
      return (state.result && state.number <= results_delivered_) || state.error || closing_ ||
             (ended_ && results_delivered_ == results_seen_);
    });
    if (!in_time) {
      lock.unlock();
      return timeout_error(kLate);
    }
  } else {
    for (;;) {
      const auto message = next_of(state, deadline);
      if (message) continue;
      if (message.error().code() == ErrorCode::timeout) return timeout_error(kLate);
      if (message.error().code() == ErrorCode::too_large) return message.error();
      break;
    }
  }
  {
    const std::lock_guard lock(mutex_);
    if (state.result) {
      if (const auto error = error_of(*state.result)) {
        Failure failure = failure_now(*error);
        failure.phase = Phase::turn;
        failure.last_result = state.result;
        return make_error(failure);
      }
      return *state.result;
    }
  }
  return end_of(state);
}

Result<int> Session::Impl::fd_of(TurnState& state) {
  if (options_.delivery.on_message) return not_for_callbacks("Turn::fd");
  if (options_.delivery.line_stream) return not_for_lines("Turn::fd");
  return state.queue.fd();
}

void Session::Impl::relieve() {
  // What belongs to no turn, and nobody has ever asked for, must not stop the turns.
  if (!received_) {
    const std::size_t dropped =
        queue_.trim(options_.buffers.queue_bytes / 2, options_.buffers.queue_messages / 2);
    if (dropped > 0) {
      notice([text = std::to_string(dropped) + " messages that belong to no turn were dropped, " +
                     "because nobody receives them"](Observer& observer) {
        observer.on_warning(text);
      });
      return;
    }
  }
  // Whoever receives and is slow is waited for.
  if (queue_.bytes() > unread_.bytes / 2) return;
  for (const auto& state : turns_) {
    if (state->waiting == 0 || state->queue.size() > 0) continue;
    state->stuck = true;
    state->queue.wake();
  }
}

// ---- interrupting -------------------------------------------------------------------------------

Result<InterruptReceipt> Session::Impl::interrupt_turn(TurnState& state) {
  bool begun = false;
  {
    const std::lock_guard lock(mutex_);
    if (state.result || state.error || ended_ || closing_) return InterruptReceipt{};
    const auto running = prompts_.running();
    begun = std::find(running.begin(), running.end(), state.prompt) != running.end();
  }
  if (!begun) {
    control::CancelAsyncMessage body;
    body.message_uuid = state.prompt;
    const auto raw =
        request(encode(ControlBody(std::move(body))), "cancel_async_message", std::nullopt);
    const auto reply = raw ? raw->as<control::CancelAsyncMessageReply>()
                           : Result<control::CancelAsyncMessageReply>(raw.error());
    if (reply && reply->cancelled) {
      withdrawn(state.prompt);
      InterruptReceipt receipt;
      receipt.cancelled.push_back(state.prompt);
      return receipt;
    }
    const std::lock_guard lock(mutex_);
    const auto running = prompts_.running();
    // Still queued, behind a turn that is not this one's to interrupt.
    if (std::find(running.begin(), running.end(), state.prompt) == running.end()) {
      if (!raw) return raw.error();
      return Error(ErrorCode::invalid, "the agent has the prompt and does not give it back");
    }
  }
  return interrupt(false);
}

}  // namespace parley
