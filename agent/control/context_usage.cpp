// How full the window of the model is.
#include <algorithm>
#include <cmath>

#include "agent/api/models.hpp"
#include "agent/control/requests.hpp"
#include "agent/session/system_prompt.hpp"
#include "wire/codec/codec.hpp"
#include "wire/control/control.hpp"

namespace parley::agent::requests {
namespace {

using control::UsageCategoryId;
using control::UsageCategoryKind;

/// Close enough for English and code.
constexpr std::size_t kBytesPerToken = 4;

constexpr std::size_t kGridRows = 10;
constexpr std::int64_t kWideWindow = 1'000'000;  ///< From here on a row has 20 squares.

std::int64_t tokens_of(std::size_t bytes) {
  return static_cast<std::int64_t>((bytes + kBytesPerToken - 1) / kBytesPerToken);
}

void add(std::optional<std::int64_t>& sum, std::int64_t more) { sum = sum.value_or(0) + more; }

std::size_t size_of(const Content& content) {
  if (const auto* text = std::get_if<std::string>(&content)) return text->size();
  std::size_t size = 0;
  for (const ContentBlock& block : std::get<std::vector<ContentBlock>>(content)) {
    const auto* text = std::get_if<TextBlock>(&block);
    size += text != nullptr ? text->text.size() : encode(block).size();
  }
  return size;
}

/// Sums up the blocks of a conversation by kind, and tool calls by their tool.
class Breakdown {
 public:
  Breakdown() {
    sums_.toolCallTokens = sums_.toolResultTokens = sums_.attachmentTokens = 0;
    sums_.assistantMessageTokens = sums_.userMessageTokens = 0;
    sums_.redirectedContextTokens = sums_.unattributedTokens = 0;
    sums_.toolCallsByType.emplace();
    sums_.attachmentsByType.emplace();
  }

  void count(const MessageParam& message) {
    auto& own = message.role == "user" ? sums_.userMessageTokens : sums_.assistantMessageTokens;
    if (const auto* text = std::get_if<std::string>(&message.content)) {
      return add(own, tokens_of(text->size()));
    }
    for (const ContentBlock& block : std::get<std::vector<ContentBlock>>(message.content)) {
      if (const auto* call = std::get_if<ToolUseBlock>(&block)) {
        tools_[call->id] = call->name;
        const std::int64_t tokens = tokens_of(call->name.size() + call->input.text.size());
        add(sums_.toolCallTokens, tokens);
        add(of_tool(call->name).callTokens, tokens);
      } else if (const auto* result = std::get_if<ToolResultBlock>(&block)) {
        const std::int64_t tokens = tokens_of(result->content ? size_of(*result->content) : 0);
        add(sums_.toolResultTokens, tokens);
        add(of_tool(tools_[result->tool_use_id]).resultTokens, tokens);
      } else {
        add(own, tokens_of(size_of(std::vector<ContentBlock>{block})));
      }
    }
  }

  [[nodiscard]] const control::MessageBreakdown& sums() const { return sums_; }
  [[nodiscard]] std::int64_t total() const {
    return *sums_.toolCallTokens + *sums_.toolResultTokens + *sums_.assistantMessageTokens +
           *sums_.userMessageTokens;
  }

 private:
  control::ToolCallUsage& of_tool(const std::string& name) {
    for (control::ToolCallUsage& usage : *sums_.toolCallsByType) {
      if (usage.name == name) return usage;
    }
    return sums_.toolCallsByType->emplace_back(control::ToolCallUsage{name, 0, 0, {}});
  }

