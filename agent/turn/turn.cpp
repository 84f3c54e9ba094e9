#include "agent/turn/turn.hpp"

#include "agent/connection/message_parts.hpp"
#include "agent/turn/hook_inputs.hpp"
#include "agent/turn/mentions.hpp"
#include "support/random.hpp"
#include "wire/codec/codec.hpp"

namespace parley::agent {
namespace {

constexpr const char* kGoOnAfterDeferral = "Continue from where you left off.";

/// Several prompts as the one message that they become.
UserMessage merged(const std::vector<UserMessage>& prompts) {
  UserMessage all = prompts.back();
  if (prompts.size() == 1) return all;
  std::vector<ContentBlock> blocks;
  for (const UserMessage& prompt : prompts) {
    if (const auto* text = std::get_if<std::string>(&prompt.message.content)) {
      blocks.emplace_back(TextBlock{*text, {}, {}, {}});
    } else {
      for (const ContentBlock& block :
           std::get<std::vector<ContentBlock>>(prompt.message.content)) {
        blocks.push_back(block);
      }
    }
  }
  all.message.content = std::move(blocks);
  return all;
}

/// With an id by which the client and the transcript know it, as later requests may name it.
UserMessage named(UserMessage prompt) {
  if (prompt.uuid.empty()) prompt.uuid = make_uuid();
  return prompt;
}

/// What is said of a prompt that a hook did not let through.
struct Refusal {
  Informational message;
  bool keeps_prompt;
};

Refusal refusal_of(const HookVerdict& verdict, const std::string& prompt) {
  const bool blocked = verdict.blocked;
  const std::string& reason = blocked ? verdict.block_reason : verdict.stop_reason;
  Informational message;
  message.content = blocked ? "UserPromptSubmit operation blocked by hook:\n" + reason
                            : "Operation stopped by hook: " + reason;
  if (blocked && !verdict.hide_prompt) message.content += "\n\nOriginal prompt: " + prompt;
  message.level = InformationalLevel::warning;
  message.prevent_continuation = true;
  message.prompt_submit_outcome =
      RawJson(Json::object({{"kind", blocked ? "blocked_by_hook" : "stopped_by_hook"},
                            {"prompt_kept", !blocked},
                            {"reason", reason}})
                  .dump());
  return {std::move(message), !blocked};
}

}  // namespace

void Turn::run(std::vector<UserMessage> prompts) {
  prompts_ = prompts;
  begin();
  for (const UserMessage& prompt : prompts_) session_.reporter.lifecycle(prompt.uuid, "started");
  context_.status.state(SessionState::running);
  if (session_.deferred) {
    report_unavailable(*session_.deferred);
  } else {
    submit(std::move(prompts), Author::client);
  }
  send_result();
  session_.running.end();
  for (const UserMessage& prompt : prompts_) {
    session_.reporter.lifecycle(prompt.uuid, record_.cancelled ? "cancelled" : "completed");
  }
  end();
}

void Turn::run_deferred() {
  begin();
  // No prompt of the client stands for this turn; it is told of a command of its own.
  const std::string command = make_uuid();
  session_.reporter.lifecycle(command, "started");
  context_.status.state(SessionState::running);
  if (execute_deferred(*session_.deferred)) {
    submit({prompt_of(kGoOnAfterDeferral)}, Author::agent);
  }
  send_result();
  session_.running.end();
  session_.reporter.lifecycle(command, record_.cancelled ? "cancelled" : "completed");
  end();
}

void Turn::begin() {
  stop_ = session_.running.begin();
  session_.title.begin_transcript();
  loop_.emplace(context_, record_, stop_);
  loop_->before_next_request([this] { append_queued_prompts(); });
}

void Turn::end() {
  context_.status.state(SessionState::idle);
  const ResultMessage& result = record_.result;
  const bool answered = !result.is_error.value_or(false) && !result.deferred_tool_use;
  if (!answered || !session_.overrides.copy().prompt_suggestions) return;
  session_.running.run_until_next(
      [ask = session_.ask_small_model, &messages = context_.messages,
       prompt = context_.conversation.last_prompt(), answer = result.result.value_or("")](
          const std::stop_token& stop) { suggest_prompt(ask, messages, prompt, answer, stop); });
}

/// Runs the call as any other. Whether the model is to go on with its result.
bool Turn::execute_deferred(const DeferredCall& deferred) {
  const bool available = context_.tools.find(deferred.call.name) != nullptr;
  if (!available && !session_.drop_unavailable_call) {
    report_unavailable(deferred);
    return false;
  }
  const bool goes_on = loop_->run_call(deferred);
  if (!available) {
    report_unavailable(deferred);
    record_.result.result = "";
  }
  session_.deferred.reset();
  return available && goes_on;
}

/// Hooks on the prompts, the init, and the conversation if there is to be one.
void Turn::submit(std::vector<UserMessage> prompts, Author author) {
  std::vector<HookVerdict> verdicts;
  std::optional<Refusal> refusal;
  bool query = false;
  for (UserMessage& prompt : prompts) {
    prompt = named(std::move(prompt));
    query = query || prompt.shouldQuery.value_or(true);
    if (!context_.hooks.any("UserPromptSubmit")) continue;
    hooks::UserPromptSubmit event;
    fill(event, context_, record_.prompt_id);
    event.prompt = text_of(prompt.message.content);
    verdicts.push_back(context_.hooks.run(event, "", make_uuid(), stop_));
    const HookVerdict& verdict = verdicts.back();
    if (verdict.session_title) session_.title.rename(*verdict.session_title);
    if (verdict.blocked || verdict.stop) refusal = refusal_of(verdict, event.prompt);
  }
  // Of several prompts in one turn the last belongs to the turn, the others came before it.
  for (std::size_t i = 0; i + 1 < prompts.size(); ++i) session_.reporter.echo(prompts[i]);
  context_.messages.send(session_.init_message(stop_));
  if (refusal) {
    if (refusal->keeps_prompt) {
      for (const UserMessage& prompt : prompts) append_prompt(prompt, author);
    }
    context_.messages.send(refusal->message);
    record_.result.result = refusal->message.content;
    record_.turns = 0;
    return;
  }
  for (const HookVerdict& verdict : verdicts) show_hook_messages(context_.messages, verdict);
  if (author == Author::client) session_.reporter.echo_answered(merged(prompts));
  for (const UserMessage& prompt : prompts) append_prompt(prompt, author);
  for (const HookVerdict& verdict : verdicts) {
    for (const std::string& context : verdict.contexts) {
      context_.conversation.append(user_text("Note of a hook: " + context));
    }
  }
  if (query) return loop_->run();
  record_.turns = 0;
  record_.result.result = "";
}

void Turn::append_prompt(const UserMessage& prompt, Author author) {
  MessageParam param;
  param.role = "user";
  param.content = prompt.message.content;
  Json line = Json::object({{"promptId", record_.prompt_id},
                            {"type", "user"},
                            {"message", RawJson(encode(param)).json().value()},
                            {"uuid", prompt.uuid},
                            {"permissionMode", std::string(context_.permissions.mode().text())}});
  if (author == Author::agent) line.set("isMeta", true);
  const std::string uuid = context_.transcript.add(std::move(line));
  if (context_.checkpoints != nullptr) context_.checkpoints->begin(uuid);
  const std::string words = text_of(param.content);
  if (author == Author::client) context_.conversation.set_last_prompt(words);
  // The API refuses messages without content.
  const auto* blocks = std::get_if<std::vector<ContentBlock>>(&param.content);
  if (blocks != nullptr ? blocks->empty() : words.empty()) {
    param.content = "(no content)";
  }
  context_.conversation.append(std::move(param));
  for (const std::string& text : read_mentions(context_, words, stop_)) {
    context_.conversation.append(user_text(text));
  }
}

/// Prompts that came while tools ran are answered along with their results.
void Turn::append_queued_prompts() {
  for (UserMessage& prompt : context_.prompts.take_for_running_turn()) {
    const UserMessage known = named(prompt);
    session_.reporter.echo_answered(known);
    append_prompt(known, Author::client);
    session_.reporter.lifecycle(prompt.uuid, "started");
    prompts_.push_back(std::move(prompt));
  }
}

}  // namespace parley::agent
