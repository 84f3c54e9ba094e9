// What the built-in tools answer, for display: the model reads the `tool_result` block instead.
// Members that every CLI writes are plain.
#pragma once

#include "../messages/content.hpp"
#include "inputs.hpp"

namespace parley::tools {

// ---- Read --------------------------------------------------------------------------------------

/// Where an artifact page that was read came from.
struct ArtifactRead {
  std::string slug;
  std::optional<std::string> ver;
  std::optional<bool> seeded;
  Extra extra;
  bool operator==(const ArtifactRead&) const = default;
};

struct TextFile {
  std::string filePath;
  std::string content;
  std::int64_t numLines = 0;
  std::int64_t startLine = 1;
  std::int64_t totalLines = 0;
  std::optional<bool> truncatedByTokenCap;
  Extra extra;
  bool operator==(const TextFile&) const = default;
};
struct ReadText {
  TextFile file;
  std::optional<ArtifactRead> artifactRead;
  Extra extra;
  bool operator==(const ReadText&) const = default;
};

/// Pixels, before and after the image was scaled down for the model.
struct ImageDimensions {
  std::optional<std::int64_t> originalWidth;
  std::optional<std::int64_t> originalHeight;
  std::optional<std::int64_t> displayWidth;
  std::optional<std::int64_t> displayHeight;
  Extra extra;
  bool operator==(const ImageDimensions&) const = default;
};
struct ImageFile {
  std::string base64;
  std::string type;               ///< "image/png" and the like.
  std::int64_t originalSize = 0;  ///< Bytes.
  std::optional<ImageDimensions> dimensions;
  Extra extra;
  bool operator==(const ImageFile&) const = default;
};
struct ReadImage {
  ImageFile file;
  Extra extra;
  bool operator==(const ReadImage&) const = default;
};

struct NotebookCell {
  std::optional<std::string> cellType;
  std::optional<std::string> source;
  std::optional<std::int64_t> execution_count;
  std::optional<std::string> cell_id;
  std::optional<std::string> language;
  std::optional<RawJson> outputs;
  Extra extra;
  bool operator==(const NotebookCell&) const = default;
};
struct NotebookFile {
  std::string filePath;
  std::vector<NotebookCell> cells;
  Extra extra;
  bool operator==(const NotebookFile&) const = default;
};
struct ReadNotebook {
  NotebookFile file;
  Extra extra;
  bool operator==(const ReadNotebook&) const = default;
};

struct PdfFile {
  std::string filePath;
  std::string base64;
  std::int64_t originalSize = 0;  ///< Bytes.
  Extra extra;
  bool operator==(const PdfFile&) const = default;
};
struct ReadPdf {
  PdfFile file;
  Extra extra;
  bool operator==(const ReadPdf&) const = default;
};

struct PdfPage {
  std::string base64;
  std::optional<std::string> mediaType;
  std::optional<std::string> error;
  Extra extra;
  bool operator==(const PdfPage&) const = default;
};
struct PdfParts {
  std::string filePath;
  std::int64_t originalSize = 0;  ///< Bytes, of the whole file.
  std::int64_t count = 0;
  std::string outputDir;
  Extra extra;
  bool operator==(const PdfParts&) const = default;
};
/// A PDF that was turned into one image per page.
struct ReadParts {
  PdfParts file;
  std::optional<std::int64_t> firstPage;
  std::optional<std::vector<PdfPage>> pages;
  Extra extra;
  bool operator==(const ReadParts&) const = default;
};

struct UnchangedFile {
  std::string filePath;
  Extra extra;
  bool operator==(const UnchangedFile&) const = default;
};
/// Nothing new since the model read the file last.
struct ReadUnchanged {
  UnchangedFile file;
  Extra extra;
  bool operator==(const ReadUnchanged&) const = default;
};

struct ReadResult
    : std::variant<ReadText, ReadImage, ReadNotebook, ReadPdf, ReadParts, ReadUnchanged, Unknown> {
  PARLEY_UNION(ReadResult)
};

// ---- files that were changed -------------------------------------------------------------------

/// One piece of a unified diff. A line begins with ' ' (kept), '-' (removed) or '+' (added).
struct PatchHunk {
  std::int64_t oldStart = 0;
  std::int64_t oldLines = 0;
  std::int64_t newStart = 0;
  std::int64_t newLines = 0;
  std::vector<std::string> lines;
  Extra extra;
  bool operator==(const PatchHunk&) const = default;
};

PARLEY_ENUM(GitDiffStatus, modified, added)

struct GitDiff {
  std::string filename;
  std::optional<Enum<GitDiffStatus>> status;
  std::optional<std::int64_t> additions;
  std::optional<std::int64_t> deletions;
  std::optional<std::int64_t> changes;
  std::optional<std::string> patch;
  std::optional<std::string> repository;
  Extra extra;
  bool operator==(const GitDiff&) const = default;
};

PARLEY_ENUM(WriteType, create, update)

struct WriteResult {
  Enum<WriteType> type;
  std::string filePath;
  std::string content;
  std::vector<PatchHunk> structuredPatch;  ///< Empty for a new file.
  Nullable<std::string> originalFile;      ///< Null for a new file.
  std::optional<GitDiff> gitDiff;
  std::optional<bool> userModified;
  std::optional<bool> staged;
  Extra extra;
  bool operator==(const WriteResult&) const = default;
};

struct EditResult {
  std::string filePath;
  std::string oldString;
  std::string newString;
  Nullable<std::string> originalFile;
  std::vector<PatchHunk> structuredPatch;
  bool userModified = false;
  bool replaceAll = false;
  std::optional<bool>
      staleRecovered;  ///< The file had changed since it was read; it fitted anyway.
  std::optional<bool> contentNotInModelContext;
  std::optional<GitDiff> gitDiff;
  std::optional<bool> staged;
  Extra extra;
  bool operator==(const EditResult&) const = default;
};

struct MultiEditResult {
  std::string filePath;
  std::vector<EditStep> edits;
  std::optional<std::string> originalFileContents;
  std::optional<std::vector<PatchHunk>> structuredPatch;
  std::optional<bool> userModified;
  Extra extra;
  bool operator==(const MultiEditResult&) const = default;
};

struct NotebookEditResult {
  std::string new_source;
  std::optional<std::string> old_source;
  Enum<CellType> cell_type;
  std::string language;
  Enum<CellEditMode> edit_mode;
  std::optional<std::string> cell_id;
  std::optional<std::string> error;  ///< Empty if all went well.
  std::string notebook_path;
  std::string original_file;
  std::string updated_file;
  Extra extra;
  bool operator==(const NotebookEditResult&) const = default;
};

// ---- searching ---------------------------------------------------------------------------------

struct GlobResult {
  std::vector<std::string> filenames;
  std::int64_t durationMs = 0;
  std::int64_t numFiles = 0;
  bool truncated = false;
  std::optional<std::int64_t> totalMatches;
  std::optional<bool> countIsComplete;
  std::optional<bool> timedOut;
  Extra extra;
  bool operator==(const GlobResult&) const = default;
};

/// Files in `filenames` for files_with_matches, else text in `content`.
struct GrepResult {
  std::optional<Enum<GrepMode>> mode;
  std::int64_t numFiles = 0;
  std::vector<std::string> filenames;
  std::optional<std::string> content;
  std::optional<std::int64_t> numLines;
  std::optional<std::int64_t> numMatches;
  std::optional<std::int64_t> totalFiles;
  std::optional<std::int64_t> totalLines;
  std::optional<std::int64_t> appliedLimit;
  std::optional<std::int64_t> appliedOffset;
  std::optional<bool> timedOut;
  Extra extra;
  bool operator==(const GrepResult&) const = default;
};

// ---- commands and background work --------------------------------------------------------------

enum class GitCommitKind : std::int16_t { committed, amended, cherry_picked };
PARLEY_ENUM_TEXTS(GitCommitKind, "committed, amended, cherry-picked")
PARLEY_ENUM(GitBranchAction, merged, rebased)
enum class PullRequestAction : std::int16_t {
  created,
  edited,
  merged,
  commented,
  closed,
  reopened,
  ready,
  draft,
  auto_merge_enabled,
  auto_merge_disabled
};
PARLEY_ENUM_TEXTS(PullRequestAction,
                  "created, edited, merged, commented, closed, reopened, ready, draft, "
                  "auto-merge-enabled, auto-merge-disabled")

struct GitCommit {
  std::string sha;
  std::optional<Enum<GitCommitKind>> kind;
  std::optional<std::string> branch;
  Extra extra;
  bool operator==(const GitCommit&) const = default;
};
struct GitPush {
  std::string branch;
  Extra extra;
  bool operator==(const GitPush&) const = default;
};
struct GitBranch {
  std::string ref;
  std::optional<Enum<GitBranchAction>> action;
  Extra extra;
  bool operator==(const GitBranch&) const = default;
};
struct PullRequest {
  std::int64_t number = 0;
  std::optional<std::string> url;
  std::optional<Enum<PullRequestAction>> action;
  Extra extra;
  bool operator==(const PullRequest&) const = default;
};
/// What the command did to a repository.
struct GitOperation {
  std::optional<GitCommit> commit;
  std::optional<GitPush> push;
  std::optional<GitBranch> branch;
  std::optional<PullRequest> pr;
  Extra extra;
  bool operator==(const GitOperation&) const = default;
};

/// A command that ended well or went to the background; a failed one is an error string.
/// `stdout` and `stderr` may be macros, hence the underscores.
struct BashResult {
  std::string stdout_;  ///< Holds what the command wrote to stderr, too.
  std::string stderr_;
  bool interrupted = false;
  std::optional<bool> isImage;
  std::optional<bool> noOutputExpected;
  std::optional<std::string> backgroundTaskId;
  std::optional<bool> backgroundedByUser;
  std::optional<std::int64_t> timedOutAfterMs;
  std::optional<std::string> backgroundCwdHint;
  std::optional<bool> backgroundEndsWithFinalResponse;
  std::optional<bool> backgroundWakesOwner;
  std::optional<bool> dangerouslyDisableSandbox;
  std::optional<std::string> returnCodeInterpretation;
  std::optional<std::vector<RawJson>> structuredContent;
  std::optional<std::string> rawOutputPath;
  std::optional<std::string> persistedOutputPath;
  std::optional<std::int64_t> persistedOutputSize;
  std::optional<std::string> staleReadFileStateHint;
  std::optional<std::string> ghRateLimitHint;
  std::optional<GitOperation> gitOperation;
  Extra extra;
  bool operator==(const BashResult&) const = default;
};

/// A background task as TaskOutput shows it: `exitCode` of a command, `prompt` and `result` of an
/// agent.
struct TaskSnapshot {
  std::string task_id;
  std::optional<std::string> task_type;  ///< "local_bash", "local_agent", ...
  std::optional<std::string> status;
  std::optional<std::string> description;
  std::optional<std::string> output;
  std::optional<std::int64_t> exitCode;
  std::optional<std::string> prompt;
  std::optional<std::string> result;
  std::optional<std::string> error;
  Extra extra;
  bool operator==(const TaskSnapshot&) const = default;
};

PARLEY_ENUM(RetrievalStatus, success, timeout, not_ready)

struct TaskOutputResult {
  Enum<RetrievalStatus> retrieval_status;
  Nullable<TaskSnapshot> task;
  Extra extra;
  bool operator==(const TaskOutputResult&) const = default;
};

/// What BashOutput, the forerunner of TaskOutput, answered.
struct BashOutputResult {
  std::string shellId;
  std::optional<std::string> command;
  std::optional<std::string> status;
  std::optional<std::int64_t> exitCode;
  std::optional<std::string> stdout_;
  std::optional<std::string> stderr_;
  std::optional<std::int64_t> stdoutLines;
  std::optional<std::int64_t> stderrLines;
  std::optional<std::string> timestamp;
  Extra extra;
  bool operator==(const BashOutputResult&) const = default;
};

/// Also of KillShell, which says `shell_id`.
struct TaskStopResult {
  std::string message;
  std::optional<std::string> task_id;
  std::optional<std::string> task_type;
  std::optional<std::string> command;
  std::optional<std::string> shell_id;
  Extra extra;
  bool operator==(const TaskStopResult&) const = default;
};

struct AgentToolStats {
  std::optional<std::int64_t> readCount;
  std::optional<std::int64_t> searchCount;
  std::optional<std::int64_t> bashCount;
  std::optional<std::int64_t> editFileCount;
  std::optional<std::int64_t> linesAdded;
  std::optional<std::int64_t> linesRemoved;
  std::optional<std::int64_t> otherToolCount;
  std::optional<std::int64_t> frameCount;
  Extra extra;
  bool operator==(const AgentToolStats&) const = default;
};

struct AgentCompleted {
  std::string prompt;
  std::string agentId;
  std::optional<std::string> agentType;
  std::optional<std::vector<std::string>> toolsUsed;
  std::optional<std::int64_t> harnessNoteCount;
  std::optional<std::int64_t> harnessTailCount;
  std::optional<std::string> harnessSectionHash;
  std::vector<ContentBlock> content;
  std::optional<std::string> resolvedModel;
  std::optional<std::vector<std::string>> modelsUsed;
  std::int64_t totalDurationMs = 0;
  std::int64_t totalTokens = 0;
  std::int64_t totalToolUseCount = 0;
  std::optional<Usage> usage;
  std::optional<AgentToolStats> toolStats;
  std::optional<std::string> worktreePath;
  std::optional<std::string> worktreeBranch;
  std::optional<bool> canContinueAgent;
  Extra extra;
  bool operator==(const AgentCompleted&) const = default;
};
/// It runs in the background; `agentId` is the task id of the messages about it.
struct AgentLaunched {
  std::optional<bool> isAsync;
  std::string agentId;
  std::optional<std::string> description;
  std::optional<std::string> resolvedModel;
  std::optional<std::vector<std::string>> modelsUsed;
  std::optional<std::string> prompt;
  std::optional<std::string> outputFile;
  std::optional<bool> canReadOutputFile;
  std::optional<bool> canContinueAgent;
  Extra extra;
  bool operator==(const AgentLaunched&) const = default;
};
struct AgentLaunchedRemotely {
  std::string taskId;
  std::optional<std::string> sessionUrl;
  std::optional<std::string> description;
  std::optional<std::string> prompt;
  std::optional<std::string> outputFile;
  Extra extra;
  bool operator==(const AgentLaunchedRemotely&) const = default;
};
struct AgentResult : std::variant<AgentCompleted, AgentLaunched, AgentLaunchedRemotely, Unknown> {
  PARLEY_UNION(AgentResult)
};

// ---- plans and lists of work -------------------------------------------------------------------

struct TodoWriteResult {
  std::vector<Todo> oldTodos;
  std::vector<Todo> newTodos;
  Extra extra;
  bool operator==(const TodoWriteResult&) const = default;
};

struct CreatedTask {
  std::string id;
  std::string subject;
  std::optional<std::string> description;
  Extra extra;
  bool operator==(const CreatedTask&) const = default;
};
struct TaskCreateResult {
  CreatedTask task;
  Extra extra;
  bool operator==(const TaskCreateResult&) const = default;
};

struct TaskStatusChange {
  std::string from;
  std::string to;
  Extra extra;
  bool operator==(const TaskStatusChange&) const = default;
};
struct TaskUpdateResult {
  bool success = false;
  std::string taskId;
  std::vector<std::string> updatedFields;
  std::optional<std::string> error;
  std::optional<TaskStatusChange> statusChange;
  Extra extra;
  bool operator==(const TaskUpdateResult&) const = default;
};

struct TaskDetails {
  std::string id;
  std::string subject;
  std::string description;
  Enum<TaskStatus> status;
  std::vector<std::string> blocks;
  std::vector<std::string> blockedBy;
  Extra extra;
  bool operator==(const TaskDetails&) const = default;
};
struct TaskGetResult {
  Nullable<TaskDetails> task;  ///< Null if there is none with that id.
  Extra extra;
  bool operator==(const TaskGetResult&) const = default;
};

struct TaskSummary {
  std::string id;
  std::string subject;
  Enum<TaskStatus> status;
  std::optional<std::string> owner;
  std::vector<std::string> blockedBy;
  Extra extra;
  bool operator==(const TaskSummary&) const = default;
};
struct TaskListResult {
  std::vector<TaskSummary> tasks;
  Extra extra;
  bool operator==(const TaskListResult&) const = default;
};

struct EnterPlanModeResult {
  std::string message;
  Extra extra;
  bool operator==(const EnterPlanModeResult&) const = default;
};

struct ExitPlanModeResult {
  Nullable<std::string> plan;
  bool isAgent = false;
  std::optional<std::string> filePath;
  std::optional<bool> hasTaskTool;
  std::optional<bool> planWasEdited;
  std::optional<bool> awaitingLeaderApproval;
  std::optional<std::string> requestId;
  Extra extra;
  bool operator==(const ExitPlanModeResult&) const = default;
};

// ---- questions to the user ---------------------------------------------------------------------

/// An echo of the answer: 2.1.38 leaves `questions` out if the answer did, and the keys of
/// `answers` need not be texts of questions.
struct AskUserQuestionResult {
  std::optional<std::vector<Question>> questions;
  Map<std::string> answers;
  std::optional<std::string> response;
  std::optional<Map<QuestionAnnotation>> annotations;
  std::optional<std::int64_t> afkTimeoutMs;  ///< Nobody answered for so long.
  Extra extra;
  bool operator==(const AskUserQuestionResult&) const = default;
};

// ---- the web, MCP resources, and tools about tools ---------------------------------------------

struct WebFetchResult {
  std::int64_t bytes = 0;
  std::int64_t code = 0;  ///< Of HTTP.
  std::string codeText;
  std::string result;
  std::int64_t durationMs = 0;
  std::string url;
  std::optional<ArtifactRead> artifactRead;
  Extra extra;
  bool operator==(const WebFetchResult&) const = default;
};

struct WebSearchHit {
  std::string title;
  std::string url;
  std::optional<std::string> snippet;
  Extra extra;
  bool operator==(const WebSearchHit&) const = default;
};
struct WebSearchHits {
  std::string tool_use_id;
  std::vector<WebSearchHit> content;
  Extra extra;
  bool operator==(const WebSearchHits&) const = default;
};
struct WebSearchResult {
  std::string query;
  std::vector<std::variant<std::string, WebSearchHits>> results;  ///< Hits, and text about them.
  double durationSeconds = 0;
  std::optional<std::int64_t> searchCount;
  Extra extra;
  bool operator==(const WebSearchResult&) const = default;
};

struct McpResource {
  std::string uri;
  std::string name;
  std::optional<std::string> mimeType;
  std::optional<std::string> description;
  std::optional<std::string> server;
  Extra extra;
  bool operator==(const McpResource&) const = default;
};
using ListMcpResourcesResult = std::vector<McpResource>;

struct McpResourceContent {
  std::string uri;
  std::optional<std::string> mimeType;
  std::optional<std::string> text;
  std::optional<std::string> blobSavedTo;  ///< A file, for content that is no text.
  Extra extra;
  bool operator==(const McpResourceContent&) const = default;
};
struct ReadMcpResourceResult {
  std::vector<McpResourceContent> contents;
  std::optional<std::string> error;
  Extra extra;
  bool operator==(const ReadMcpResourceResult&) const = default;
};
struct ReadMcpResourceDirResult {
  std::vector<McpResource> resources;
  std::optional<std::string> error;
  Extra extra;
  bool operator==(const ReadMcpResourceDirResult&) const = default;
};

struct SkillResult {
  bool success = false;
  std::string commandName;
  Extra extra;
  bool operator==(const SkillResult&) const = default;
};

struct ToolSearchResult {
  std::vector<std::string> matches;
  std::string query;
  std::int64_t total_deferred_tools = 0;
  std::optional<std::vector<std::string>> pending_mcp_servers;
  Extra extra;
  bool operator==(const ToolSearchResult&) const = default;
};

}  // namespace parley::tools

