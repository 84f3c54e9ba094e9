// Field tables of wire/control/usage.hpp.
#pragma once

#include "../control/usage.hpp"
#include "usage.hpp"

namespace parley {

PARLEY_FIELDS(control::UsageCategory, id, name, tokens, color, isDeferred, kind)
PARLEY_FIELDS(control::GridCell, color, isFilled, categoryName, tokens, percentage, squareFullness)
PARLEY_FIELDS(control::MemoryFileUsage, path, type, tokens)
PARLEY_FIELDS(control::McpToolUsage, name, serverName, tokens, isLoaded)
PARLEY_FIELDS(control::McpInstructionsUsage, serverName, tokens)
PARLEY_FIELDS(control::NamedUsage, name, tokens, isLoaded)
PARLEY_FIELDS(control::AgentUsage, agentType, source, pluginId, path, tokens)
PARLEY_FIELDS(control::SlashCommandUsage, totalCommands, includedCommands, tokens)
PARLEY_FIELDS(control::SkillUsage, name, source, pluginName, pluginId, path, tokens)
PARLEY_FIELDS(control::SkillsUsage, totalSkills, includedSkills, tokens, skillFrontmatter)
PARLEY_FIELDS(control::ToolCallUsage, name, callTokens, resultTokens)
PARLEY_FIELDS(control::MessageBreakdown, toolCallTokens, toolResultTokens, attachmentTokens,
              assistantMessageTokens, userMessageTokens, redirectedContextTokens,
              unattributedTokens, toolCallsByType, attachmentsByType)
PARLEY_FIELDS(control::GetContextUsageReply, categories, totalTokens, maxTokens, rawMaxTokens,
              percentage, gridRows, model, memoryFiles, mcpTools, mcpInstructions,
              deferredBuiltinTools, systemTools, systemPromptSections, agents, slashCommands,
              skills, autoCompactThreshold, isAutoCompactEnabled, messageBreakdown, apiUsage)

PARLEY_FIELDS(control::GetSessionCostReply, text)
PARLEY_FIELDS(control::SessionUsage, total_cost_usd, total_api_duration_ms, total_duration_ms,
              total_lines_added, total_lines_removed, model_usage)
PARLEY_FIELDS(control::RateWindow, utilization, resets_at)
PARLEY_FIELDS(control::ModelRateWindow, display_name, utilization, resets_at)
PARLEY_FIELDS(control::ExtraUsage, is_enabled, monthly_limit, used_credits, utilization, currency)
PARLEY_FIELDS(control::RateLimits, five_hour, seven_day, seven_day_oauth_apps, seven_day_opus,
              seven_day_sonnet, model_scoped, extra_usage)
PARLEY_FIELDS(control::UsageBehavior, key, pct, count)
PARLEY_FIELDS(control::UsageRecommendation, key, pct, title, detail)
PARLEY_FIELDS(control::UsageFix, keys, messages)
PARLEY_FIELDS(control::UsageShare, name, pct)
PARLEY_FIELDS(control::UsageBehaviors, request_count, session_count, behaviors, recommendations,
              fix, agents, skills, plugins, mcp_servers)
PARLEY_FIELDS(control::UsageBehaviorsByPeriod, day, week)
PARLEY_FIELDS(control::GetUsageReply, session, subscription_type, rate_limits_available,
              rate_limits, behaviors)

}  // namespace parley
