// Prompts and their results: sending, taking, waiting, interrupting.
#include "client/session/session_impl.hpp"
#include "client/session/waiting.hpp"

namespace parley {

using detail::closed_error;
using detail::deadline_in;
using detail::wait;

Error Session::Impl::not_for_callbacks(std::string call) {
  return {ErrorCode::invalid, "messages go to on_message", std::move(call)};
}

Error Session::Impl::not_for_lines(std::string call) {
  return {ErrorCode::invalid, "with line_stream messages come from receive_line()",
          std::move(call)};
}

Error Session::Impl::waits_for_itself(std::string call) {
  return {ErrorCode::invalid, "on_message cannot wait for what only it can take", std::move(call)};
}

Result<std::string> Session::Impl::send(Prompt prompt) {
  if (prompt.content.empty()) return Error(ErrorCode::invalid, "the prompt is empty");
  UserMessage message;
  message.uuid = prompt.uuid.empty() ? make_uuid() : std::move(prompt.uuid);
  message.message.role = "user";
  message.message.content = std::move(prompt.content);
  if (prompt.priority) message.priority = *prompt.priority;
  if (!prompt.query) message.shouldQuery = false;
  if (prompt.verbatim || options_.delivery.verbatim_prompts) message.client_composed = true;
  std::string uuid = message.uuid;
  const bool query = prompt.query;
  std::string line = encode_message(Message(std::move(message)));
  bool before = false;
  const std::lock_guard sending(sending_);
  {
    // Before it is written, for its result must not come first.
    const std::lock_guard lock(mutex_);
    if (query) prompts_.sent(uuid);  // no result answers the others
    before = std::exchange(turn_, turn_ || query);
  }
  if (auto written = write_line(std::move(line)); !written) {
    const std::lock_guard lock(mutex_);
    prompts_.forget(uuid);
    turn_ = before && !ended_;
    return written.error();
  }
  return uuid;
}

Result<Message> Session::Impl::receive(std::optional<Clock::time_point> deadline) {
  if (options_.delivery.on_message) return not_for_callbacks("receive");
  if (options_.delivery.line_stream) return not_for_lines("receive");
  if (!launched_) return Error(ErrorCode::invalid, "the session is not connected");
  if (!received_) received_ = true;
  auto taken = queue_.pop(deadline);  // the only thing returned, so that it is never moved
  if (paused_) update_flow();
  if (!taken && taken.error().code() == ErrorCode::end) taken = end_of_queue();
  return taken;
}

Result<int> Session::Impl::fd() {
  if (options_.delivery.on_message) return not_for_callbacks("fd");
  received_ = true;
  return queue_.fd();
}

Error Session::Impl::end_of_queue() const {
  const std::lock_guard lock(mutex_);
  if (closing_) return closed_error();
  if (failure_) return make_error(*failure_);
  return {ErrorCode::end, "the session has ended"};
}

Result<ReceivedLine> Session::Impl::receive_line(std::optional<Clock::time_point> deadline) {
  if (!options_.delivery.line_stream) {
    return Error(ErrorCode::invalid, "needs DeliveryOptions::line_stream", "receive_line");
  }
  if (!launched_) return Error(ErrorCode::invalid, "the session is not connected");
  auto taken = queue_.pop_line(deadline);
  if (paused_) update_flow();
  if (taken && std::holds_alternative<ResultMessage>(taken->message)) {
    const std::lock_guard lock(mutex_);
    ++results_delivered_;
    changed_.notify_all();
  }
  if (!taken && taken.error().code() == ErrorCode::end) taken = end_of_queue();
  return taken;
}

void Session::Impl::withdrawn(const std::string& uuid) {
  const std::lock_guard lock(mutex_);
  prompts_.forget(uuid);
  fail_turns({uuid}, Error(ErrorCode::cancelled, "the prompt was withdrawn before its answer"));
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
  return Error(ErrorCode::timeout, "the interrupted turn did not end", "interrupt");
}

}  // namespace parley
