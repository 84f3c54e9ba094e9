#include "client/ledger/task_list.hpp"

#include <algorithm>

#include "wire/codec/codec.hpp"
#include "wire/tools/results.hpp"

namespace parley::detail {
namespace {

/// Calls that wait for their results. More do not run at a time; some never get one.
constexpr std::size_t kMostTaskCalls = 256;

class TaskList {
 public:
  explicit TaskList(std::vector<ListedTask>& tasks) : tasks_(tasks) {}

  void created(const tools::TaskCreateInput& input, const tools::CreatedTask& made) {
    ListedTask* task = make(made.id);
    if (task == nullptr) return;
    task->subject = made.subject;
    task->description = input.description;
    task->active_form = input.activeForm.value_or("");
  }

  void updated(const tools::TaskUpdateInput& input) {
    if (input.status && *input.status == tools::TaskStatus::deleted) return erase(input.taskId);
    // One that is not known is from before this session was resumed.
    ListedTask* task = make(input.taskId);
    if (task == nullptr) return;
    if (input.subject) task->subject = *input.subject;
    if (input.description) task->description = *input.description;
    if (input.activeForm) task->active_form = *input.activeForm;
    if (input.status) task->status = *input.status;
    if (input.owner) task->owner = *input.owner;
    if (input.addBlocks) {
      for (const std::string& other : *input.addBlocks) depend(input.taskId, other);
    }
    if (input.addBlockedBy) {
      for (const std::string& other : *input.addBlockedBy) depend(other, input.taskId);
    }
  }

  /// All there are. Blockers that are completed may be left out, as parley-agent does, so what is
  /// known of them stays.
  void listed(const std::vector<tools::TaskSummary>& all) {
    std::vector<std::string> gone;
    for (const ListedTask& task : tasks_) {
      const auto same = [&](const tools::TaskSummary& s) { return s.id == task.id; };
      if (std::none_of(all.begin(), all.end(), same)) gone.push_back(task.id);
    }
    for (const std::string& id : gone) erase(id);
    for (const tools::TaskSummary& summary : all) {
      ListedTask* task = make(summary.id);
      if (task == nullptr) break;
      task->subject = summary.subject;
      task->status = summary.status;
      task->owner = summary.owner.value_or("");
    }
    for (const tools::TaskSummary& summary : all) {
      for (const std::string& blocker : summary.blockedBy) depend(blocker, summary.id);
    }
  }

  void shown(const tools::TaskDetails& details) {
    ListedTask* task = make(details.id);
    if (task == nullptr) return;
    task->subject = details.subject;
    task->description = details.description;
    task->status = details.status;
    for (const std::string& other : details.blocks) depend(details.id, other);
    for (const std::string& other : details.blockedBy) depend(other, details.id);
  }

  void erase(const std::string& id) {
    std::erase_if(tasks_, [&](const ListedTask& task) { return task.id == id; });
    for (ListedTask& task : tasks_) {
      std::erase(task.blocks, id);
      std::erase(task.blocked_by, id);
    }
  }

 private:
  [[nodiscard]] ListedTask* find(const std::string& id) {
    const auto found = std::find_if(tasks_.begin(), tasks_.end(),
                                    [&](const ListedTask& task) { return task.id == id; });
    return found == tasks_.end() ? nullptr : &*found;
  }

  /// Null if the list is full.
  ListedTask* make(const std::string& id) {
    if (ListedTask* known = find(id)) return known;
    if (tasks_.size() >= Ledger::kMostListedTasks) return nullptr;
    ListedTask& task = tasks_.emplace_back();
    task.id = id;
    return &task;
  }

  /// The first has to be done before the second can begin. Either may be unknown here.
  void depend(const std::string& blocker, const std::string& blocked) {
    if (blocker == blocked) return;
    if (ListedTask* first = find(blocker)) add(first->blocks, blocked);
    if (ListedTask* second = find(blocked)) add(second->blocked_by, blocker);
  }

  static void add(std::vector<std::string>& ids, const std::string& id) {
    if (ids.size() >= Ledger::kMostListedTasks) return;
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
  }

  std::vector<ListedTask>& tasks_;
};

bool is_task_tool(std::string_view name) {
  return name == "TaskCreate" || name == "TaskUpdate" || name == "TaskList" || name == "TaskGet";
}

void fold_result(TaskList list, const ToolUseBlock& call, const RawJson& result) {
  if (call.name == "TaskCreate") {
    const auto input = call.input.as<tools::TaskCreateInput>();
    const auto output = result.as<tools::TaskCreateResult>();
    if (input && output) list.created(*input, output->task);
  } else if (call.name == "TaskUpdate") {
    const auto input = call.input.as<tools::TaskUpdateInput>();
    const auto output = result.as<tools::TaskUpdateResult>();
    if (input && output && output->success) list.updated(*input);
  } else if (call.name == "TaskList") {
    if (const auto output = result.as<tools::TaskListResult>()) list.listed(output->tasks);
  } else {
    const auto input = call.input.as<tools::TaskGetInput>();
    const auto output = result.as<tools::TaskGetResult>();
    if (!input || !output) return;
    if (output->task) {
      list.shown(*output->task);
    } else {
      list.erase(input->taskId);
    }
  }
}

}  // namespace

void note_task_call(Ledger& ledger, const ToolUseBlock& call) {
  if (!is_task_tool(call.name)) return;
  auto& calls = ledger.task_calls;
  std::erase_if(calls, [&](const ToolUseBlock& known) { return known.id == call.id; });
  if (calls.size() >= kMostTaskCalls) calls.erase(calls.begin());
  calls.push_back(call);
}

void take_task_result(Ledger& ledger, const ToolResultBlock& block,
                      const std::optional<RawJson>& result) {
  auto& calls = ledger.task_calls;
  const auto found = std::find_if(calls.begin(), calls.end(), [&](const ToolUseBlock& call) {
    return call.id == block.tool_use_id;
  });
  if (found == calls.end()) return;
  const ToolUseBlock call = std::move(*found);
  calls.erase(found);
  if (result && !block.is_error.value_or(false)) {
    fold_result(TaskList(ledger.task_list), call, *result);
  }
}

}  // namespace parley::detail
