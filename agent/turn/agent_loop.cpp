#include "agent/turn/agent_loop.hpp"

#include <algorithm>

#include "agent/tools/tool_state.hpp"
#include "agent/turn/hook_inputs.hpp"
#include "support/random.hpp"

namespace parley::agent {
namespace {

/// How often the model is asked to go on where its response was cut off by the limit of tokens.
constexpr int kMostContinuations = 3;
constexpr int kMostEmptyResponses = 3;
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
constexpr const char* kCallStructuredOutput =
    "[structured-output-enforce] Give your answer with the StructuredOutput tool now.";

}  // namespace

void AgentLoop::run() {
  while (!over_budget() && step() == Next::kGoOn) {
  }
}

AgentLoop::Next AgentLoop::step() {
  ToolRuns tools(context_, stop_, record_.prompt_id);
  // With a budget, tools run only when it is known that the response was within it.
  HeldCalls held;
  ModelResponse response(context_, record_.clock, stop_,
                         [&](const ToolUseBlock& call, const std::string& uuid) {
                           if (context_.options.max_budget_usd) {
                             held.emplace_back(call, uuid);
                           } else {
                             tools.start(call, uuid);
                           }
                         });
  response.after_block([&tools] { tools.show_openings(); });
  const ModelResponse::End end = response.run();
  tools.show_openings();
  ++record_.responses;
  add_usage(record_.usage, response.usage());
  if (!response.stop_reason().empty()) record_.result.stop_reason = response.stop_reason();
  if (end == ModelResponse::End::kFailed) {
    failed(response);
    return Next::kEnd;
  }
  context_.totals.change([&](SessionTotals& totals) { totals.last_usage = response.usage(); });
  if (end != ModelResponse::End::kInterrupted && over_budget()) {
    append_response(response);
    append_unexecuted(held);
    return Next::kEnd;
  }
  for (const auto& [call, uuid] : held) {
    tools.start(call, uuid);
    tools.show_openings();
  }
  tools.record_results();
  tools.wait();
  append_response(response);
  if (!tools.empty()) return after_tools(tools);
  if (end == ModelResponse::End::kInterrupted) {
    record_.result.stop_reason.reset();
    interrupted(response);
    return Next::kEnd;
  }
  if (end == ModelResponse::End::kCutOff) return after_cut(response);
  return after_response(response);
}

bool AgentLoop::run_call(const DeferredCall& call) {
  ToolRuns tools(context_, stop_, record_.prompt_id);
  tools.record_results();
  tools.start(call.call, call.source_uuid);
  tools.show_openings();
  tools.wait();
  append_results(tools);
  return !ended_by_tools(tools);
}

AgentLoop::Next AgentLoop::after_tools(const ToolRuns& tools) {
  record_.turns += std::count_if(tools.runs().begin(), tools.runs().end(),
                                 [](const ToolRun& run) { return !run.deferred; });
  append_results(tools);
  if (ended_by_tools(tools) || structured_output_fails(tools) || over_max_turns()) {
    return Next::kEnd;
  }
  if (callback_) callback_();
  return Next::kGoOn;
}

AgentLoop::Next AgentLoop::after_cut(const ModelResponse& response) {
  if (++cuts_ > kMostCuts) {
    record_.result.is_error = true;
    record_.result.result = response.text();
    record_.result.terminal_reason = TerminalReason::api_error;
    return Next::kEnd;
  }
  append_synthetic(kGoOnAfterCut);
  return Next::kGoOn;
}

AgentLoop::Next AgentLoop::after_response(ModelResponse& response) {
  if (stop_.stop_requested()) {
    interrupted(response);
    return Next::kEnd;
  }
  if (response.stop_reason() == "max_tokens") {
    if (continuations_ == kMostContinuations) {
      failed_by_max_tokens();
      return Next::kEnd;
    }
    ++continuations_;
    append_synthetic(kGoOnAfterLimit);
    return Next::kGoOn;
  }
  if (response.stop_reason() == "pause_turn" && pauses_++ < kMostPauses) return Next::kGoOn;
  if (response.stop_reason() == "refusal" && refusals_++ == 0) {
    Informational message;
    message.content = "A safety check stopped the answer above; it goes on once with that noted.";
    message.level = InformationalLevel::notice;
    context_.messages.send(std::move(message));
    append_synthetic(kStoppedBySafety, response.id());
    return Next::kGoOn;
  }
  if (response.blocks().empty() && empty_responses_++ < kMostEmptyResponses) {
    append_synthetic(kNothingVisible);
    return Next::kGoOn;
  }
  return after_last_response(response);
}

AgentLoop::Next AgentLoop::after_last_response(const ModelResponse& response) {
  if (context_.tools.structured_output() && !std::exchange(reminded_, true)) {
    append_synthetic(kCallStructuredOutput);
    return Next::kGoOn;
  }
  record_.result.result = response.text();
  record_.result.terminal_reason = TerminalReason::completed;
  return run_stop_hooks(response);
}

/// The event of the end, which is another one for a subagent.
HookInput AgentLoop::end_event(const ModelResponse& response) const {
  const auto filled = [&](auto event) {
    fill(event, context_, record_.prompt_id);
    event.stop_hook_active = stop_hook_active_;
    event.last_assistant_message = response.text();
    event.background_tasks = background_summary(context_.tools.state().background_tasks());
    event.session_crons.emplace();
    return event;
  };
  if (!context_.options.agent) return filled(hooks::Stop{});
  auto event = filled(hooks::SubagentStop{});
  event.agent_transcript_path = context_.transcript.path();
  return event;
}

AgentLoop::Next AgentLoop::run_stop_hooks(const ModelResponse& response) {
  const std::optional<AgentIdentity>& agent = context_.options.agent;
  if (!context_.hooks.any(agent ? "SubagentStop" : "Stop")) return Next::kEnd;
  const HookVerdict verdict =
      context_.hooks.run(end_event(response), agent ? agent->type : "", make_uuid(), stop_);
  show_hook_messages(context_.messages, verdict);
  if (verdict.stop) {
    record_.result.terminal_reason = TerminalReason::stop_hook_prevented;
    return Next::kEnd;
  }
  if (!verdict.blocked) return Next::kEnd;
  stop_hook_active_ = true;
  append_synthetic((agent ? "SubagentStop hook feedback:\n" : "Stop hook feedback:\n") +
                   verdict.block_reason);
  Notification note;
  note.key = "stop-hook-error";
  note.text = "A Stop hook wants the turn to go on";
  note.priority = NotificationPriority::immediate;
  context_.messages.send(std::move(note));
  return Next::kGoOn;
}

}  // namespace parley::agent
