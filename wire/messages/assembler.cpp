#include "assembler.hpp"

#include <algorithm>

namespace parley {

namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

/// Usage comes in two parts, at the start and at the end; what the end does not name stays.
void merge(Optional<Usage>& usage, const Usage& update) {
  if (!usage) usage.emplace();
  const auto take = [](auto& to, const auto& from) {
    if (from) to = from;
  };
  take(usage->input_tokens, update.input_tokens);
  take(usage->cache_creation_input_tokens, update.cache_creation_input_tokens);
  take(usage->cache_read_input_tokens, update.cache_read_input_tokens);
  take(usage->output_tokens, update.output_tokens);
  take(usage->output_tokens_details, update.output_tokens_details);
  take(usage->server_tool_use, update.server_tool_use);
  take(usage->service_tier, update.service_tier);
  take(usage->cache_creation, update.cache_creation);
  take(usage->inference_geo, update.inference_geo);
  take(usage->iterations, update.iterations);
  take(usage->speed, update.speed);
  take(usage->fallback_credit, update.fallback_credit);
}

/// The input of a block that is a call of some kind of tool.
RawJson* tool_input(ContentBlock& block) {
  if (auto* call = std::get_if<ToolUseBlock>(&block)) return &call->input;
  if (auto* call = std::get_if<ServerToolUseBlock>(&block)) return &call->input;
  if (auto* call = std::get_if<McpToolUseBlock>(&block)) return &call->input;
  return nullptr;
}

}  // namespace

PartialBlock* MessageAssembler::find(std::int64_t index) {
  const auto it = std::find_if(blocks_.begin(), blocks_.end(),
                               [&](const PartialBlock& b) { return b.index == index; });
  return it == blocks_.end() ? nullptr : &*it;
}

const PartialBlock* MessageAssembler::apply(const ApiEvent& event) {
  return std::visit(Overloaded{
                        [&](const MessageStart& e) { return start_message(e); },
                        [&](const ContentBlockStart& e) { return start_block(e); },
                        [&](const ContentBlockDelta& e) { return grow_block(e); },
                        [&](const ContentBlockStop& e) { return stop_block(e.index); },
                        [&](const MessageDelta& e) -> const PartialBlock* {
                          change_message(e);
                          return nullptr;
                        },
                        [&](const MessageStop&) -> const PartialBlock* {
                          active_ = false;
                          return nullptr;
                        },
                        [](const auto&) -> const PartialBlock* { return nullptr; },
                    },
                    event);
}

const PartialBlock* MessageAssembler::start_message(const MessageStart& event) {
  head_ = *event.message;
  blocks_.clear();
  active_ = true;
  for (ContentBlock& block : head_.content) {
    blocks_.push_back(
        {static_cast<std::int64_t>(blocks_.size()), std::move(block), {}, true, false});
  }
  head_.content.clear();
  return nullptr;
}

const PartialBlock* MessageAssembler::start_block(const ContentBlockStart& event) {
  if (find(event.index) != nullptr) return nullptr;
  active_ = true;
  blocks_.push_back({event.index, event.content_block, {}, false, false});
  return &blocks_.back();
}

const PartialBlock* MessageAssembler::grow_block(const ContentBlockDelta& event) {
  PartialBlock* partial = find(event.index);
  if (partial == nullptr || partial->stopped || partial->settled) return nullptr;
  const bool grew = std::visit(Overloaded{
                                   [&](const TextDelta& d) {
                                     auto* block = std::get_if<TextBlock>(&partial->block);
                                     if (block != nullptr) block->text += d.text;
                                     return block != nullptr;
                                   },
                                   [&](const ThinkingDelta& d) {
                                     auto* block = std::get_if<ThinkingBlock>(&partial->block);
                                     if (block != nullptr) block->thinking += d.thinking;
                                     return block != nullptr;
                                   },
                                   [&](const SignatureDelta& d) {
                                     auto* block = std::get_if<ThinkingBlock>(&partial->block);
                                     if (block != nullptr)
                                       block->signature =
                                           block->signature.value_or("") + d.signature;
                                     return block != nullptr;
                                   },
                                   [&](const CitationsDelta& d) {
                                     auto* block = std::get_if<TextBlock>(&partial->block);
                                     if (block == nullptr) return false;
                                     if (!block->citations) block->citations.emplace();
                                     block->citations->push_back(d.citation);
                                     return true;
                                   },
                                   [&](const InputJsonDelta& d) {
                                     partial->partial_json += d.partial_json;
                                     return true;
                                   },
                                   [](const Unknown&) { return false; },
                               },
                               event.delta);
  return grew ? partial : nullptr;
}

const PartialBlock* MessageAssembler::stop_block(std::int64_t index) {
  PartialBlock* partial = find(index);
  if (partial == nullptr || partial->stopped) return nullptr;
  partial->stopped = true;
  RawJson* input = tool_input(partial->block);
  if (input != nullptr && !partial->settled && !partial->partial_json.empty()) {
    // Malformed input stays readable as partial_json; the call keeps what it started with.
    if (Result<RawJson> parsed = RawJson::parse(partial->partial_json)) *input = *std::move(parsed);
  }
  return partial;
}

void MessageAssembler::change_message(const MessageDelta& event) {
  if (event.delta.stop_reason) head_.stop_reason = event.delta.stop_reason;
  if (event.delta.stop_sequence) head_.stop_sequence = event.delta.stop_sequence;
  if (event.delta.stop_details) head_.stop_details = event.delta.stop_details;
  if (event.delta.container) head_.container = event.delta.container;
  if (event.context_management) head_.context_management = event.context_management;
  if (event.usage) merge(head_.usage, **event.usage);
}

void MessageAssembler::settle(const ApiMessage& message) {
  if (message.id != head_.id) {
    head_ = message;
    head_.content.clear();
    blocks_.clear();
  }
  for (const ContentBlock& block : message.content) {
    const auto it = std::find_if(blocks_.begin(), blocks_.end(), [&](const PartialBlock& p) {
      return !p.settled && p.block.index() == block.index();
    });
    if (it != blocks_.end()) {
      it->block = block;
      it->settled = true;
    } else {
      const std::int64_t index = blocks_.empty() ? 0 : blocks_.back().index + 1;
      blocks_.push_back({index, block, {}, true, true});
    }
  }
}

ApiMessage MessageAssembler::message() const {
  ApiMessage whole = head_;
  for (const PartialBlock& partial : blocks_) whole.content.push_back(partial.block);
  return whole;
}

}  // namespace parley
