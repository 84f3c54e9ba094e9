// TodoWrite: the whole list of work at once, as agents kept it before there were single tasks.
#include "agent/tools/schema/input_schema.hpp"
#include "agent/tools/tool_state.hpp"
#include "agent/tools/tools.hpp"

namespace parley::agent {
namespace {

class TodoWriteTool final : public Tool {
 public:
  std::string_view name() const override { return "TodoWrite"; }

  std::string description() const override {
    return "Keeps your list of work, whole, with every call. Use it for work of several steps: one "
           "item in progress at a time, marked completed as soon as it is.";
  }

  Json input_schema() const override {
    const Json todo = schema::object(
        {{"content", schema::string("What is to be done"), true},
         {"status", schema::one_of({"pending", "in_progress", "completed"}), true},
         {"activeForm", schema::string("The same, as it is shown while it is being done"), true}});
    return schema::object({{"todos", schema::array(todo, "The whole list"), true}});
  }

  Intent intent(const ToolCall& /*call*/) const override { return {}; }

  ToolOutput run(const ToolCall& call) const override {
    const Result<Json> input = call.input.json();
    if (!input) return ToolOutput::error(input.error().what(), true);
    const Json before = call.state.todos();
    const Json& todos = (*input)["todos"];
    bool all_done = true;
    for (const Json& todo : todos.items()) {
      all_done = all_done && todo["status"].as_string() == "completed";
    }
    // A list that is done is put away.
    call.state.set_todos(all_done ? Json::array() : todos);
    return ToolOutput::success(
        "Todos have been modified successfully. Ensure that you continue to use the todo list to "
        "track your progress. Please proceed with the current tasks if applicable",
        Json::object({{"oldTodos", before}, {"newTodos", todos}}));
  }
};

}  // namespace

std::unique_ptr<Tool> make_todo_write() { return std::make_unique<TodoWriteTool>(); }

}  // namespace parley::agent
