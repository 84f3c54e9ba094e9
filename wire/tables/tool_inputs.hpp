// Field tables of wire/tools/inputs.hpp.
#pragma once

#include "../codec/codec.hpp"
#include "../tools/inputs.hpp"

namespace parley {

PARLEY_OFFSETS_BEGIN

PARLEY_FIELDS(tools::ReadInput, file_path, offset, limit, pages, allow_large)
PARLEY_FIELDS(tools::WriteInput, file_path, content)
PARLEY_FIELDS(tools::EditInput, file_path, old_string, new_string, replace_all)
PARLEY_FIELDS(tools::EditStep, old_string, new_string, replace_all)
PARLEY_FIELDS(tools::MultiEditInput, file_path, edits)
PARLEY_FIELDS(tools::NotebookEditInput, notebook_path, cell_id, new_source, cell_type, edit_mode)

PARLEY_FIELDS(tools::GlobInput, pattern, path)
constexpr auto parley_fields(Tag<tools::GrepInput>) {
  using T = tools::GrepInput;
  return make_table<T>(
      "tools::GrepInput", PARLEY_FIELD(T, pattern), PARLEY_FIELD(T, path), PARLEY_FIELD(T, glob),
      PARLEY_FIELD(T, output_mode), PARLEY_FIELD_AS(T, dash_B, "-B"),
      PARLEY_FIELD_AS(T, dash_A, "-A"), PARLEY_FIELD_AS(T, dash_C, "-C"), PARLEY_FIELD(T, context),
      PARLEY_FIELD_AS(T, dash_n, "-n"), PARLEY_FIELD_AS(T, dash_i, "-i"),
      PARLEY_FIELD_AS(T, dash_o, "-o"), PARLEY_FIELD(T, type), PARLEY_FIELD(T, head_limit),
      PARLEY_FIELD(T, offset), PARLEY_FIELD(T, multiline));
}
PARLEY_FIELDS(tools::LSInput, path, ignore)

PARLEY_FIELDS(tools::SimulatedSedEdit, filePath, newContent)
PARLEY_FIELDS(tools::BashInput, command, timeout, description, run_in_background,
              dangerouslyDisableSandbox, _simulatedSedEdit)
constexpr auto parley_fields(Tag<tools::TaskOutputInput>) {
  using T = tools::TaskOutputInput;
  return make_table<T>("tools::TaskOutputInput", PARLEY_FIELD(T, task_id).alias("bash_id"),
                       PARLEY_FIELD(T, block), PARLEY_FIELD(T, timeout), PARLEY_FIELD(T, filter));
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
PARLEY_FIELDS(tools::ExitPlanModeInput, plan, planFilePath, allowedPrompts, pushToRemote,
              remoteSessionId, remoteSessionUrl, remoteSessionTitle)

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
  return make_table<T>("tools::UnparsedInput", PARLEY_FIELD_AS(T, unparsed, "__unparsedToolInput"));
}

PARLEY_OFFSETS_END

}  // namespace parley
