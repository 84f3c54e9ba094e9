#include "client/ledger/ledger.hpp"

#include <algorithm>

#include "client/ledger/task_list.hpp"
#include "wire/codec/codec.hpp"
#include "wire/control/replies.hpp"

namespace parley {
namespace {

/// The tools that start subagents, in newer and older CLIs.
bool starts_subagent(std::string_view tool) { return tool == "Agent" || tool == "Task"; }

std::int64_t context_of(const Usage& usage) {
  return usage.input_tokens.value_or(0) + usage.cache_read_input_tokens.value_or(0) +
         usage.cache_creation_input_tokens.value_or(0) + usage.output_tokens.value_or(0);
}

/// One overload per message that says something; the rest says nothing here.
class Folder {
 public:
  explicit Folder(Ledger& ledger) : ledger_(ledger) {}

  template <class Other>
  void operator()(const Other&) const {}

  void operator()(const SystemInit& init) const {
    if (!init.session_id.empty()) ledger_.session_id = init.session_id;
    if (init.model) ledger_.model = *init.model;
    if (init.permissionMode) ledger_.permission_mode = *init.permissionMode;
    if (init.cwd) ledger_.cwd = *init.cwd;
    if (init.claude_code_version) ledger_.cli_version = *init.claude_code_version;
    if (init.tools) ledger_.tools = *init.tools;
    if (init.mcp_servers) ledger_.mcp_servers = *init.mcp_servers;
    if (init.slash_commands) take_command_names(*init.slash_commands);
  }

  void operator()(const SystemStatus& status) const {
    if (status.permissionMode) ledger_.permission_mode = *status.permissionMode;
    ledger_.compacting = status.status && *status.status == SessionStatus::compacting;
  }

  void operator()(const CommandsChanged& changed) const { ledger_.commands = changed.commands; }
  void operator()(const SessionTitleChanged& changed) const {
    if (changed.title) ledger_.title = *changed.title;
  }
  void operator()(const ModelFallback& fallback) const {
    if (fallback.fallback_model) ledger_.model = *fallback.fallback_model;
  }
  void operator()(const RateLimitEvent& event) const { ledger_.rate_limit = event.rate_limit_info; }
  void operator()(const ConversationReset& reset) const {
    if (reset.new_conversation_id) ledger_.session_id = *reset.new_conversation_id;
    ledger_.subagents.clear();
    ledger_.todos.clear();
    ledger_.task_list.clear();
    ledger_.task_calls.clear();
    ledger_.last_plan.reset();
    ledger_.context_tokens = 0;
  }
  void operator()(const CompactBoundary& boundary) const {
    if (boundary.compact_metadata.post_tokens) {
      ledger_.context_tokens = *boundary.compact_metadata.post_tokens;
    }
  }

  // ---- subagents and tasks ----

  void operator()(const AssistantMessage& message) const {
    if (message.parent_tool_use_id) {
      keep(*message.parent_tool_use_id, message);
    } else if (message.message.usage && message.message.model != "<synthetic>") {
      ledger_.context_tokens = context_of(*message.message.usage);
    }
    for (const ContentBlock& block : message.message.content) {
      if (const auto* use = std::get_if<ToolUseBlock>(&block)) {
        tool_use(*use, message.parent_tool_use_id);
      }
    }
  }

  void operator()(const UserMessage& message) const {
    if (message.parent_tool_use_id) keep(*message.parent_tool_use_id, message);
    const auto* blocks = std::get_if<std::vector<ContentBlock>>(&message.message.content);
    if (blocks == nullptr) return;
    for (const ContentBlock& block : *blocks) {
      const auto* result = std::get_if<ToolResultBlock>(&block);
      if (result == nullptr) continue;
      // What is beside the text belongs to one call.
      if (blocks->size() == 1) {
        detail::take_task_result(ledger_, *result, message.tool_use_result);
      }
      const auto found = ledger_.subagents.find(result->tool_use_id);
      // The call of a background agent returns at once; task messages tell its end.
      if (found == ledger_.subagents.end() || found->second.background) continue;
      found->second.state =
          result->is_error.value_or(false) ? Subagent::State::failed : Subagent::State::done;
    }
  }

