// Compiles the codecs of what the model asks of the built-in tools.
#include "../tables/tool_inputs.hpp"

namespace parley {

PARLEY_DEFINE_CODEC(tools::ReadInput)
PARLEY_DEFINE_CODEC(tools::WriteInput)
PARLEY_DEFINE_CODEC(tools::EditInput)
PARLEY_DEFINE_CODEC(tools::MultiEditInput)
PARLEY_DEFINE_CODEC(tools::NotebookEditInput)
PARLEY_DEFINE_CODEC(tools::GlobInput)
PARLEY_DEFINE_CODEC(tools::GrepInput)
PARLEY_DEFINE_CODEC(tools::LSInput)
PARLEY_DEFINE_CODEC(tools::BashInput)
PARLEY_DEFINE_CODEC(tools::TaskOutputInput)
PARLEY_DEFINE_CODEC(tools::TaskStopInput)
PARLEY_DEFINE_CODEC(tools::AgentInput)
PARLEY_DEFINE_CODEC(tools::TodoWriteInput)
PARLEY_DEFINE_CODEC(tools::TaskCreateInput)
PARLEY_DEFINE_CODEC(tools::TaskUpdateInput)
PARLEY_DEFINE_CODEC(tools::TaskGetInput)
PARLEY_DEFINE_CODEC(tools::TaskListInput)
PARLEY_DEFINE_CODEC(tools::EnterPlanModeInput)
PARLEY_DEFINE_CODEC(tools::ExitPlanModeInput)
PARLEY_DEFINE_CODEC(tools::Question)
PARLEY_DEFINE_CODEC(tools::AskUserQuestionInput)
PARLEY_DEFINE_CODEC(tools::WebFetchInput)
PARLEY_DEFINE_CODEC(tools::WebSearchInput)
PARLEY_DEFINE_CODEC(tools::ListMcpResourcesInput)
PARLEY_DEFINE_CODEC(tools::ReadMcpResourceInput)
PARLEY_DEFINE_CODEC(tools::ReadMcpResourceDirInput)
PARLEY_DEFINE_CODEC(tools::SkillInput)
PARLEY_DEFINE_CODEC(tools::ToolSearchInput)
PARLEY_DEFINE_CODEC(tools::UnparsedInput)

}  // namespace parley
