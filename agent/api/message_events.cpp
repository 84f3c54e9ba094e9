#include "agent/api/message_events.hpp"

namespace parley::agent {
namespace {

/// Takes out of a block what deltas carry, and appends them.
void split(ContentBlock& block, std::int64_t index, std::vector<ApiEvent>& deltas) {
  const auto add = [&](BlockDelta delta) {
    deltas.push_back(ContentBlockDelta{index, std::move(delta), {}});
  };
  if (auto* text = std::get_if<TextBlock>(&block)) {
    if (!text->text.empty()) add(TextDelta{std::move(text->text), {}});
    text->text.clear();
  } else if (auto* thinking = std::get_if<ThinkingBlock>(&block)) {
    if (!thinking->thinking.empty()) add(ThinkingDelta{std::move(thinking->thinking), {}});
    thinking->thinking.clear();
    if (thinking->signature) add(SignatureDelta{std::move(*thinking->signature), {}});
    thinking->signature = "";
  } else if (auto* call = std::get_if<ToolUseBlock>(&block)) {
    add(InputJsonDelta{std::move(call->input.text), {}});
    call->input = RawJson("{}");
  }
}

}  // namespace

std::vector<ApiEvent> events_of(const ApiMessage& message) {
  std::vector<ApiEvent> events;
  ApiMessage start = message;
  start.content.clear();
  start.stop_reason.reset();
  start.stop_sequence.reset();
  events.push_back(MessageStart{std::move(start), {}});

  std::int64_t index = 0;
  for (ContentBlock block : message.content) {
    std::vector<ApiEvent> deltas;
    split(block, index, deltas);
    events.push_back(ContentBlockStart{index, std::move(block), {}});
    for (ApiEvent& delta : deltas) events.push_back(std::move(delta));
    events.push_back(ContentBlockStop{index, {}});
    ++index;
  }

  MessageDelta end;
  end.delta.stop_reason = message.stop_reason;
  end.delta.stop_sequence = message.stop_sequence;
  if (message.usage) end.usage = Box<Usage>(*message.usage);
  events.push_back(std::move(end));
  events.push_back(MessageStop{});
  return events;
}

}  // namespace parley::agent
