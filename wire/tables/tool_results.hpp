// Field tables of wire/tools/results.hpp.
#pragma once

#include "../tools/results.hpp"
#include "content.hpp"
#include "tool_inputs.hpp"

namespace parley {

PARLEY_FIELDS(tools::ArtifactRead, slug, ver, seeded)
PARLEY_FIELDS(tools::TextFile, filePath, content, numLines, startLine, totalLines,
              truncatedByTokenCap)
PARLEY_FIELDS(tools::ReadText, file, artifactRead)
PARLEY_FIELDS(tools::ImageDimensions, originalWidth, originalHeight, displayWidth, displayHeight)
PARLEY_FIELDS(tools::ImageFile, base64, type, originalSize, dimensions)
PARLEY_FIELDS(tools::ReadImage, file)
PARLEY_FIELDS(tools::NotebookCell, cellType, source, execution_count, cell_id, language, outputs)
PARLEY_FIELDS(tools::NotebookFile, filePath, cells)
PARLEY_FIELDS(tools::ReadNotebook, file)
PARLEY_FIELDS(tools::PdfFile, filePath, base64, originalSize)
PARLEY_FIELDS(tools::ReadPdf, file)
PARLEY_FIELDS(tools::PdfPage, base64, mediaType, error)
PARLEY_FIELDS(tools::PdfParts, filePath, originalSize, count, outputDir)
PARLEY_FIELDS(tools::ReadParts, file, firstPage, pages)
PARLEY_FIELDS(tools::UnchangedFile, filePath)
PARLEY_FIELDS(tools::ReadUnchanged, file)
constexpr auto parley_cases(Tag<tools::ReadResult>) {
  return make_cases<tools::ReadResult>(
      "tools::ReadResult", "type", "", on<tools::ReadText>("text"), on<tools::ReadImage>("image"),
      on<tools::ReadNotebook>("notebook"), on<tools::ReadPdf>("pdf"), on<tools::ReadParts>("parts"),
      on<tools::ReadUnchanged>("file_unchanged"));
}

PARLEY_FIELDS(tools::PatchHunk, oldStart, oldLines, newStart, newLines, lines)
PARLEY_FIELDS(tools::GitDiff, filename, status, additions, deletions, changes, patch, repository)
PARLEY_FIELDS(tools::WriteResult, type, filePath, content, structuredPatch, originalFile, gitDiff,
              userModified, staged)
PARLEY_FIELDS(tools::EditResult, filePath, oldString, newString, originalFile, structuredPatch,
              userModified, replaceAll, staleRecovered, contentNotInModelContext, gitDiff, staged)
PARLEY_FIELDS(tools::MultiEditResult, filePath, edits, originalFileContents, structuredPatch,
              userModified)
PARLEY_FIELDS(tools::NotebookEditResult, new_source, old_source, cell_type, language, edit_mode,
              cell_id, error, notebook_path, original_file, updated_file)

PARLEY_FIELDS(tools::GlobResult, filenames, durationMs, numFiles, truncated, totalMatches,
              countIsComplete, timedOut)
PARLEY_FIELDS(tools::GrepResult, mode, numFiles, filenames, content, numLines, numMatches,
              totalFiles, totalLines, appliedLimit, appliedOffset, timedOut)

PARLEY_FIELDS(tools::GitCommit, sha, kind, branch)
PARLEY_FIELDS(tools::GitPush, branch)
PARLEY_FIELDS(tools::GitBranch, ref, action)
PARLEY_FIELDS(tools::PullRequest, number, url, action)
PARLEY_FIELDS(tools::GitOperation, commit, push, branch, pr)
PARLEY_FIELDS(tools::BashResult, stdout_, stderr_, interrupted, isImage, noOutputExpected,
              backgroundTaskId, backgroundedByUser, timedOutAfterMs, backgroundCwdHint,
              backgroundEndsWithFinalResponse, backgroundWakesOwner, dangerouslyDisableSandbox,
              returnCodeInterpretation, structuredContent, rawOutputPath, persistedOutputPath,
              persistedOutputSize, staleReadFileStateHint, ghRateLimitHint, gitOperation)
PARLEY_FIELDS(tools::TaskSnapshot, task_id, task_type, status, description, output, exitCode,
              prompt, result, error)
PARLEY_FIELDS(tools::TaskOutputResult, retrieval_status, task)
PARLEY_FIELDS(tools::BashOutputResult, shellId, command, status, exitCode, stdout_, stderr_,
              stdoutLines, stderrLines, timestamp)
PARLEY_FIELDS(tools::TaskStopResult, message, task_id, task_type, command, shell_id)

PARLEY_FIELDS(tools::AgentToolStats, readCount, searchCount, bashCount, editFileCount, linesAdded,
              linesRemoved, otherToolCount, frameCount)
PARLEY_FIELDS(tools::AgentCompleted, prompt, agentId, agentType, toolsUsed, harnessNoteCount,
              harnessTailCount, harnessSectionHash, content, resolvedModel, modelsUsed,
              totalDurationMs, totalTokens, totalToolUseCount, usage, toolStats, worktreePath,
              worktreeBranch, canContinueAgent)
PARLEY_FIELDS(tools::AgentLaunched, isAsync, agentId, description, resolvedModel, modelsUsed,
              prompt, outputFile, canReadOutputFile, canContinueAgent)
PARLEY_FIELDS(tools::AgentLaunchedRemotely, taskId, sessionUrl, description, prompt, outputFile)
constexpr auto parley_cases(Tag<tools::AgentResult>) {
  return make_cases<tools::AgentResult>("tools::AgentResult", "status", "",
                                        on<tools::AgentCompleted>("completed"),
                                        on<tools::AgentLaunched>("async_launched"),
                                        on<tools::AgentLaunchedRemotely>("remote_launched"));
}

PARLEY_FIELDS(tools::TodoWriteResult, oldTodos, newTodos)
PARLEY_FIELDS(tools::CreatedTask, id, subject, description)
PARLEY_FIELDS(tools::TaskCreateResult, task)
PARLEY_FIELDS(tools::TaskStatusChange, from, to)
PARLEY_FIELDS(tools::TaskUpdateResult, success, taskId, updatedFields, error, statusChange)
PARLEY_FIELDS(tools::TaskDetails, id, subject, description, status, blocks, blockedBy)
PARLEY_FIELDS(tools::TaskGetResult, task)
PARLEY_FIELDS(tools::TaskSummary, id, subject, status, owner, blockedBy)
PARLEY_FIELDS(tools::TaskListResult, tasks)
PARLEY_FIELDS(tools::EnterPlanModeResult, message)
PARLEY_FIELDS(tools::ExitPlanModeResult, plan, isAgent, filePath, hasTaskTool, planWasEdited,
              awaitingLeaderApproval, requestId)

PARLEY_FIELDS(tools::AskUserQuestionResult, questions, answers, response, annotations, afkTimeoutMs)

PARLEY_FIELDS(tools::WebFetchResult, bytes, code, codeText, result, durationMs, url, artifactRead)
PARLEY_FIELDS(tools::WebSearchHit, title, url, snippet)
PARLEY_FIELDS(tools::WebSearchHits, tool_use_id, content)
PARLEY_FIELDS(tools::WebSearchResult, query, results, durationSeconds, searchCount)
PARLEY_FIELDS(tools::McpResource, uri, name, mimeType, description, server)
PARLEY_FIELDS(tools::McpResourceContent, uri, mimeType, text, blobSavedTo)
PARLEY_FIELDS(tools::ReadMcpResourceResult, contents, error)
PARLEY_FIELDS(tools::ReadMcpResourceDirResult, resources, error)
PARLEY_FIELDS(tools::SkillResult, success, commandName)
PARLEY_FIELDS(tools::ToolSearchResult, matches, query, total_deferred_tools, pending_mcp_servers)

}  // namespace parley
