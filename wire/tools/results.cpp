// Compiles the codecs of what the built-in tools answer.
#include "../tables/tool_results.hpp"

namespace parley {

namespace tools {
PARLEY_DEFINE_UNION(ReadResult)
PARLEY_DEFINE_UNION(AgentResult)
}  // namespace tools

PARLEY_DEFINE_CODEC(tools::ReadResult)
PARLEY_DEFINE_CODEC(tools::WriteResult)
PARLEY_DEFINE_CODEC(tools::EditResult)
PARLEY_DEFINE_CODEC(tools::MultiEditResult)
PARLEY_DEFINE_CODEC(tools::NotebookEditResult)
PARLEY_DEFINE_CODEC(tools::PatchHunk)
PARLEY_DEFINE_CODEC(tools::GlobResult)
PARLEY_DEFINE_CODEC(tools::GrepResult)
PARLEY_DEFINE_CODEC(tools::BashResult)
PARLEY_DEFINE_CODEC(tools::TaskOutputResult)
PARLEY_DEFINE_CODEC(tools::BashOutputResult)
PARLEY_DEFINE_CODEC(tools::TaskStopResult)
PARLEY_DEFINE_CODEC(tools::AgentResult)
PARLEY_DEFINE_CODEC(tools::TodoWriteResult)
PARLEY_DEFINE_CODEC(tools::TaskCreateResult)
PARLEY_DEFINE_CODEC(tools::TaskUpdateResult)
PARLEY_DEFINE_CODEC(tools::TaskGetResult)
PARLEY_DEFINE_CODEC(tools::TaskListResult)
PARLEY_DEFINE_CODEC(tools::EnterPlanModeResult)
PARLEY_DEFINE_CODEC(tools::ExitPlanModeResult)
PARLEY_DEFINE_CODEC(tools::AskUserQuestionResult)
PARLEY_DEFINE_CODEC(tools::WebFetchResult)
PARLEY_DEFINE_CODEC(tools::WebSearchResult)
PARLEY_DEFINE_CODEC(tools::McpResource)
PARLEY_DEFINE_CODEC(tools::ReadMcpResourceResult)
PARLEY_DEFINE_CODEC(tools::ReadMcpResourceDirResult)
PARLEY_DEFINE_CODEC(tools::SkillResult)
PARLEY_DEFINE_CODEC(tools::ToolSearchResult)

}  // namespace parley
