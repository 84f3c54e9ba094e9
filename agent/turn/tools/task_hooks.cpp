#include "agent/turn/tools/task_hooks.hpp"

#include "agent/tools/planning/task_list.hpp"
#include "agent/tools/tool_state.hpp"
#include "agent/turn/hook_inputs.hpp"
#include "support/random.hpp"

namespace parley::agent {
namespace {

/// Puts an entry back to a state, or takes it away ("deleted").
void put_back(TaskList& list, const std::string& id, const std::string& status) {
  tools::TaskUpdateInput input;
  input.taskId = id;
  input.status = Enum<tools::TaskStatus>(status);
  list.update(input);
}

template <class Event>
HookVerdict ask(const CallScope& scope, const WorkItem& item) {
  TurnContext& context = scope.context;
  Event event;
  fill(event, context, scope.prompt_id);
  event.permission_mode.reset();
  event.task_id = item.id;
  event.task_subject = item.subject;
  event.task_description = item.description;
  HookVerdict verdict = context.hooks.run(event, "", make_uuid(), scope.stop.get_token());
  show_hook_messages(context.messages, verdict);
  return verdict;
}

}  // namespace

void run_task_hooks(const CallScope& scope, const Tool& tool, ToolOutput& output) {
  const bool creates = tool.name() == "TaskCreate";
  if (output.is_error || (!creates && tool.name() != "TaskUpdate")) return;
  const char* const name = creates ? "TaskCreated" : "TaskCompleted";
  if (!scope.context.hooks.any(name)) return;
  const auto parsed = output.result.json();
  const Json result = parsed ? *parsed : Json();
  const Json& change = result["statusChange"];
  if (!creates && change["to"].as_string() != "completed") return;
  TaskList& list = scope.context.tools.state().task_list();
  const std::string id(creates ? result["task"]["id"].as_string() : result["taskId"].as_string());
  const std::optional<WorkItem> item = list.find(id);
  if (!item) return;
  const HookVerdict verdict =
      creates ? ask<hooks::TaskCreated>(scope, *item) : ask<hooks::TaskCompleted>(scope, *item);
  if (verdict.stop) scope.notes.stopped_by_hook();
  if (!verdict.blocked) return;
  put_back(list, id, creates ? "deleted" : std::string(change["from"].as_string()));
  output = ToolOutput::error(std::string(name) + " hook feedback:\n" + verdict.block_reason);
}

}  // namespace parley::agent