  void operator()(const TaskStarted& started) const {
    Task& task = task_of(started.task_id);
    task.status = "running";
    if (started.task_type) task.type = *started.task_type;
    if (started.description) task.description = *started.description;
    if (started.tool_use_id) task.tool_use_id = started.tool_use_id;
    task.background = started.is_backgrounded.value_or(false);
    if (Subagent* agent = agent_of(started.tool_use_id)) {
      agent->task_id = started.task_id;
      agent->background = task.background;
      if (started.subagent_type) agent->type = *started.subagent_type;
    }
  }

  void operator()(const TaskUpdated& updated) const {
    Task& task = task_of(updated.task_id);
    if (updated.patch.status) task.status = updated.patch.status->text();
    if (updated.patch.description) task.description = *updated.patch.description;
    if (updated.patch.is_backgrounded) task.background = *updated.patch.is_backgrounded;
    if (Subagent* agent = agent_of(task.tool_use_id)) {
      if (updated.patch.is_backgrounded) agent->background = *updated.patch.is_backgrounded;
      if (task.status == "completed") agent->state = Subagent::State::done;
      if (task.status == "failed") agent->state = Subagent::State::failed;
      if (task.status == "killed") agent->state = Subagent::State::stopped;
    }
  }

  void operator()(const TaskProgress& progress) const {
    Task& task = task_of(progress.task_id);
    if (progress.usage) task.usage = progress.usage;
    if (progress.summary) task.summary = *progress.summary;
    const auto& call = progress.tool_use_id ? progress.tool_use_id : task.tool_use_id;
    if (Subagent* agent = agent_of(call)) {
      if (agent->task_id.empty()) agent->task_id = progress.task_id;
      take_usage(*agent, progress.usage);
      if (progress.last_tool_name) agent->last_tool = *progress.last_tool_name;
      if (progress.summary) agent->summary = *progress.summary;
    }
  }

  void operator()(const TaskNotification& ended) const {
    Task& task = task_of(ended.task_id);
    if (ended.status) task.status = ended.status->text();
    if (ended.summary) task.summary = *ended.summary;
    if (ended.output_file) task.output_file = *ended.output_file;
    if (ended.usage) task.usage = ended.usage;
    if (Subagent* agent = agent_of(ended.tool_use_id ? ended.tool_use_id : task.tool_use_id)) {
      take_usage(*agent, ended.usage);
      if (ended.summary) agent->summary = *ended.summary;
      agent->state = task.status == "completed" ? Subagent::State::done
                     : task.status == "stopped" ? Subagent::State::stopped
                                                : Subagent::State::failed;
    }
  }

  void operator()(const BackgroundTasksChanged& changed) const {
    for (const BackgroundTask& running : changed.tasks) {
      Task& task = task_of(running.task_id);
      task.background = true;
      if (task.status.empty()) task.status = "running";
      if (running.task_type) task.type = *running.task_type;
      if (running.description) task.description = *running.description;
    }
  }

  // ---- tokens and money ----

  void operator()(const ResultMessage& result) const {
    Spending& spending = ledger_.spending;
    ++spending.turns;
    if (!result.session_id.empty()) ledger_.session_id = result.session_id;
    if (result.usage) {
      spending.last_turn = *result.usage;
      spending.input_tokens += result.usage->input_tokens.value_or(0);
      spending.output_tokens += result.usage->output_tokens.value_or(0);
    }
    if (result.total_cost_usd) {
      // A sum that shrank began anew, as 2.1.38 does when it resumes.
      const double total = *result.total_cost_usd;
      spending.last_turn_cost_usd =
          total >= spending.total_cost_usd ? total - spending.total_cost_usd : total;
      spending.total_cost_usd = total;
    }
    if (!result.modelUsage) return;
    spending.last_turn_by_model.clear();
    for (const auto& [model, usage] : *result.modelUsage) {
      ModelUsage& sum = spending.by_model[model];
      const double before = sum.costUSD.value_or(0);
      const double now = usage.costUSD.value_or(0);
      if (now > before) spending.last_turn_by_model[model] = now - before;
      sum = usage;
      if (model == ledger_.model && usage.contextWindow) {
        ledger_.context_window = usage.contextWindow;
      }
    }
  }

