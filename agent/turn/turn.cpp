#include "agent/turn/turn.hpp"

#include <algorithm>

#include "agent/connection/init_message.hpp"
#include "agent/turn/hook_inputs.hpp"
#include "agent/turn/mentions.hpp"
#include "agent/turn/prompt_suggestion.hpp"
#include "agent/uuid.hpp"
#include "wire/codec/codec.hpp"

namespace parley::agent {
namespace {

/// How often the model is asked to go on where its answer was cut off by the limit of tokens.
constexpr int kMostContinuations = 3;
constexpr int kMostEmptyAnswers = 3;
constexpr int kMostCuts = 5;
constexpr int kMostPauses = 20;

constexpr const char* kGoOnAfterLimit =
    "Your answer reached the limit of tokens for one message. Go on exactly where it stops, "
    "without "
    "repeating anything, and do the rest in smaller pieces.";
constexpr const char* kGoOnAfterCut =
    "The connection broke in the middle of your answer. Go on exactly where it stops; if nothing "
    "of "
    "it is there, answer from the beginning.";
constexpr const char* kNothingVisible =
    "[Your last answer had nothing in it that the user can see. Please answer.]";
constexpr const char* kStoppedBySafety =
    "A safety check stopped your answer above. What it held back is not to be said again, in any "
    "wording. Go on without it.";
constexpr const char* kGoOnAfterDeferral = "Continue from where you left off.";
/// Told to the model until the session is resumed; the transcript has nothing in this place.
constexpr const char* kPutOff =
    "[A hook put this call off. It has not been carried out, and will not be in this session.]";
constexpr const char* kOverBudget =
    "[The budget of this session was used up. The call has not been carried out.]";
constexpr const char* kDropUnavailable = "CLAUDE_CODE_DROP_UNAVAILABLE_DEFERRED_TOOL";
constexpr const char* kCallStructuredOutput =
    "[structured-output-enforce] Give your answer with the StructuredOutput tool now.";

std::string text_of(const Content& content) {
  if (const auto* text = std::get_if<std::string>(&content)) return *text;
  std::string all;
  for (const ContentBlock& block : std::get<std::vector<ContentBlock>>(content)) {
    if (const auto* text = std::get_if<TextBlock>(&block)) {
      all += (all.empty() ? "" : "\n") + text->text;
    }
  }
  return all;
}

MessageParam user_text(const std::string& text) {
  MessageParam param;
  param.role = "user";
  param.content = std::vector<ContentBlock>{TextBlock{text, {}, {}, {}}};
  return param;
}

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

Json json_of(const MessageParam& param) { return RawJson(encode(param)).json().value(); }

ToolResultBlock not_done(const ToolUseBlock& call, const char* why) {
  ToolResultBlock block;
  block.tool_use_id = call.id;
  block.content = why;
  block.is_error = true;
  return block;
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

void add_usage(Usage& sum, const Usage& more) {
  const auto add = [](std::optional<std::int64_t>& to, const std::optional<std::int64_t>& value) {
    to = to.value_or(0) + value.value_or(0);
  };
  add(sum.input_tokens, more.input_tokens);
  add(sum.output_tokens, more.output_tokens);
  add(sum.cache_creation_input_tokens, more.cache_creation_input_tokens);
  add(sum.cache_read_input_tokens, more.cache_read_input_tokens);
  if (!sum.cache_creation) sum.cache_creation.emplace();
  const CacheCreation created = more.cache_creation.value_or(CacheCreation{});
  add(sum.cache_creation->ephemeral_1h_input_tokens, created.ephemeral_1h_input_tokens);
  add(sum.cache_creation->ephemeral_5m_input_tokens, created.ephemeral_5m_input_tokens);
  if (!sum.server_tool_use) sum.server_tool_use.emplace();
  const ServerToolUse used = more.server_tool_use.value_or(ServerToolUse{});
  add(sum.server_tool_use->web_search_requests, used.web_search_requests);
  add(sum.server_tool_use->web_fetch_requests, used.web_fetch_requests);
  sum.service_tier = more.service_tier.value_or("standard");
}

void Turn::run(std::vector<UserMessage> prompts) {
  prompts_ = prompts;
  begin();
  for (const UserMessage& prompt : prompts_) show_lifecycle(prompt.uuid, "started");
  session_.show_state(SessionState::running);
  if (session_.deferred) {
    report_unavailable(*session_.deferred);
  } else {
    submit(std::move(prompts), Author::kClient);
  }
  finish();
  session_.end_turn();
  for (const UserMessage& prompt : prompts_) {
    show_lifecycle(prompt.uuid, cancelled_ ? "cancelled" : "completed");
  }
  end();
}

void Turn::run_deferred() {
  begin();
  // No prompt of the client stands for this turn; it is told of a command of its own.
  const std::string command = make_uuid();
  show_lifecycle(command, "started");
  session_.show_state(SessionState::running);
  if (execute_deferred(*session_.deferred)) {
    submit({prompt_of(kGoOnAfterDeferral)}, Author::kAgent);
  }
  finish();
  session_.end_turn();
  show_lifecycle(command, cancelled_ ? "cancelled" : "completed");
  end();
}

void Turn::begin() {
  stop_ = session_.begin_turn();
  session_.begin_transcript();
  prompt_id_ = make_uuid();
  add_usage(usage_, Usage{});
  result_.subtype = ResultSubtype::success;
  result_.is_error = false;
}

void Turn::end() {
  session_.show_state(SessionState::idle);
  const bool answered = !result_.is_error.value_or(false) && !result_.deferred_tool_use;
  if (session_.overrides().prompt_suggestions && answered) {
    session_.run_until_next_turn(
        [&session = session_, prompt = session_.last_prompt, answer = result_.result.value_or("")](
            const std::stop_token& stop) { suggest_prompt(session, prompt, answer, stop); });
  }
}

void Turn::show_lifecycle(const std::string& uuid, const char* state) {
  if (uuid.empty()) return;
  CommandLifecycle message;
  message.command_uuid = uuid;
  message.state = state;
  session_.output.send(std::move(message));
}

void Turn::send_init() { session_.output.send(init_message(session_)); }

/// Runs the call as any other. Whether the model is to go on with its result.
bool Turn::execute_deferred(const DeferredCall& deferred) {
  const bool available = session_.find_offered(deferred.call.name) != nullptr;
  if (!available && !session_.switched_on(kDropUnavailable)) {
    report_unavailable(deferred);
    return false;
  }
  ToolRuns tools(session_, stop_, prompt_id_);
  tools.record_results();
  tools.start(deferred.call, deferred.source_uuid);
  tools.wait();
  append_results(tools);
  const bool ends = end_by_tools(tools);
  if (!available) {
    report_unavailable(deferred);
    result_.result = "";
  }
  session_.deferred.reset();
  return available && !ends;
}

/// The tool that a hook put off is not there any more. It stays to be carried out, by a session
/// that has the tool.
void Turn::report_unavailable(const DeferredCall& deferred) {
  cancelled_ = true;
  turns_ = 0;
  result_.is_error = true;
  result_.stop_reason = "tool_deferred_unavailable";
  result_.terminal_reason = TerminalReason::tool_deferred_unavailable;
  result_.deferred_tool_use =
      DeferredToolUse{deferred.call.id, deferred.call.name, deferred.call.input, {}};
  result_.result = deferred.call.name +
                   " isn't available, so its deferred call didn't run. Resume the session with the "
                   "tool, or with a prompt and " +
                   kDropUnavailable + "=1 to drop the call.";
}

/// Hooks on the prompts, the init, and the conversation if there is to be one.
void Turn::submit(std::vector<UserMessage> prompts, Author author) {
  std::vector<HookVerdict> verdicts;
  std::optional<Refusal> refusal;
  bool query = false;
  for (UserMessage& prompt : prompts) {
    prompt = named(std::move(prompt));
    query = query || prompt.shouldQuery.value_or(true);
    if (!session_.hooks->any("UserPromptSubmit")) continue;
    hooks::UserPromptSubmit event;
    fill(event, session_, prompt_id_);
    event.prompt = text_of(prompt.message.content);
    verdicts.push_back(session_.hooks->run(event, "", make_uuid(), stop_));
    const HookVerdict& verdict = verdicts.back();
    if (verdict.session_title) session_.rename(*verdict.session_title);
    if (verdict.blocked || verdict.stop) refusal = refusal_of(verdict, event.prompt);
  }
  // Of several prompts in one turn the last belongs to the turn, the others came before it.
  for (std::size_t i = 0; i + 1 < prompts.size(); ++i) session_.echo(prompts[i]);
  send_init();
  if (refusal) {
    if (refusal->keeps_prompt) {
      for (const UserMessage& prompt : prompts) append_prompt(prompt, author);
    }
    session_.output.send(refusal->message);
    result_.result = refusal->message.content;
    turns_ = 0;
    return;
  }
  for (const HookVerdict& verdict : verdicts) show_hook_messages(session_, verdict);
  if (author == Author::kClient) session_.echo(merged(prompts));
  for (const UserMessage& prompt : prompts) append_prompt(prompt, author);
  for (const HookVerdict& verdict : verdicts) {
    for (const std::string& context : verdict.contexts) {
      session_.tell(user_text("Note of a hook: " + context));
    }
  }
  if (query) return run_loop();
  turns_ = 0;
  result_.result = "";
}

void Turn::append_prompt(const UserMessage& prompt, Author author) {
  MessageParam param;
  param.role = "user";
  param.content = prompt.message.content;
  Json line = Json::object({{"promptId", prompt_id_},
                            {"type", "user"},
                            {"message", json_of(param)},
                            {"uuid", prompt.uuid},
                            {"permissionMode", std::string(session_.permissions->mode().text())}});
  if (author == Author::kAgent) line.set("isMeta", true);
  const std::string uuid = session_.transcript->add(std::move(line));
  if (session_.checkpoints) session_.checkpoints->begin(uuid);
  const std::string words = text_of(param.content);
  if (author == Author::kClient) session_.last_prompt = words;
  // The API refuses messages without content.
  const auto* blocks = std::get_if<std::vector<ContentBlock>>(&param.content);
  if (blocks != nullptr ? blocks->empty() : words.empty()) {
    param.content = "(no content)";
  }
  session_.tell(std::move(param));
  for (const std::string& text : read_mentions(session_, words)) {
    session_.tell(user_text(text));
  }
}

// ---- the loop -----------------------------------------------------------------------------------

void Turn::run_loop() {
  while (!over_budget()) {
    ToolRuns tools(session_, stop_, prompt_id_);
    // With a budget, tools run only when it is known that the answer was within it.
    HeldCalls held;
    ModelResponse answer(session_, clock_, stop_,
                         [&](const ToolUseBlock& call, const std::string& uuid) {
                           if (session_.flags.max_budget_usd) {
                             held.emplace_back(call, uuid);
                           } else {
                             tools.start(call, uuid);
                           }
                         });
    const ModelResponse::End end = answer.run();
    ++answers_;
    add_usage(usage_, answer.usage());
    session_.change_totals([&](SessionTotals& totals) {
      if (end != ModelResponse::End::kFailed) totals.last_usage = answer.usage();
    });
    result_.stop_reason =
        answer.stop_reason().empty() ? result_.stop_reason : std::optional(answer.stop_reason());
    if (end == ModelResponse::End::kFailed) {
      result_.is_error = true;
      result_.result = answer.error()->text;
      result_.stop_reason = "stop_sequence";
      result_.terminal_reason = answer.error()->reason;
      if (answer.outcome().status != 0) result_.api_error_status = answer.outcome().status;
      if (!answer.outcome().error_type.empty()) {
        result_.api_error_type = answer.outcome().error_type;
      }
      return;
    }
    if (end != ModelResponse::End::kInterrupted && over_budget()) {
      append_answer(answer);
      return append_unexecuted(held);
    }
    for (const auto& [call, uuid] : held) tools.start(call, uuid);
    tools.record_results();
    tools.wait();
    append_answer(answer);
    if (end == ModelResponse::End::kInterrupted && tools.empty()) {
      result_.stop_reason.reset();
      return interrupted(answer);
    }
    const bool go_on = [&] {
      if (!tools.empty()) return after_tools(tools) == Next::kGoOn;
      if (end == ModelResponse::End::kCutOff) return after_cut(answer) == Next::kGoOn;
      return after_answer(answer) == Next::kGoOn;
    }();
    if (!go_on) return;
  }
}

void Turn::append_answer(const ModelResponse& answer) {
  if (answer.blocks().empty()) return;
  MessageParam param;
  param.role = "assistant";
  param.content = answer.blocks();
  session_.tell(std::move(param));
  if (session_.last_prompt.empty()) return;
  session_.transcript->note(Json::object({{"type", "last-prompt"},
                                          {"lastPrompt", session_.last_prompt},
                                          {"leafUuid", answer.uuids().back()}}));
}

/// The calls stand in the conversation and will not be carried out. The API accepts no call without
/// a result.
void Turn::append_unexecuted(const HeldCalls& calls) {
  if (calls.empty()) return;
  std::vector<ContentBlock> blocks;
  for (const auto& [call, uuid] : calls) blocks.emplace_back(not_done(call, kOverBudget));
  MessageParam results;
  results.role = "user";
  results.content = std::move(blocks);
  session_.tell(std::move(results));
}

/// What the calls came to, for the model and for the result of the turn.
void Turn::append_results(const ToolRuns& tools) {
  MessageParam results;
  results.role = "user";
  std::vector<ContentBlock> blocks;
  for (const ToolRun& run : tools.runs()) {
    if (run.deferred) {
      blocks.emplace_back(not_done(run.call, kPutOff));
      continue;
    }
    blocks.emplace_back(run.block);
    const ChangedLines lines = changed_lines(run.message.tool_use_result.value_or(RawJson()));
    session_.change_totals([&](SessionTotals& totals) {
      totals.lines.added += lines.added;
      totals.lines.removed += lines.removed;
    });
  }
  results.content = std::move(blocks);
  session_.tell(std::move(results));
  for (const std::string& context : tools.contexts()) {
    session_.tell(user_text("Note of a hook: " + context));
  }
  if (!result_.permission_denials) result_.permission_denials.emplace();
  for (const PermissionDenial& denial : tools.denials()) {
    result_.permission_denials->push_back(denial);
  }
}

/// Whether the calls end the turn; the result then says how.
bool Turn::end_by_tools(const ToolRuns& tools) {
  if (tools.interrupted()) {
    say_synthetic("[Request interrupted by user for tool use]");
    cancelled_ = true;
    result_.subtype = ResultSubtype::error_during_execution;
    result_.is_error = true;
    result_.terminal_reason = TerminalReason::aborted_tools;
    result_.errors = std::vector<std::string>{"The turn was interrupted while tools were running."};
    return true;
  }
  if (const ToolRun* const run = tools.deferred()) {
    result_.result = "";
    result_.stop_reason = "tool_deferred";
    result_.terminal_reason = TerminalReason::tool_deferred;
    result_.deferred_tool_use = DeferredToolUse{run->call.id, run->call.name, run->call.input, {}};
    return true;
  }
  if (tools.structured_output()) {
    result_.structured_output = *tools.structured_output();
    result_.result = tools.structured_output()->json().value().dump();
    result_.terminal_reason = TerminalReason::completed;
    return true;
  }
  if (tools.stopped_by_hook()) {
    result_.result = "";
    result_.terminal_reason = TerminalReason::hook_stopped;
    return true;
  }
  return false;
}

Turn::Next Turn::after_tools(const ToolRuns& tools) {
  turns_ += std::count_if(tools.runs().begin(), tools.runs().end(),
                          [](const ToolRun& run) { return !run.deferred; });
  append_results(tools);
  if (end_by_tools(tools) || structured_output_fails(tools)) return Next::kEnd;
  if (session_.flags.max_turns && answers_ >= *session_.flags.max_turns) {
    result_.subtype = ResultSubtype::error_max_turns;
    result_.is_error = true;
    result_.terminal_reason = TerminalReason::max_turns;
    result_.errors = std::vector<std::string>{"Reached maximum number of turns (" +
                                              std::to_string(*session_.flags.max_turns) + ")"};
    return Next::kEnd;
  }
  append_queued_prompts();
  return Next::kGoOn;
}

/// Prompts that came while tools ran are answered along with their results.
void Turn::append_queued_prompts() {
  for (UserMessage& prompt : session_.prompts.take_for_running_turn()) {
    const UserMessage known = named(prompt);
    session_.echo(known);
    append_prompt(known, Author::kClient);
    show_lifecycle(prompt.uuid, "started");
    prompts_.push_back(std::move(prompt));
  }
}

Turn::Next Turn::after_cut(const ModelResponse& answer) {
  if (++cuts_ > kMostCuts) {
    result_.is_error = true;
    result_.result = answer.text();
    result_.terminal_reason = TerminalReason::api_error;
    return Next::kEnd;
  }
  say_synthetic(kGoOnAfterCut);
  return Next::kGoOn;
}

Turn::Next Turn::after_answer(ModelResponse& answer) {
  if (stop_.stop_requested()) {
    interrupted(answer);
    return Next::kEnd;
  }
  if (answer.stop_reason() == "max_tokens") {
    if (continuations_ == kMostContinuations) {
      fail_max_tokens();
      return Next::kEnd;
    }
    ++continuations_;
    say_synthetic(kGoOnAfterLimit);
    return Next::kGoOn;
  }
  if (answer.stop_reason() == "pause_turn" && pauses_++ < kMostPauses) return Next::kGoOn;
  if (answer.stop_reason() == "refusal" && refusals_++ == 0) {
    Informational message;
    message.content = "A safety check stopped the answer above; it goes on once with that noted.";
    message.level = InformationalLevel::notice;
    session_.output.send(std::move(message));
    say_synthetic(kStoppedBySafety, answer.id());
    return Next::kGoOn;
  }
  if (answer.blocks().empty() && empty_answers_++ < kMostEmptyAnswers) {
    say_synthetic(kNothingVisible);
    return Next::kGoOn;
  }
  return after_last_answer(answer);
}

Turn::Next Turn::after_last_answer(const ModelResponse& answer) {
  if (session_.structured_output() && !std::exchange(nudged_, true)) {
    say_synthetic(kCallStructuredOutput);
    return Next::kGoOn;
  }
  result_.result = answer.text();
  result_.terminal_reason = TerminalReason::completed;
  return run_stop_hooks(answer);
}

Turn::Next Turn::run_stop_hooks(const ModelResponse& answer) {
  if (!session_.hooks->any("Stop")) return Next::kEnd;
  hooks::Stop event;
  fill(event, session_, prompt_id_);
  event.stop_hook_active = stop_hook_active_;
  event.last_assistant_message = answer.text();
  event.background_tasks.emplace();
  event.session_crons.emplace();
  const HookVerdict verdict = session_.hooks->run(event, "", make_uuid(), stop_);
  show_hook_messages(session_, verdict);
  if (verdict.stop) {
    result_.terminal_reason = TerminalReason::stop_hook_prevented;
    return Next::kEnd;
  }
  if (!verdict.blocked) return Next::kEnd;
  stop_hook_active_ = true;
  say_synthetic("Stop hook feedback:\n" + verdict.block_reason);
  Notification note;
  note.key = "stop-hook-error";
  note.text = "A Stop hook wants the turn to go on";
  note.priority = NotificationPriority::immediate;
  session_.output.send(std::move(note));
  return Next::kGoOn;
}

/// A message in the user's place that no user wrote.
void Turn::say_synthetic(const std::string& text, std::optional<std::string> refused_id) {
  ++turns_;
  UserMessage message;
  message.uuid = make_uuid();
  message.timestamp = timestamp();
  message.message = user_text(text);
  write_null(message.extra, "parent_tool_use_id");
  // What the user did is theirs, even if the words are ours.
  const bool of_user = text.starts_with("[Request interrupted");
  if (!of_user) message.isSynthetic = true;
  message.refused_message_id = std::move(refused_id);
  session_.transcript->add(Json::object({{"promptId", prompt_id_},
                                         {"type", "user"},
                                         {"message", json_of(message.message)},
                                         {"isMeta", !of_user},
                                         {"uuid", message.uuid},
                                         {"timestamp", *message.timestamp}}));
  session_.tell(message.message);
  session_.output.send(std::move(message));
}

}  // namespace parley::agent
