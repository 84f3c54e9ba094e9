// TaskCreate, TaskUpdate, TaskList and TaskGet: four small doors to one list.
#include "agent/tools/planning/task_list.hpp"
#include "agent/tools/schema/input_schema.hpp"
#include "agent/tools/tools.hpp"
#include "agent/tools/typed_tool.hpp"

namespace parley::agent {
namespace {

Json names(const std::vector<std::string>& ids) {
  Json list = Json::array();
  for (const std::string& id : ids) list.push(Json(id));
  return list;
}

/// "#1, #2"
std::string numbers(const std::vector<std::string>& ids) {
  std::string text;
  for (const std::string& id : ids) text += (text.empty() ? "#" : ", #") + id;
  return text;
}

class TaskCreateTool final : public Tool {
 public:
  std::string_view name() const override { return "TaskCreate"; }
  std::string description() const override {
    return "Adds a task to your list of work. Use it for work of several steps, or when the user "
           "gives you several things to do.";
  }
  Json input_schema() const override {
    return schema::object(
        {{"subject", schema::string("A short title"), true},
         {"description", schema::string("What is to be done; the title if left out")},
         {"activeForm", schema::string("What to show while it is being done")},
         {"metadata", schema::any_object("Anything else to keep with it")}});
  }
  Intent intent(const ToolCall& /*call*/) const override { return {}; }

  ToolOutput run(const ToolCall& call) const override {
    Result<Json> json = call.input.json();
    // The type wants a description, the real tool does not.
    if (json && !json->find("description")) json->set("description", (*json)["subject"]);
    const auto input = json ? RawJson(json->dump()).as<tools::TaskCreateInput>()
                            : Result<tools::TaskCreateInput>(json.error());
    if (!input) return ToolOutput::error(input.error().what(), true);
    const WorkItem item = call.state.task_list().add(*input);
    return ToolOutput::success(
        "Task #" + item.id + " created successfully: " + item.subject,
        Json::object({{"task", Json::object({{"id", item.id},
                                             {"subject", item.subject},
                                             {"description", item.description}})}}));
  }
};

class TaskUpdateTool final : public TypedTool<tools::TaskUpdateInput> {
 public:
  std::string_view name() const override { return "TaskUpdate"; }
  std::string description() const override {
    return "Changes a task: set `status` to in_progress when you begin and to completed when it is "
           "fully done, or to deleted to take it away. `addBlocks` and `addBlockedBy` say which "
           "tasks wait for which.";
  }
  Json input_schema() const override {
    return schema::object(
        {{"taskId", schema::string("The number of the task"), true},
         {"subject", schema::string("A new title")},
         {"description", schema::string("A new description")},
         {"activeForm", schema::string("What to show while it is being done")},
         {"status", schema::one_of({"pending", "in_progress", "completed", "deleted"})},
         {"addBlocks", schema::array(schema::string(), "Tasks that wait for this one")},
         {"addBlockedBy", schema::array(schema::string(), "Tasks that this one waits for")},
         {"owner", schema::string("Who does it")},
         {"metadata", schema::any_object("Keys to set; null takes one away")}});
  }

 protected:
  ToolOutput perform(const tools::TaskUpdateInput& input, const ToolCall& call) const override {
    const std::optional<TaskList::Change> change = call.state.task_list().update(input);
    Json result = Json::object(
        {{"success", change.has_value()},
         {"taskId", input.taskId},
         {"updatedFields", names(change ? change->fields : std::vector<std::string>{})}});
    if (!change) {
      result.set("error", "Task not found");
      return ToolOutput::success("Task not found", result);
    }
    if (change->status) {
      result.set("statusChange",
                 Json::object({{"from", change->status->first}, {"to", change->status->second}}));
    }
    std::string fields;
    for (const std::string& field : change->fields) fields += (fields.empty() ? "" : ", ") + field;
    return ToolOutput::success("Updated task #" + input.taskId + " " + fields, result);
  }
};

class TaskListTool final : public TypedTool<tools::TaskListInput> {
 public:
  std::string_view name() const override { return "TaskList"; }
  std::string description() const override {
    return "Shows your list of work: number, state, title, owner, and what each task waits for.";
  }
  Json input_schema() const override { return schema::object({}); }
  bool concurrent(const RawJson& /*input*/) const override { return true; }

 protected:
  ToolOutput perform(const tools::TaskListInput& /*input*/, const ToolCall& call) const override {
    const TaskList& list = call.state.task_list();
    std::string text;
    Json tasks = Json::array();
    for (const WorkItem& item : list.items()) {
      const std::vector<std::string> blockers = list.open_blockers(item);
      Json task =
          Json::object({{"id", item.id}, {"subject", item.subject}, {"status", item.status}});
      if (item.owner) task.set("owner", *item.owner);
      task.set("blockedBy", names(blockers));
      tasks.push(std::move(task));
      text += (text.empty() ? "#" : "\n#") + item.id + " [" + item.status + "] " + item.subject;
      if (item.owner) text += " (" + *item.owner + ")";
      if (!blockers.empty()) text += " [blocked by " + numbers(blockers) + "]";
    }
    return ToolOutput::success(text.empty() ? "No tasks found" : text,
                               Json::object({{"tasks", std::move(tasks)}}));
  }
};

class TaskGetTool final : public TypedTool<tools::TaskGetInput> {
 public:
  std::string_view name() const override { return "TaskGet"; }
  std::string description() const override { return "Shows one task of your list in full."; }
  Json input_schema() const override {
    return schema::object({{"taskId", schema::string("The number of the task"), true}});
  }
  bool concurrent(const RawJson& /*input*/) const override { return true; }

 protected:
  ToolOutput perform(const tools::TaskGetInput& input, const ToolCall& call) const override {
    const std::optional<WorkItem> item = call.state.task_list().find(input.taskId);
    if (!item) return ToolOutput::success("Task not found", Json::object({{"task", Json()}}));
    std::string text = "Task #" + item->id + ": " + item->subject + "\nStatus: " + item->status +
                       "\nDescription: " + item->description;
    if (!item->blocked_by.empty()) text += "\nBlocked by: " + numbers(item->blocked_by);
    if (!item->blocks.empty()) text += "\nBlocks: " + numbers(item->blocks);
    return ToolOutput::success(
        text, Json::object({{"task", Json::object({{"id", item->id},
                                                   {"subject", item->subject},
                                                   {"description", item->description},
                                                   {"status", item->status},
                                                   {"blocks", names(item->blocks)},
                                                   {"blockedBy", names(item->blocked_by)}})}}));
  }
};

}  // namespace

std::unique_ptr<Tool> make_task_create() { return std::make_unique<TaskCreateTool>(); }
std::unique_ptr<Tool> make_task_update() { return std::make_unique<TaskUpdateTool>(); }
std::unique_ptr<Tool> make_task_list() { return std::make_unique<TaskListTool>(); }
std::unique_ptr<Tool> make_task_get() { return std::make_unique<TaskGetTool>(); }

}  // namespace parley::agent
