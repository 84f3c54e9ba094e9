// What a session keeps for you: plain values, folded from the messages as they arrive.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "../../wire/messages/messages.hpp"
#include "../../wire/tools/inputs.hpp"

namespace parley {

namespace control {
struct InitializeReply;
}  // namespace control

/// A subagent, known by the tool call that started it.
struct Subagent {
  std::string id;  ///< The tool_use id of its Task or Agent call.
  std::optional<std::string>
      parent;  ///< The call of the subagent that started it; none at the top.
  std::string type;
  std::string description;
  std::string prompt;
  bool background = false;
  enum class State { running, done, failed, stopped } state = State::running;
  std::string task_id;  ///< For tasks().stop(); empty until the agent names it.
  std::int64_t tokens = 0;
  std::int64_t tool_uses = 0;
  std::string last_tool;
  std::string summary;
  std::vector<std::string> children;
  /// Its own messages, oldest first; the oldest go when there are more than
  /// Ledger::kMostSubagentMessages.
  std::vector<Message> messages;
};

/// A background task: a command, a subagent, a workflow.
struct Task {
  std::string id;
  std::string type;
  std::string description;
  std::optional<std::string> tool_use_id;
  std::string status;  ///< pending, running, completed, failed, killed, stopped, …
  bool background = false;
  std::string summary;
  std::string output_file;
  std::optional<TaskUsage> usage;

  [[nodiscard]] bool over() const;
};

/// An entry of the list of work that the model keeps with TaskCreate and TaskUpdate, in sessions
/// that have these tools in the place of TodoWrite.
struct ListedTask {
  std::string id;
  std::string subject;  ///< Empty for one from before, until the agent shows it.
  std::string description;
  std::string active_form;  ///< What to show while it is in progress.
  Enum<tools::TaskStatus> status = tools::TaskStatus::pending;
  std::string owner;                    ///< The agent that works on it; empty if none does.
  std::vector<std::string> blocks;      ///< Ids of those that wait for this one,
  std::vector<std::string> blocked_by;  ///< and of those that this one waits for, done or not.
};

/// Tokens and money. The wire gives sums per process; here are also the differences per turn.
struct Spending {
  double total_cost_usd = 0;
  double last_turn_cost_usd = 0;
  Usage last_turn;                                   ///< Tokens of the last turn.
  std::int64_t input_tokens = 0;                     ///< Of all turns, caches not counted.
  std::int64_t output_tokens = 0;                    ///< Of all turns.
  std::map<std::string, ModelUsage> by_model;        ///< Sums.
  std::map<std::string, double> last_turn_by_model;  ///< US dollars.
  std::int64_t turns = 0;
};

/// What the agent waits for the program to answer.
struct PendingAsk {
  std::string request_id;
  std::string kind;   ///< can_use_tool, hook_callback, elicitation, …
  std::string about;  ///< The tool, the event, the server.
};

/// A call of ExitPlanMode, by which the model shows its plan and asks to begin.
struct PlanCall {
  std::string tool_use_id;
  RawJson input;  ///< tools::ExitPlanModeInput, as the model wrote it.
};

struct Ledger {
  static constexpr std::size_t kMostSubagentMessages = 200;
  /// Further ones are left out.
  static constexpr std::size_t kMostListedTasks = 1000;

  std::string session_id;
  std::string model;
  std::optional<Enum<PermissionMode>> permission_mode;
  std::string cwd;
  std::string cli_version;
  std::string title;
  std::vector<std::string> tools;
  std::vector<InitMcpServer> mcp_servers;
  std::vector<SlashCommand> commands;
  std::map<std::string, Subagent> subagents;  ///< By id.
  std::vector<Task> tasks;                    ///< In order of start.
  std::vector<tools::Todo> todos;             ///< As of the last TodoWrite.
  std::vector<ListedTask> task_list;          ///< In order of creation; deleted ones are gone.
  std::vector<ToolUseBlock> task_calls;       ///< Of those tools, without a result so far.
  std::optional<PlanCall> last_plan;          ///< The last one, whatever was answered.
  std::vector<PendingAsk> pending;
  Spending spending;
  /// Tokens in the context as of the last answer of the main agent.
  std::int64_t context_tokens = 0;
  std::optional<std::int64_t> context_window;
  std::optional<RateLimitInfo> rate_limit;
  bool compacting = false;

  /// Folds a message in. Any message may come at any time, also again.
  void apply(const Message& message);
  /// Folds in what `initialize` was answered with.
  void apply(const control::InitializeReply& reply);
  /// The subagents that the main agent started, in order of their ids.
  [[nodiscard]] std::vector<const Subagent*> top_level() const;
};

}  // namespace parley