namespace parley {

PARLEY_CODEC(tools::ReadResult)
PARLEY_CODEC(tools::WriteResult)
PARLEY_CODEC(tools::EditResult)
PARLEY_CODEC(tools::MultiEditResult)
PARLEY_CODEC(tools::NotebookEditResult)
PARLEY_CODEC(tools::PatchHunk)
PARLEY_CODEC(tools::GlobResult)
PARLEY_CODEC(tools::GrepResult)
PARLEY_CODEC(tools::BashResult)
PARLEY_CODEC(tools::TaskOutputResult)
PARLEY_CODEC(tools::BashOutputResult)
PARLEY_CODEC(tools::TaskStopResult)
PARLEY_CODEC(tools::AgentResult)
PARLEY_CODEC(tools::TodoWriteResult)
PARLEY_CODEC(tools::TaskCreateResult)
PARLEY_CODEC(tools::TaskUpdateResult)
PARLEY_CODEC(tools::TaskGetResult)
PARLEY_CODEC(tools::TaskListResult)
PARLEY_CODEC(tools::EnterPlanModeResult)
PARLEY_CODEC(tools::ExitPlanModeResult)
PARLEY_CODEC(tools::AskUserQuestionResult)
PARLEY_CODEC(tools::WebFetchResult)
PARLEY_CODEC(tools::WebSearchResult)
PARLEY_CODEC(tools::McpResource)
PARLEY_CODEC(tools::ReadMcpResourceResult)
PARLEY_CODEC(tools::ReadMcpResourceDirResult)
PARLEY_CODEC(tools::SkillResult)
PARLEY_CODEC(tools::ToolSearchResult)

}  // namespace parley