 private:
  void take_command_names(const std::vector<std::string>& names) const {
    // Init knows only names. Descriptions from elsewhere are worth keeping.
    std::vector<SlashCommand> commands;
    for (const std::string& name : names) {
      const auto known = std::find_if(ledger_.commands.begin(), ledger_.commands.end(),
                                      [&](const SlashCommand& c) { return c.name == name; });
      if (known != ledger_.commands.end()) {
        commands.push_back(*known);
      } else {
        commands.emplace_back().name = name;
      }
    }
    ledger_.commands = std::move(commands);
  }

  void tool_use(const ToolUseBlock& use, const std::optional<std::string>& parent) const {
    if (use.name == "TodoWrite") {
      if (auto input = use.input.as<tools::TodoWriteInput>()) ledger_.todos = input->todos;
    }
    detail::note_task_call(ledger_, use);
    if (use.name == "ExitPlanMode") ledger_.last_plan = PlanCall{use.id, use.input};
    if (!starts_subagent(use.name)) return;
    Subagent& agent = subagent(use.id, parent);
    if (const auto input = use.input.as<tools::AgentInput>()) {
      agent.description = input->description;
      agent.prompt = input->prompt;
      if (input->subagent_type) agent.type = *input->subagent_type;
      if (input->run_in_background) agent.background = *input->run_in_background;
    }
  }

  Subagent& subagent(const std::string& id, const std::optional<std::string>& parent) const {
    Subagent& agent = ledger_.subagents[id];
    agent.id = id;
    if (parent && *parent != id) {
      agent.parent = parent;
      auto& siblings = ledger_.subagents[*parent].children;
      ledger_.subagents[*parent].id = *parent;
      if (std::find(siblings.begin(), siblings.end(), id) == siblings.end()) siblings.push_back(id);
    }
    return ledger_.subagents[id];
  }

  template <class M>
  void keep(const std::string& id, const M& message) const {
    auto& messages = subagent(id, std::nullopt).messages;
    if (messages.size() >= Ledger::kMostSubagentMessages) messages.erase(messages.begin());
    messages.emplace_back(message);
  }

  Task& task_of(const std::string& id) const {
    const auto found = std::find_if(ledger_.tasks.begin(), ledger_.tasks.end(),
                                    [&](const Task& task) { return task.id == id; });
    if (found != ledger_.tasks.end()) return *found;
    return ledger_.tasks.emplace_back(Task{.id = id,
                                           .type = {},
                                           .description = {},
                                           .tool_use_id = {},
                                           .status = {},
                                           .background = false,
                                           .summary = {},
                                           .output_file = {},
                                           .usage = {}});
  }

  [[nodiscard]] Subagent* agent_of(const std::optional<std::string>& tool_use_id) const {
    if (!tool_use_id) return nullptr;
    const auto found = ledger_.subagents.find(*tool_use_id);
    return found == ledger_.subagents.end() ? nullptr : &found->second;
  }

  static void take_usage(Subagent& agent, const std::optional<TaskUsage>& usage) {
    if (!usage) return;
    agent.tokens = usage->total_tokens.value_or(agent.tokens);
    agent.tool_uses = usage->tool_uses.value_or(agent.tool_uses);
  }

  Ledger& ledger_;
};

}  // namespace

bool Task::over() const {
  return status == "completed" || status == "failed" || status == "killed" || status == "stopped";
}

void Ledger::apply(const Message& message) { std::visit(Folder(*this), message); }

void Ledger::apply(const control::InitializeReply& reply) {
  if (reply.commands) commands = *reply.commands;
  if (reply.claude_code_version) cli_version = *reply.claude_code_version;
  if (reply.current_permission_mode) permission_mode = *reply.current_permission_mode;
}

std::vector<const Subagent*> Ledger::top_level() const {
  std::vector<const Subagent*> result;
  for (const auto& [id, agent] : subagents) {
    if (!agent.parent) result.push_back(&agent);
  }
  return result;
}

}  // namespace parley
