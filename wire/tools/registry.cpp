#include "registry.hpp"

#include <algorithm>
#include <array>

#include "../codec/codec.hpp"
#include "tools.hpp"

namespace parley::tools {

namespace {

/// A schema whose root is a reference, with what it refers to in its place.
Json with_inline_root(Json schema) {
  constexpr std::string_view kPrefix = "#/$defs/";
  const Json* reference = schema.find("$ref");
  if (reference == nullptr || !reference->as_string().starts_with(kPrefix)) return schema;
  const std::string name(reference->as_string().substr(kPrefix.size()));
  Json definitions = schema["$defs"];
  Json root = definitions[name];
  definitions.erase(name);
  if (!definitions.members().empty()) root.set("$defs", std::move(definitions));
  return root;
}

template <class T>
Json schema() {
  return with_inline_root(schema_of<T>());
}

template <class T>
Result<void> check(const RawJson& value) {
  const Result<T> decoded = value.as<T>();
  if (!decoded) return decoded.error();
  return {};
}

/// For tools that only ever answer with text.
struct TextOnly {};

template <class Input, class Output>
constexpr ToolInfo tool(std::string_view name, std::span<const std::string_view> aliases = {}) {
  ToolInfo info{name, aliases, &schema<Input>, nullptr, &check<Input>, nullptr};
  if constexpr (!std::is_same_v<Output, TextOnly>) {
    info.result_schema = &schema<Output>;
    info.check_result = &check<Output>;
  }
  return info;
}

using Names = std::array<std::string_view, 1>;
constexpr Names kAgent{"Task"};
constexpr Names kListMcpResources{"ListMcpResources"};
constexpr Names kReadMcpResourceDir{"ReadMcpResourceDir"};
constexpr Names kReadMcpResource{"ReadMcpResource"};
constexpr Names kTaskOutput{"BashOutput"};
constexpr std::array<std::string_view, 2> kTaskStop{"KillShell", "KillBash"};

/// Any object will do: the session's own schema decides.
using AnyObject = Map<RawJson>;

constexpr auto kTools = std::to_array<ToolInfo>({
    tool<AgentInput, AgentResult>("Agent", kAgent),
    tool<AskUserQuestionInput, AskUserQuestionResult>("AskUserQuestion"),
    tool<BashInput, BashResult>("Bash"),
    tool<EditInput, EditResult>("Edit"),
    tool<EnterPlanModeInput, EnterPlanModeResult>("EnterPlanMode"),
    tool<ExitPlanModeInput, ExitPlanModeResult>("ExitPlanMode"),
    tool<GlobInput, GlobResult>("Glob"),
    tool<GrepInput, GrepResult>("Grep"),
    tool<LSInput, TextOnly>("LS"),
    tool<ListMcpResourcesInput, ListMcpResourcesResult>("ListMcpResourcesTool", kListMcpResources),
    tool<MultiEditInput, MultiEditResult>("MultiEdit"),
    tool<NotebookEditInput, NotebookEditResult>("NotebookEdit"),
    tool<ReadInput, ReadResult>("Read"),
    tool<ReadMcpResourceDirInput, ReadMcpResourceDirResult>("ReadMcpResourceDirTool",
                                                            kReadMcpResourceDir),
    tool<ReadMcpResourceInput, ReadMcpResourceResult>("ReadMcpResourceTool", kReadMcpResource),
    tool<SkillInput, SkillResult>("Skill"),
    tool<AnyObject, TextOnly>("StructuredOutput"),
    tool<TaskCreateInput, TaskCreateResult>("TaskCreate"),
    tool<TaskGetInput, TaskGetResult>("TaskGet"),
    tool<TaskListInput, TaskListResult>("TaskList"),
    tool<TaskOutputInput, TaskOutputResult>("TaskOutput", kTaskOutput),
    tool<TaskStopInput, TaskStopResult>("TaskStop", kTaskStop),
    tool<TaskUpdateInput, TaskUpdateResult>("TaskUpdate"),
    tool<TodoWriteInput, TodoWriteResult>("TodoWrite"),
    tool<ToolSearchInput, ToolSearchResult>("ToolSearch"),
    tool<WebFetchInput, WebFetchResult>("WebFetch"),
    tool<WebSearchInput, WebSearchResult>("WebSearch"),
    tool<WriteInput, WriteResult>("Write"),
});

}  // namespace

std::span<const ToolInfo> built_in_tools() { return kTools; }

const ToolInfo* find_tool(std::string_view name) {
  for (const ToolInfo& tool : kTools) {
    if (tool.name == name || std::ranges::find(tool.aliases, name) != tool.aliases.end()) {
      return &tool;
    }
  }
  return nullptr;
}

Result<void> check_input(std::string_view tool, const RawJson& input) {
  const ToolInfo* info = find_tool(tool);
  if (info == nullptr) return {};
  return info->check_input(input);
}

}  // namespace parley::tools
