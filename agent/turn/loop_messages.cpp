// What the loop adds to the conversation and to the transcript: responses, results of tools, and
// words of the agent itself.
#include "agent/connection/message_parts.hpp"
#include "agent/turn/agent_loop.hpp"
#include "agent/turn/tools/changed_lines.hpp"
#include "support/random.hpp"
#include "support/time.hpp"
#include "wire/codec/codec.hpp"

namespace parley::agent {
namespace {

/// Told to the model until the session is resumed; the transcript has nothing in this place.
constexpr const char* kPutOff =
    "[A hook put this call off. It has not been carried out, and will not be in this session.]";
constexpr const char* kOverBudget =
    "[The budget of this session was used up. The call has not been carried out.]";

ToolResultBlock not_executed(const ToolUseBlock& call, const char* why) {
  ToolResultBlock block;
  block.tool_use_id = call.id;
  block.content = why;
  block.is_error = true;
  return block;
}

MessageParam user_blocks(std::vector<ContentBlock> blocks) {
  MessageParam param;
  param.role = "user";
  param.content = std::move(blocks);
  return param;
}

}  // namespace

void AgentLoop::append_response(const ModelResponse& response) {
  if (response.blocks().empty()) return;
  MessageParam param;
  param.role = "assistant";
  param.content = response.blocks();
  context_.conversation.append(std::move(param));
  const std::string& last_prompt = context_.conversation.last_prompt();
  if (last_prompt.empty()) return;
  context_.transcript.note(Json::object({{"type", "last-prompt"},
                                         {"lastPrompt", last_prompt},
                                         {"leafUuid", response.uuids().back()}}));
}

/// The calls stand in the conversation and will not be carried out. The API accepts no call without
/// a result.
void AgentLoop::append_unexecuted(const HeldCalls& calls) {
  if (calls.empty()) return;
  std::vector<ContentBlock> blocks;
  for (const auto& [call, uuid] : calls) blocks.emplace_back(not_executed(call, kOverBudget));
  context_.conversation.append(user_blocks(std::move(blocks)));
}

/// What the calls came to, for the model and for the result of the turn.
void AgentLoop::append_results(const ToolRuns& tools) {
  std::vector<ContentBlock> blocks;
  for (const ToolRun* run : tools.by_results()) {
    if (run->deferred) {
      blocks.emplace_back(not_executed(run->call, kPutOff));
      continue;
    }
    blocks.emplace_back(run->block);
    const ChangedLines lines = changed_lines(run->message.tool_use_result.value_or(RawJson()));
    context_.totals.change([&](SessionTotals& totals) {
      totals.lines.added += lines.added;
      totals.lines.removed += lines.removed;
    });
  }
  context_.conversation.append(user_blocks(std::move(blocks)));
  const CallNotes::Summary summary = tools.summary();
  for (const std::string& text : summary.contexts) {
    context_.conversation.append(user_text("Note of a hook: " + text));
  }
  auto& denials = record_.result.permission_denials;
  if (!denials) denials.emplace();
  denials->insert(denials->end(), summary.denials.begin(), summary.denials.end());
}

/// A message in the user's place that no user wrote.
void AgentLoop::append_synthetic(const std::string& text, std::optional<std::string> refused_id) {
  ++record_.turns;
  UserMessage message;
  message.uuid = make_uuid();
  message.timestamp = timestamp();
  message.message = user_text(text);
  write_null(message.extra, "parent_tool_use_id");
  // What the user did is theirs, even if the words are ours.
  const bool of_user = text.starts_with("[Request interrupted");
  if (!of_user) message.isSynthetic = true;
  message.refused_message_id = std::move(refused_id);
  context_.transcript.add(
      Json::object({{"promptId", record_.prompt_id},
                    {"type", "user"},
                    {"message", RawJson(encode(message.message)).json().value()},
                    {"isMeta", !of_user},
                    {"uuid", message.uuid},
                    {"timestamp", *message.timestamp}}));
  context_.conversation.append(message.message);
  context_.messages.send(std::move(message));
}

}  // namespace parley::agent
