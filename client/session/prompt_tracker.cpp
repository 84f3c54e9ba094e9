#include "client/session/prompt_tracker.hpp"

#include <algorithm>

namespace parley::detail {
namespace {

bool holds_tool_result(const UserMessage& message) {
  const auto* blocks = std::get_if<std::vector<ContentBlock>>(&message.message.content);
  return blocks != nullptr && std::any_of(blocks->begin(), blocks->end(), [](const auto& block) {
           return std::holds_alternative<ToolResultBlock>(block);
         });
}

}  // namespace

void PromptTracker::sent(const std::string& uuid) {
  if (find(uuid) != nullptr) return;
  // One that was answered is not run again. Who names prompts says so; for the others it would
  // stand in the way of those that are.
  if (answered_.contains(uuid) && !names_prompts_) return;
  waiting_.push_back({uuid});
}

void PromptTracker::forget(const std::string& uuid) {
  std::erase_if(waiting_, [&](const Waiting& prompt) { return prompt.uuid == uuid; });
}

PromptTracker::Settled PromptTracker::see(const Message& message) {
  if (const auto* told = std::get_if<CommandLifecycle>(&message)) return on_lifecycle(*told);
  if (const auto* result = std::get_if<ResultMessage>(&message)) return on_result(*result);
  if (std::holds_alternative<SystemInit>(message)) on_init();
  if (const auto* user = std::get_if<UserMessage>(&message)) on_user(*user);
  return {};
}

std::vector<std::string> PromptTracker::running() const {
  std::vector<std::string> uuids;
  for (const Waiting& prompt : waiting_) {
    if (prompt.started) uuids.push_back(prompt.uuid);
  }
  if (!uuids.empty() || names_prompts_ || own_turn_) return uuids;
  for (const Waiting& prompt : waiting_) {
    if (prompt.folded || &prompt == &waiting_.front()) uuids.push_back(prompt.uuid);
  }
  return uuids;
}

PromptTracker::Settled PromptTracker::on_lifecycle(const CommandLifecycle& told) {
  Waiting* prompt = find(told.command_uuid);
  if (prompt == nullptr) return {};
  names_prompts_ = true;
  const bool had = prompt->queued || prompt->started;
  if (told.state == "queued") prompt->queued = true;
  if (told.state == "started") prompt->started = true;
  Settled settled;
  if (told.state == "cancelled") {
    settled.error = Error(ErrorCode::cancelled, "the prompt was withdrawn before its answer");
  } else if (told.state == "completed" && !had) {
    // Otherwise the result is still to come: a prompt that was taken into a running turn is
    // completed before that turn is.
    settled.error = Error(ErrorCode::invalid,
                          "the agent had a prompt with this uuid before, and does not run it again",
                          told.command_uuid);
  }
  if (settled.error) {
    settled.uuids.push_back(told.command_uuid);
    forget(told.command_uuid);
  }
  return settled;
}

void PromptTracker::on_init() {
  if (!waiting_.empty()) init_per_turn_ = true;
  own_turn_ = init_per_turn_ && waiting_.empty();
}

void PromptTracker::on_user(const UserMessage& message) {
  if (message.isReplay.value_or(false)) {
    // With --replay-user-messages: the agent has taken it up.
    if (Waiting* prompt = find(message.uuid)) prompt->started = true;
  } else if (!message.parent_tool_use_id && holds_tool_result(message)) {
    // What was sent while a tool ran goes to the model together with what the tool gave.
    for (Waiting& prompt : waiting_) prompt.folded = true;
  }
}

PromptTracker::Settled PromptTracker::on_result(const ResultMessage& result) {
  std::set<std::string> named;
  if (result.user_message_uuids) {
    named.insert(result.user_message_uuids->begin(), result.user_message_uuids->end());
  }
  if (result.user_message_uuid) named.insert(*result.user_message_uuid);
  const auto is_named = [&](const Waiting& prompt) { return named.contains(prompt.uuid); };
  const auto is_started = [](const Waiting& prompt) { return prompt.started; };
  const bool names_ours = std::any_of(waiting_.begin(), waiting_.end(), is_named);
  const bool tells_all = names_ours && result.user_message_uuids;
  const bool guess =
      !names_ours && !names_prompts_ && std::none_of(waiting_.begin(), waiting_.end(), is_started);
  Settled settled;
  for (const Waiting& prompt : waiting_) {
    const bool oldest = &prompt == &waiting_.front();
    const bool guessed = guess && (prompt.folded || (oldest && !own_turn_));
    if (is_named(prompt) || (is_started(prompt) && !tells_all) || guessed) {
      settled.uuids.push_back(prompt.uuid);
    }
  }
  for (const std::string& uuid : settled.uuids) {
    forget(uuid);
    // Who names prompts tells of a repeated one; a long session need not remember them all.
    if (!names_prompts_) answered_.insert(uuid);
  }
  for (Waiting& prompt : waiting_) prompt.folded = false;
  own_turn_ = false;
  return settled;
}

PromptTracker::Waiting* PromptTracker::find(const std::string& uuid) {
  for (Waiting& prompt : waiting_) {
    if (prompt.uuid == uuid) return &prompt;
  }
  return nullptr;
}

}  // namespace parley::detail
