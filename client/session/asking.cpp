// Prompts and their results: sending, taking, waiting, interrupting.
#include <algorithm>

#include "client/session/session_impl.hpp"
#include "client/session/waiting.hpp"

namespace parley {

using detail::closed_error;
using detail::deadline_in;
using detail::wait;

namespace {

Error not_for_callbacks(std::string call) {
  return {ErrorCode::kInvalid, "messages go to on_message", std::move(call)};
}

Error not_for_lines(std::string call) {
  return {ErrorCode::kInvalid, "with line_stream messages come from receive_line()",
          std::move(call)};
}

Error waits_for_itself(std::string call) {
  return {ErrorCode::kInvalid, "on_message cannot wait for what only it can take", std::move(call)};
}

}  // namespace

Result<std::string> Session::Impl::send(Prompt prompt) {
  if (prompt.content.empty()) return Error(ErrorCode::kInvalid, "the prompt is empty");
  UserMessage message;
  message.uuid = prompt.uuid.empty() ? make_uuid() : std::move(prompt.uuid);
  message.message.role = "user";
  message.message.content = std::move(prompt.content);
  if (prompt.priority) message.priority = *prompt.priority;
  if (!prompt.query) message.shouldQuery = false;
  if (prompt.verbatim || options_.verbatim_prompts) message.client_composed = true;
  std::string uuid = message.uuid;
  const bool query = prompt.query;
  std::string line = encode_message(Message(std::move(message)));
  bool before = false;
  const std::lock_guard sending(sending_);
  {
    // Before it is written, for its result must not come first.
    const std::lock_guard lock(mutex_);
    prompts_.sent(uuid);
    before = std::exchange(turn_, turn_ || query);
    // Results of earlier turns are not what a wait_turn() after this means.
    if (!before) results_waited_for_ = results_seen_;
  }
  if (auto written = write_line(std::move(line)); !written) {
    const std::lock_guard lock(mutex_);
    prompts_.forget(uuid);
    turn_ = before && !ended_;
    return written.error();
  }
  return uuid;
}

Result<std::optional<Message>> Session::Impl::receive(std::optional<Clock::time_point> deadline) {
  if (options_.on_message) return not_for_callbacks("receive");
  if (options_.line_stream) return not_for_lines("receive");
  if (!launched_) return Error(ErrorCode::kInvalid, "the session is not connected");
  return take(deadline);
}

Result<int> Session::Impl::fd() {
  if (options_.on_message) return not_for_callbacks("fd");
  return queue_.fd();
}

Result<std::optional<Message>> Session::Impl::take(std::optional<Clock::time_point> deadline,
                                                   const std::atomic<bool>* enough) {
  auto taken = queue_.pop(deadline, enough);  // the only thing returned, so that it is never moved
  if (paused_) update_flow();
  if (taken && *taken && std::holds_alternative<ResultMessage>(**taken)) {
    const std::lock_guard lock(mutex_);
    result_taken();
  }
  if (taken && !*taken) {
    if (auto error = end_of_queue()) taken = *std::move(error);
  }
  return taken;
}

std::optional<Error> Session::Impl::end_of_queue() const {
  const std::lock_guard lock(mutex_);
  if (closing_) return closed_error();
  if (failure_) return failure_->error;
  return std::nullopt;
}

Result<std::optional<ReceivedLine>> Session::Impl::receive_line(
    std::optional<Clock::time_point> deadline) {
  if (!options_.line_stream) {
    return Error(ErrorCode::kInvalid, "needs Options::line_stream", "receive_line");
  }
  if (!launched_) return Error(ErrorCode::kInvalid, "the session is not connected");
  auto taken = queue_.pop_line(deadline);
  if (paused_) update_flow();
  if (taken && *taken && std::holds_alternative<ResultMessage>((*taken)->message)) {
    const std::lock_guard lock(mutex_);
    result_taken();
  }
  if (taken && !*taken) {
    if (auto error = end_of_queue()) taken = *std::move(error);
  }
  return taken;
}

Result<ResultMessage> Session::Impl::wait_turn(Timeout timeout,
                                               const std::function<void(const Message&)>& each) {
  const auto deadline = timeout ? std::optional(Clock::now() + *timeout) : std::nullopt;
  if (options_.on_message) {
    if (messages_->on_thread()) return waits_for_itself("wait_turn");
    std::unique_lock lock(mutex_);
    const auto delivered = [this] { return results_delivered_ > results_waited_for_; };
    if (!wait(changed_, lock, deadline, [&] {
          return delivered() || closing_ || (ended_ && results_delivered_ == results_seen_);
        })) {
      return Error(ErrorCode::kTimeout, "the turn did not end in time");
    }
    if (!delivered()) return end_error();
    ++results_waited_for_;
    if (auto error = error_of(*last_result_)) return *error;
    return *last_result_;
  }
  for (;;) {
    auto message = receive(deadline);
    if (!message) return message.error();
    if (!*message) return Error(ErrorCode::kClosed, "the session ended before the turn did");
    if (each) each(**message);
    if (auto* result = std::get_if<ResultMessage>(&**message)) {
      if (auto error = error_of(*result)) return *error;
      return std::move(*result);
    }
  }
}

// ---- each answer to its question ----------------------------------------------------------------

Result<ResultMessage> Session::Impl::answer_to(Prompt prompt, Timeout timeout) {
  const auto deadline = timeout ? std::optional(Clock::now() + *timeout) : std::nullopt;
  if (options_.on_message && messages_->on_thread()) return waits_for_itself("ask");
  if (prompt.uuid.empty()) prompt.uuid = make_uuid();
  std::list<Question> asked(1);  // its node moves between the lists, and is never copied
  Question& question = asked.front();
  question.uuid = prompt.uuid;
  {
    const std::lock_guard lock(mutex_);
    questions_.splice(questions_.end(), asked);
  }
  Result<void> ended;
  if (const auto sent = send(std::move(prompt)); !sent) {
    ended = sent.error();
  } else if (options_.on_message) {
    std::unique_lock lock(mutex_);
    const bool in_time = wait(changed_, lock, deadline, [&] {
      return question.over || closing_ || (ended_ && results_delivered_ == results_seen_);
    });
    if (!in_time) ended = Error(ErrorCode::kTimeout, "the turn did not end in time");
  } else {
    // Messages on the way, and results of others, are nobody's.
    while (!question.over && ended) {
      const auto message = take(deadline, &question.over);
      if (!message) ended = message.error();
      if (message && !*message) {
        ended = Error(ErrorCode::kClosed, "the session ended before the turn did");
      }
    }
  }
  const std::lock_guard lock(mutex_);
  for (auto found = questions_.begin(); found != questions_.end(); ++found) {
    if (&*found != &question) continue;
    asked.splice(asked.end(), questions_, found);
    break;
  }
  if (!question.over) return ended ? end_error() : ended.error();
  if (!*question.answer) return question.answer->error();
  if (auto error = error_of(**question.answer)) return *error;
  return **question.answer;
}

void Session::Impl::settle(const std::vector<std::string>& uuids,
                           const Result<ResultMessage>& answer, std::uint64_t number) {
  for (Question& question : questions_) {
    if (question.answer || std::find(uuids.begin(), uuids.end(), question.uuid) == uuids.end()) {
      continue;
    }
    question.answer = answer;
    question.number = number;
  }
  tell_questions();
}

void Session::Impl::result_taken() {
  ++results_delivered_;
  tell_questions();
}

void Session::Impl::tell_questions() {
  for (Question& question : questions_) {
    if (question.answer && question.number <= results_delivered_) question.over = true;
  }
  changed_.notify_all();
  queue_.wake();
}

void Session::Impl::withdrawn(const std::string& uuid) {
  const std::lock_guard lock(mutex_);
  prompts_.forget(uuid);
  settle({uuid}, Error(ErrorCode::kCancelled, "the prompt was withdrawn before its answer"), 0);
}

// ---- interrupting -------------------------------------------------------------------------------

Result<InterruptReceipt> Session::Impl::interrupt(bool cancel_queued) {
  bool turn = false;
  std::uint64_t before = 0;
  {
    const std::lock_guard lock(mutex_);
    turn = turn_;
    before = results_seen_;
  }
  const auto deadline = deadline_in(options_.deadlines.interrupt);
  const std::string body = cancel_queued ? R"({"subtype":"interrupt","cancel_queued":true})"
                                         : R"({"subtype":"interrupt"})";
  const auto raw = request(body, "interrupt", std::nullopt);
  if (!raw) return raw.error();
  InterruptReceipt receipt;
  if (auto reply = raw->as<control::InterruptReply>()) {
    receipt.still_queued = reply->still_queued.value_or(std::vector<std::string>{});
    receipt.cancelled = reply->cancelled.value_or(std::vector<std::string>{});
    for (const std::string& uuid : receipt.cancelled) withdrawn(uuid);
  }
  if (!turn) return receipt;

  std::unique_lock lock(mutex_);
  ++waiting_;
  lock.unlock();
  update_flow();
  lock.lock();
  const bool ended =
      wait(changed_, lock, deadline, [&] { return results_seen_ > before || ended_ || closing_; });
  --waiting_;
  if (results_seen_ > before) {
    receipt.turn = last_result_;
    return receipt;
  }
  if (ended) return end_error();
  return Error(ErrorCode::kTimeout, "the interrupted turn did not end", "interrupt");
}

}  // namespace parley
