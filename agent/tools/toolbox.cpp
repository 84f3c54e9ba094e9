#include "agent/tools/toolbox.hpp"

#include <algorithm>
#include <array>

#include "agent/tools/tools.hpp"
#include "wire/tools/registry.hpp"

namespace parley::agent {
namespace {

struct Row {
  std::unique_ptr<Tool> (*make)();
  Offered offered;
};

/// By name.
constexpr std::array kRows{
    Row{make_ask_user_question, Offered::needs_asking},
    Row{make_bash, Offered::default_},
    Row{make_edit, Offered::default_},
    Row{make_enter_plan_mode, Offered::needs_asking},
    Row{make_exit_plan_mode, Offered::needs_asking},
    Row{make_glob, Offered::search},
    Row{make_grep, Offered::search},
    Row{make_ls, Offered::gone},
    Row{make_multi_edit, Offered::gone},
    Row{make_notebook_edit, Offered::default_},
    Row{make_read, Offered::default_},
    Row{make_task_create, Offered::named},
    Row{make_task_get, Offered::named},
    Row{make_task_list, Offered::named},
    Row{make_task_output, Offered::gone},
    Row{make_task_stop, Offered::default_},
    Row{make_task_update, Offered::named},
    Row{make_todo_write, Offered::retired},
    Row{make_web_fetch, Offered::default_},
    Row{make_write, Offered::default_},
};

bool contains(const std::vector<std::string>& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

bool is_named(const std::vector<std::string>& names, const Tool& tool) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return find_tool(name) == &tool; });
}

}  // namespace

const std::vector<std::unique_ptr<Tool>>& all_tools() {
  static const std::vector<std::unique_ptr<Tool>> tools = [] {
    std::vector<std::unique_ptr<Tool>> list;
    for (const Row& row : kRows) list.push_back(row.make());
    return list;
  }();
  return tools;
}

const Tool* find_tool(std::string_view name) {
  for (const auto& tool : all_tools()) {
    if (tool->name() == name) return tool.get();
  }
  const tools::ToolInfo* const known = tools::find_tool(name);
  if (!known || known->name == name) return nullptr;
  return find_tool(known->name);
}

Offered offered(const Tool& tool) {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (all_tools()[i].get() == &tool) return kRows[i].offered;
  }
  return Offered::default_;
}

std::vector<const Tool*> offered_tools(const OfferOptions& options) {
  const std::vector<std::string> named =
      options.tools.value_or(std::vector<std::string>{"default"});
  // Beside other names "default" is only a name that no tool has.
  const bool all_defaults = named == std::vector<std::string>{"default"};
  const bool has_bash = !contains(options.disallowed, "Bash");
  std::vector<const Tool*> list;
  for (const auto& tool : all_tools()) {
    if (is_named(options.disallowed, *tool)) continue;
    const bool asked_for = is_named(named, *tool);
    bool wanted = asked_for;
    switch (offered(*tool)) {
      case Offered::default_: wanted = wanted || all_defaults; break;
      case Offered::needs_asking: wanted = (wanted || all_defaults) && options.can_ask; break;
      case Offered::search: wanted = wanted || (all_defaults && !has_bash); break;
      case Offered::retired: wanted = wanted && !contains(named, "TaskCreate"); break;
      case Offered::named:
      case Offered::gone: break;
    }
    if (wanted) list.push_back(tool.get());
  }
  return list;
}

std::string no_such_tool(std::string_view name) {
  std::string text = "Error: No such tool available: " + std::string(name);
  const Tool* const tool = find_tool(name);
  if (tool && offered(*tool) != Offered::gone) {
    text +=
        ". " + std::string(name) + " is disabled for this session, in subagents as well as here.";
  }
  return text;
}

}  // namespace parley::agent
