// Replies about tokens and money: what fills the context window, what the session and the account
// have used.
#pragma once

#include "../messages/usage.hpp"
#include "requests.hpp"

namespace parley::control {

// ---- get_context_usage -------------------------------------------------------------------------

PARLEY_ENUM(UsageCategoryId, system_prompt, system_tools, mcp_tools, mcp_instructions,
            mcp_tools_deferred, system_tools_deferred, custom_agents, memory_files, skills,
            messages, autocompact_buffer, compact_buffer, free_space)
/// Deferred rows lie outside the window and do not count.
PARLEY_ENUM(UsageCategoryKind, used, free, buffer, deferred)

struct UsageCategory {
  std::optional<Enum<UsageCategoryId>> id;
  std::string name;
  std::int64_t tokens = 0;
  std::optional<std::string> color;
  std::optional<bool> isDeferred;
  std::optional<Enum<UsageCategoryKind>> kind;
  Extra extra;
  bool operator==(const UsageCategory&) const = default;
};

/// One square of the picture that a terminal draws.
struct GridCell {
  std::optional<std::string> color;
  std::optional<bool> isFilled;
  std::optional<std::string> categoryName;
  std::optional<std::int64_t> tokens;
  std::optional<double> percentage;
  std::optional<double> squareFullness;
  Extra extra;
  bool operator==(const GridCell&) const = default;
};

struct MemoryFileUsage {
  std::string path;
  std::optional<std::string> type;
  std::int64_t tokens = 0;
  Extra extra;
  bool operator==(const MemoryFileUsage&) const = default;
};

struct McpToolUsage {
  std::string name;
  std::optional<std::string> serverName;
  std::int64_t tokens = 0;
  std::optional<bool> isLoaded;
  Extra extra;
  bool operator==(const McpToolUsage&) const = default;
};

struct McpInstructionsUsage {
  std::string serverName;
  std::int64_t tokens = 0;
  Extra extra;
  bool operator==(const McpInstructionsUsage&) const = default;
};

/// Tokens of anything that has just a name: a built-in tool, a section of the system prompt, a
/// kind of attachment.
struct NamedUsage {
  std::string name;
  std::int64_t tokens = 0;
  std::optional<bool> isLoaded;  ///< Of deferred tools only.
  Extra extra;
  bool operator==(const NamedUsage&) const = default;
};

struct AgentUsage {
  std::string agentType;
  std::optional<std::string> source;
  std::optional<std::string> pluginId;
  std::optional<std::string> path;
  std::int64_t tokens = 0;
  Extra extra;
  bool operator==(const AgentUsage&) const = default;
};

struct SlashCommandUsage {
  std::optional<std::int64_t> totalCommands;
  std::optional<std::int64_t> includedCommands;
  std::optional<std::int64_t> tokens;
  Extra extra;
  bool operator==(const SlashCommandUsage&) const = default;
};

struct SkillUsage {
  std::string name;
  std::optional<std::string> source;
  std::optional<std::string> pluginName;
  std::optional<std::string> pluginId;
  std::optional<std::string> path;
  std::int64_t tokens = 0;
  Extra extra;
  bool operator==(const SkillUsage&) const = default;
};

struct SkillsUsage {
  std::optional<std::int64_t> totalSkills;
  std::optional<std::int64_t> includedSkills;
  std::optional<std::int64_t> tokens;
  std::optional<std::vector<SkillUsage>> skillFrontmatter;
  Extra extra;
  bool operator==(const SkillsUsage&) const = default;
};

struct ToolCallUsage {
  std::string name;
  std::optional<std::int64_t> callTokens;
  std::optional<std::int64_t> resultTokens;
  Extra extra;
  bool operator==(const ToolCallUsage&) const = default;
};

struct MessageBreakdown {
  std::optional<std::int64_t> toolCallTokens;
  std::optional<std::int64_t> toolResultTokens;
  std::optional<std::int64_t> attachmentTokens;
  std::optional<std::int64_t> assistantMessageTokens;
  std::optional<std::int64_t> userMessageTokens;
  std::optional<std::int64_t> redirectedContextTokens;
  std::optional<std::int64_t> unattributedTokens;
  std::optional<std::vector<ToolCallUsage>> toolCallsByType;
  std::optional<std::vector<NamedUsage>> attachmentsByType;
  Extra extra;
  bool operator==(const MessageBreakdown&) const = default;
};

struct GetContextUsageReply {
  std::vector<UsageCategory> categories;
  std::int64_t totalTokens = 0;
  std::int64_t maxTokens = 0;
  std::optional<std::int64_t> rawMaxTokens;
  std::optional<double> percentage;
  std::optional<std::vector<std::vector<GridCell>>> gridRows;
  std::optional<std::string> model;
  std::optional<std::vector<MemoryFileUsage>> memoryFiles;
  std::optional<std::vector<McpToolUsage>> mcpTools;
  std::optional<std::vector<McpInstructionsUsage>> mcpInstructions;
  std::optional<std::vector<NamedUsage>> deferredBuiltinTools;
  std::optional<std::vector<NamedUsage>> systemTools;
  std::optional<std::vector<NamedUsage>> systemPromptSections;
  std::optional<std::vector<AgentUsage>> agents;
  std::optional<SlashCommandUsage> slashCommands;
  std::optional<SkillsUsage> skills;
  std::optional<std::int64_t> autoCompactThreshold;
  std::optional<bool> isAutoCompactEnabled;
  std::optional<MessageBreakdown> messageBreakdown;
  Nullable<Usage> apiUsage;  ///< Of the last API answer; null before the first.
  Extra extra;
  bool operator==(const GetContextUsageReply&) const = default;
};

// ---- get_session_cost, get_usage ---------------------------------------------------------------

/// A text for people, as the `/cost` command prints it.
struct GetSessionCostReply {
  std::string text;
  Extra extra;
  bool operator==(const GetSessionCostReply&) const = default;
};

struct SessionUsage {
  std::optional<double> total_cost_usd;
  std::optional<std::int64_t> total_api_duration_ms;
  std::optional<std::int64_t> total_duration_ms;
  std::optional<std::int64_t> total_lines_added;
  std::optional<std::int64_t> total_lines_removed;
  std::optional<Map<ModelUsage>> model_usage;
  Extra extra;
  bool operator==(const SessionUsage&) const = default;
};

/// How much of an allowance is used, in percent, and when it begins anew.
struct RateWindow {
  Nullable<double> utilization;
  Nullable<std::string> resets_at;
  Extra extra;
  bool operator==(const RateWindow&) const = default;
};

struct ModelRateWindow {
  std::string display_name;
  Nullable<double> utilization;
  Nullable<std::string> resets_at;
  Extra extra;
  bool operator==(const ModelRateWindow&) const = default;
};

struct ExtraUsage {
  bool is_enabled = false;
  Nullable<double> monthly_limit;
  Nullable<double> used_credits;
  Nullable<double> utilization;
  std::optional<std::string> currency;
  Extra extra;
  bool operator==(const ExtraUsage&) const = default;
};

struct RateLimits {
  std::optional<RateWindow> five_hour;
  std::optional<RateWindow> seven_day;
  std::optional<RateWindow> seven_day_oauth_apps;
  std::optional<RateWindow> seven_day_opus;
  std::optional<RateWindow> seven_day_sonnet;
  std::optional<std::vector<ModelRateWindow>> model_scoped;
  std::optional<ExtraUsage> extra_usage;
  Extra extra;
  bool operator==(const RateLimits&) const = default;
};

PARLEY_ENUM(UsageBehaviorKey, cache_miss, long_context, subagent_heavy, high_parallel, cron,
            max_effort, workflow, always_on_context, large_tool_results)

struct UsageBehavior {
  Enum<UsageBehaviorKey> key;
  std::optional<double> pct;
  std::optional<std::int64_t> count;
  Extra extra;
  bool operator==(const UsageBehavior&) const = default;
};

struct UsageRecommendation {
  std::string key;
  std::optional<double> pct;
  std::optional<std::string> title;
  std::optional<std::string> detail;
  Extra extra;
  bool operator==(const UsageRecommendation&) const = default;
};

struct UsageFix {
  std::optional<std::vector<std::string>> keys;
  std::optional<std::vector<std::string>> messages;
  Extra extra;
  bool operator==(const UsageFix&) const = default;
};

struct UsageShare {
  std::string name;
  std::optional<double> pct;
  Extra extra;
  bool operator==(const UsageShare&) const = default;
};

/// What drove the usage of a day or a week.
struct UsageBehaviors {
  std::optional<std::int64_t> request_count;
  std::optional<std::int64_t> session_count;
  std::optional<std::vector<UsageBehavior>> behaviors;
  std::optional<std::vector<UsageRecommendation>> recommendations;
  std::optional<UsageFix> fix;
  std::optional<std::vector<UsageShare>> agents;
  std::optional<std::vector<UsageShare>> skills;
  std::optional<std::vector<UsageShare>> plugins;
  std::optional<std::vector<UsageShare>> mcp_servers;
  Extra extra;
  bool operator==(const UsageBehaviors&) const = default;
};

struct UsageBehaviorsByPeriod {
  std::optional<UsageBehaviors> day;
  std::optional<UsageBehaviors> week;
  Extra extra;
  bool operator==(const UsageBehaviorsByPeriod&) const = default;
};

struct GetUsageReply {
  SessionUsage session;
  Nullable<std::string> subscription_type;
  bool rate_limits_available = false;
  Nullable<RateLimits> rate_limits;
  Nullable<UsageBehaviorsByPeriod> behaviors;
  Extra extra;
  bool operator==(const GetUsageReply&) const = default;
};

}  // namespace parley::control

namespace parley {

PARLEY_CODEC(control::GetContextUsageReply)
PARLEY_CODEC(control::GetSessionCostReply)
PARLEY_CODEC(control::GetUsageReply)

}  // namespace parley