  control::MessageBreakdown sums_;
  std::map<std::string, std::string> tools_;  ///< The tool of each call.
};

/// The picture that a terminal draws: every category gets squares by its share, at least one.
std::vector<std::vector<control::GridCell>> draw(
    const std::vector<control::UsageCategory>& categories, std::int64_t window) {
  const std::size_t columns = window >= kWideWindow ? 20 : 10;
  const auto squares = static_cast<double>(columns * kGridRows);
  std::vector<control::GridCell> cells;
  for (const control::UsageCategory& category : categories) {
    const bool free = category.kind == UsageCategoryKind::free;
    const double share = static_cast<double>(category.tokens) / static_cast<double>(window);
    const auto whole = static_cast<std::size_t>(std::ceil(share * squares));
    const std::size_t count = free ? columns * kGridRows : std::max<std::size_t>(1, whole);
    for (std::size_t i = 0; i < count && cells.size() < columns * kGridRows; ++i) {
      control::GridCell cell;
      cell.color = category.color;
      cell.isFilled = true;
      cell.categoryName = category.name;
      cell.tokens = category.tokens;
      cell.percentage = std::round(share * 100);
      cell.squareFullness =
          free ? 1.0 : std::clamp(share * squares - static_cast<double>(i), 0.0, 1.0);
      cells.push_back(std::move(cell));
    }
  }
  std::vector<std::vector<control::GridCell>> rows;
  for (std::size_t row = 0; row < cells.size() / columns; ++row) {
    const auto begin = cells.begin() + static_cast<std::ptrdiff_t>(row * columns);
    rows.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(columns));
  }
  return rows;
}

}  // namespace

ControlReply get_context_usage(ControlContext& context,
                               const control::GetContextUsage& /*request*/) {
  control::GetContextUsageReply reply;
  const SessionOverrides overrides = context.overrides.copy();
  const std::string model = resolve_model(overrides.model);
  const std::int64_t window = model_info(model).context_window;
  const auto add_category = [&](UsageCategoryId id, const char* name, std::int64_t tokens,
                                const char* color,
                                UsageCategoryKind kind = UsageCategoryKind::used) {
    if (tokens <= 0) return;
    reply.categories.push_back({id, name, tokens, color, {}, kind, {}});
    if (kind == UsageCategoryKind::used) reply.totalTokens += tokens;
  };

  std::size_t prompt = 0;
  for (const std::string& block : system_prompt(context.config, overrides, context.permissions))
    prompt += block.size();
  std::size_t noted = 0;
  reply.memoryFiles.emplace();
  for (const NoteFile& file : context.config.note_files) {
    noted += file.bytes;
    reply.memoryFiles->push_back({file.path, file.kind, tokens_of(file.bytes), {}});
  }
  std::size_t tools = 0;
  for (const auto& tool : context.tools.offered()) {
    tools += tool->name().size() + tool->description().size() + tool->input_schema().dump().size();
  }
  Breakdown messages;
  context.conversation.read([&](const std::vector<MessageParam>& conversation) {
    for (const MessageParam& message : conversation) messages.count(message);
  });

  add_category(UsageCategoryId::system_prompt, "System prompt",
               tokens_of(prompt - std::min(prompt, noted)), "promptBorder");
  add_category(UsageCategoryId::system_tools, "System tools", tokens_of(tools), "inactive");
  add_category(UsageCategoryId::memory_files, "Memory files", tokens_of(noted), "claude");
  add_category(UsageCategoryId::messages, "Messages", messages.total(), "purple");
  add_category(UsageCategoryId::free_space, "Free space", window - reply.totalTokens,
               "promptBorder", UsageCategoryKind::free);
  reply.maxTokens = window;
  reply.rawMaxTokens = window;
  reply.percentage =
      std::round(100 * static_cast<double>(reply.totalTokens) / static_cast<double>(window));
  reply.gridRows = draw(reply.categories, window);
  reply.model = model;
  reply.mcpTools.emplace();
  reply.mcpInstructions.emplace();
  reply.agents.emplace();
  reply.isAutoCompactEnabled = false;
  reply.messageBreakdown = messages.sums();
  if (auto usage = context.totals.copy().last_usage) reply.apiUsage = *std::move(usage);
  return encoded(reply);
}

}  // namespace parley::agent::requests
