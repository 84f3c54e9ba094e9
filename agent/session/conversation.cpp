#include "agent/session/conversation.hpp"

#include <algorithm>
#include <set>

namespace parley::agent {
namespace {

/// Stands where nothing is left; the API wants every message to say something.
constexpr const char* kNoContent = "(no content)";

std::vector<ContentBlock> blocks_of(Content content) {
  if (auto* blocks = std::get_if<std::vector<ContentBlock>>(&content)) return std::move(*blocks);
  std::vector<ContentBlock> blocks;
  blocks.emplace_back(TextBlock{std::get<std::string>(std::move(content)), {}, {}, {}});
  return blocks;
}

bool is_thought(const ContentBlock& block) {
  return std::holds_alternative<ThinkingBlock>(block) ||
         std::holds_alternative<RedactedThinkingBlock>(block);
}

bool is_blank(const ContentBlock& block) {
  const auto* text = std::get_if<TextBlock>(&block);
  return text != nullptr && text->text.find_first_not_of(" \t\r\n") == std::string::npos;
}

/// An answer that was cut off before it said or did anything.
bool says_nothing(const MessageParam& message) {
  const auto* blocks = std::get_if<std::vector<ContentBlock>>(&message.content);
  if (message.role != "assistant" || blocks == nullptr || blocks->empty()) return false;
  return std::all_of(blocks->begin(), blocks->end(), [](const ContentBlock& block) {
    return is_thought(block) || is_blank(block);
  });
}

bool only_results(const MessageParam& message) {
  const auto* blocks = std::get_if<std::vector<ContentBlock>>(&message.content);
  return blocks != nullptr &&
         std::all_of(blocks->begin(), blocks->end(), [](const ContentBlock& block) {
           return std::holds_alternative<ToolResultBlock>(block);
         });
}

std::set<std::string> results_in(const MessageParam& message) {
  std::set<std::string> ids;
  if (const auto* blocks = std::get_if<std::vector<ContentBlock>>(&message.content)) {
    for (const ContentBlock& block : *blocks) {
      if (const auto* result = std::get_if<ToolResultBlock>(&block))
        ids.insert(result->tool_use_id);
    }
  }
  return ids;
}

/// Keeps the blocks that `keep` wants.
template <class Keep>
void filter(MessageParam& message, const Keep& keep) {
  if (auto* text = std::get_if<std::string>(&message.content)) {
    if (text->empty()) *text = kNoContent;
    return;
  }
  auto& blocks = std::get<std::vector<ContentBlock>>(message.content);
  std::erase_if(blocks, [&](const ContentBlock& block) { return !keep(block); });
  if (std::all_of(blocks.begin(), blocks.end(), is_thought)) {
    blocks = {TextBlock{kNoContent, {}, {}, {}}};
  }
}

}  // namespace

void add_to_conversation(std::vector<MessageParam>& messages, MessageParam message) {
  if (messages.empty() || messages.back().role != message.role) {
    messages.push_back(std::move(message));
    return;
  }
  std::vector<ContentBlock> blocks = blocks_of(std::move(messages.back().content));
  for (ContentBlock& block : blocks_of(std::move(message.content))) {
    blocks.push_back(std::move(block));
  }
  // The API wants the results of tools before everything else.
  std::stable_partition(blocks.begin(), blocks.end(), [](const ContentBlock& block) {
    return std::holds_alternative<ToolResultBlock>(block);
  });
  messages.back().content = std::move(blocks);
}

void Conversation::restore(std::vector<MessageParam> messages) {
  const std::lock_guard lock(mutex_);
  messages_ = std::move(messages);
}

void Conversation::append(MessageParam message) {
  const std::lock_guard lock(mutex_);
  add_to_conversation(messages_, std::move(message));
}

MendedConversation mend_conversation(std::vector<MessageParam> messages) {
  MendedConversation mended;
  for (MessageParam& message : messages) {
    if (!says_nothing(message)) add_to_conversation(mended.messages, std::move(message));
  }
  const std::size_t count = mended.messages.size();
  std::set<std::string> known;  // every id is used once
  std::set<std::string> awaited;
  for (std::size_t i = 0; i < count; ++i) {
    MessageParam& message = mended.messages[i];
    if (message.role != "assistant") {
      filter(message, [&](const ContentBlock& block) {
        const auto* result = std::get_if<ToolResultBlock>(&block);
        return result == nullptr || awaited.erase(result->tool_use_id) == 1;
      });
      continue;
    }
    const bool last = i + 1 == count;
    const std::set<std::string> answered =
        last ? std::set<std::string>() : results_in(mended.messages[i + 1]);
    const bool at_end = last || (i + 2 == count && only_results(mended.messages[i + 1]));
    awaited.clear();
    filter(message, [&](const ContentBlock& block) {
      const auto* call = std::get_if<ToolUseBlock>(&block);
      if (call == nullptr) return true;
      const bool has_result = answered.contains(call->id);
      if (!(has_result || at_end) || !known.insert(call->id).second) return false;
      if (!has_result) mended.open_calls.push_back(call->id);
      awaited.insert(call->id);
      return true;
    });
  }
  return mended;
}

}  // namespace parley::agent
