// Field tables of wire/tools/inputs.hpp.
#pragma once

#include "../codec/codec.hpp"
#include "../tools/inputs.hpp"

namespace parley {

PARLEY_FIELDS(tools::ReadInput, file_path, offset, limit, pages, allow_large)
PARLEY_FIELDS(tools::WriteInput, file_path, content)
PARLEY_FIELDS(tools::EditInput, file_path, old_string, new_string, replace_all)
PARLEY_FIELDS(tools::EditStep, old_string, new_string, replace_all)
PARLEY_FIELDS(tools::MultiEditInput, file_path, edits)
PARLEY_FIELDS(tools::NotebookEditInput, notebook_path, cell_id, new_source, cell_type, edit_mode)

PARLEY_FIELDS(tools::GlobInput, pattern, path)
constexpr auto parley_fields(Tag<tools::GrepInput>) {
  using T = tools::GrepInput;
  return make_table<T>("tools::GrepInput", field("pattern", &T::pattern), field("path", &T::path),
                       field("glob", &T::glob), field("output_mode", &T::output_mode),
                       field("-B", &T::dash_B), field("-A", &T::dash_A), field("-C", &T::dash_C),
                       field("context", &T::context), field("-n", &T::dash_n),
                       field("-i", &T::dash_i), field("-o", &T::dash_o), field("type", &T::type),
                       field("head_limit", &T::head_limit), field("offset", &T::offset),
                       field("multiline", &T::multiline));
}
PARLEY_FIELDS(tools::LSInput, path, ignore)

PARLEY_FIELDS(tools::SimulatedSedEdit, filePath, newContent)
PARLEY_FIELDS(tools::BashInput, command, timeout, description, run_in_background,
              dangerouslyDisableSandbox, _simulatedSedEdit)
constexpr auto parley_fields(Tag<tools::TaskOutputInput>) {
  using T = tools::TaskOutputInput;
  return make_table<T>("tools::TaskOutputInput", field("task_id", &T::task_id).alias("bash_id"),
                       field("block", &T::block), field("timeout", &T::timeout),
                       field("filter", &T::filter));
}
PARLEY_FIELDS(tools::TaskStopInput, task_id, shell_id)
PARLEY_FIELDS(tools::AgentInput, description, prompt, subagent_type, model, resume, effort,
              run_in_background, max_turns, name, team_name, mode, isolation)

PARLEY_FIELDS(tools::Todo, content, status, activeForm)
PARLEY_FIELDS(tools::TodoWriteInput, todos)
PARLEY_FIELDS(tools::TaskCreateInput, subject, description, activeForm, metadata)
PARLEY_FIELDS(tools::TaskUpdateInput, taskId, subject, description, activeForm, status, addBlocks,
              addBlockedBy, owner, metadata)
PARLEY_FIELDS(tools::TaskGetInput, taskId)
PARLEY_FIELDS(tools::TaskListInput)
PARLEY_FIELDS(tools::EnterPlanModeInput)
PARLEY_FIELDS(tools::AllowedPrompt, tool, prompt)
PARLEY_FIELDS(tools::ExitPlanModeInput, plan, allowedPrompts, pushToRemote, remoteSessionId,
              remoteSessionUrl, remoteSessionTitle)

PARLEY_FIELDS(tools::QuestionOption, label, description, preview)
PARLEY_FIELDS(tools::Question, question, header, options, multiSelect)
PARLEY_FIELDS(tools::QuestionAnnotation, preview, notes, unanswered)
PARLEY_FIELDS(tools::QuestionMetadata, source)
PARLEY_FIELDS(tools::AskUserQuestionInput, questions, answers, annotations, metadata)

PARLEY_FIELDS(tools::WebFetchInput, url, prompt, offset)
PARLEY_FIELDS(tools::WebSearchInput, query, allowed_domains, blocked_domains)
PARLEY_FIELDS(tools::ListMcpResourcesInput, server)
PARLEY_FIELDS(tools::ReadMcpResourceInput, server, uri)
PARLEY_FIELDS(tools::ReadMcpResourceDirInput, server, uri)
PARLEY_FIELDS(tools::SkillInput, skill, args)
PARLEY_FIELDS(tools::ToolSearchInput, query, max_results)

PARLEY_FIELDS(tools::UnparsedText, raw, len)
constexpr auto parley_fields(Tag<tools::UnparsedInput>) {
  using T = tools::UnparsedInput;
  return make_table<T>("tools::UnparsedInput", field("__unparsedToolInput", &T::unparsed));
}

}  // namespace parley
