// What the model asks of the built-in tools. A member is plain where every CLI refuses a call
// without it.
#pragma once

#include "../control/permissions.hpp"

namespace parley::tools {

// ---- files -------------------------------------------------------------------------------------

struct ReadInput {
  std::string file_path;
  std::optional<std::int64_t> offset;  ///< First line, counted from 1.
  std::optional<std::int64_t> limit;   ///< Number of lines.
  std::optional<std::string> pages;    ///< Of a PDF: "3", "1-5".
  std::optional<bool> allow_large;
  Extra extra;
  bool operator==(const ReadInput&) const = default;
};

struct WriteInput {
  std::string file_path;
  std::string content;
  Extra extra;
  bool operator==(const WriteInput&) const = default;
};

/// An empty `old_string` creates the file.
struct EditInput {
  std::string file_path;
  std::string old_string;
  std::string new_string;
  std::optional<bool> replace_all;
  Extra extra;
  bool operator==(const EditInput&) const = default;
};

/// One step of a MultiEdit.
struct EditStep {
  std::string old_string;
  std::string new_string;
  std::optional<bool> replace_all;
  Extra extra;
  bool operator==(const EditStep&) const = default;
};
/// Neither recorded version has this tool; session files of older ones do.
struct MultiEditInput {
  std::string file_path;
  std::vector<EditStep> edits;
  Extra extra;
  bool operator==(const MultiEditInput&) const = default;
};

PARLEY_ENUM(CellType, code, markdown)
PARLEY_ENUM(CellEditMode, replace, insert, delete_)

struct NotebookEditInput {
  std::string notebook_path;
  std::optional<std::string> cell_id;  ///< For an insert: the cell to insert after.
  std::string new_source;
  std::optional<Enum<CellType>> cell_type;
  std::optional<Enum<CellEditMode>> edit_mode;
  Extra extra;
  bool operator==(const NotebookEditInput&) const = default;
};

// ---- searching ---------------------------------------------------------------------------------

struct GlobInput {
  std::string pattern;
  std::optional<std::string> path;
  Extra extra;
  bool operator==(const GlobInput&) const = default;
};

PARLEY_ENUM(GrepMode, content, files_with_matches, count)

/// `dash_n` and its like stand for `-n`, which is no C++ name.
struct GrepInput {
  std::string pattern;
  std::optional<std::string> path;
  std::optional<std::string> glob;
  std::optional<Enum<GrepMode>> output_mode;  ///< files_with_matches if left out.
  std::optional<std::int64_t> dash_B;
  std::optional<std::int64_t> dash_A;
  std::optional<std::int64_t> dash_C;
  std::optional<std::int64_t> context;
  std::optional<bool> dash_n;
  std::optional<bool> dash_i;
  std::optional<bool> dash_o;
  std::optional<std::string> type;
  std::optional<std::int64_t> head_limit;
  std::optional<std::int64_t> offset;
  std::optional<bool> multiline;
  Extra extra;
  bool operator==(const GrepInput&) const = default;
};

/// Neither recorded version has this tool; session files of older ones do.
struct LSInput {
  std::string path;
  std::optional<std::vector<std::string>> ignore;
  Extra extra;
  bool operator==(const LSInput&) const = default;
};

// ---- commands and background work --------------------------------------------------------------

/// Only 2.1.38: the outcome of a `sed -i` call, worked out for its preview.
struct SimulatedSedEdit {
  std::string filePath;
  std::string newContent;
  Extra extra;
  bool operator==(const SimulatedSedEdit&) const = default;
};

struct BashInput {
  std::string command;
  std::optional<std::int64_t> timeout;  ///< Milliseconds.
  std::optional<std::string> description;
  std::optional<bool> run_in_background;
  std::optional<bool> dangerouslyDisableSandbox;
  std::optional<SimulatedSedEdit> _simulatedSedEdit;
  Extra extra;
  bool operator==(const BashInput&) const = default;
};

/// Also BashOutput, which calls the task `bash_id` and knows only `filter`. Gone in 2.1.325.
struct TaskOutputInput {
  std::string task_id;
  std::optional<bool> block;
  std::optional<std::int64_t> timeout;  ///< Milliseconds.
  std::optional<std::string> filter;
  Extra extra;
  bool operator==(const TaskOutputInput&) const = default;
};

/// Also KillShell, which calls the task `shell_id`.
struct TaskStopInput {
  std::optional<std::string> task_id;
  std::optional<std::string> shell_id;
  Extra extra;
  bool operator==(const TaskStopInput&) const = default;
};

PARLEY_ENUM(AgentModel, sonnet, opus, haiku, fable)
PARLEY_ENUM(AgentEffort, low, medium, high, xhigh, max)
PARLEY_ENUM(AgentIsolation, worktree, remote)

/// A subagent. 2.1.38 calls the tool Task; 2.1.325 calls it Agent, but still Task in its `init`.
struct AgentInput {
  std::string description;
  std::string prompt;
  std::optional<std::string> subagent_type;
  std::optional<Enum<AgentModel>> model;
  std::optional<std::string> resume;  ///< Only 2.1.38: the id of an agent to go on with.
  std::optional<Enum<AgentEffort>> effort;
  std::optional<bool> run_in_background;
  std::optional<std::int64_t> max_turns;  ///< Only 2.1.38.
  std::optional<std::string> name;
  std::optional<std::string> team_name;
  std::optional<Enum<PermissionMode>> mode;
  std::optional<Enum<AgentIsolation>> isolation;
  Extra extra;
  bool operator==(const AgentInput&) const = default;
};

// ---- plans and lists of work -------------------------------------------------------------------

/// `deleted` is an order of TaskUpdate and never a state.
PARLEY_ENUM(TaskStatus, pending, in_progress, completed, deleted)

struct Todo {
  std::string content;
  Enum<TaskStatus> status;
  std::string activeForm;  ///< What to show while it is in progress.
  Extra extra;
  bool operator==(const Todo&) const = default;
};
struct TodoWriteInput {
  std::vector<Todo> todos;
  Extra extra;
  bool operator==(const TodoWriteInput&) const = default;
};

struct TaskCreateInput {
  std::string subject;
  std::string description;
  std::optional<std::string> activeForm;
  std::optional<Map<RawJson>> metadata;
  Extra extra;
  bool operator==(const TaskCreateInput&) const = default;
};
struct TaskUpdateInput {
  std::string taskId;
  std::optional<std::string> subject;
  std::optional<std::string> description;
  std::optional<std::string> activeForm;
  std::optional<Enum<TaskStatus>> status;
  std::optional<std::vector<std::string>> addBlocks;
  std::optional<std::vector<std::string>> addBlockedBy;
  std::optional<std::string> owner;
  std::optional<Map<RawJson>> metadata;
  Extra extra;
  bool operator==(const TaskUpdateInput&) const = default;
};
struct TaskGetInput {
  std::string taskId;
  Extra extra;
  bool operator==(const TaskGetInput&) const = default;
};
struct TaskListInput {
  Extra extra;
  bool operator==(const TaskListInput&) const = default;
};

struct EnterPlanModeInput {
  Extra extra;
  bool operator==(const EnterPlanModeInput&) const = default;
};

/// Something the plan will want to do, so that approving the plan allows it.
struct AllowedPrompt {
  std::string tool;
  std::string prompt;
  Extra extra;
  bool operator==(const AllowedPrompt&) const = default;
};
/// The model may send `plan`. The permission request of 2.1.325 has `plan` and `planFilePath` if
/// the agent wrote the plan into its file, and neither if it did not.
struct ExitPlanModeInput {
  std::optional<std::string> plan;
  std::optional<std::string> planFilePath;
  std::optional<std::vector<AllowedPrompt>> allowedPrompts;
  std::optional<bool> pushToRemote;
  std::optional<std::string> remoteSessionId;
  std::optional<std::string> remoteSessionUrl;
  std::optional<std::string> remoteSessionTitle;
  Extra extra;
  bool operator==(const ExitPlanModeInput&) const = default;
};

// ---- questions to the user ---------------------------------------------------------------------

struct QuestionOption {
  std::string label;
  std::string description;
  std::optional<std::string> preview;
  Extra extra;
  bool operator==(const QuestionOption&) const = default;
};
struct Question {
  std::string question;
  std::string header;
  std::vector<QuestionOption> options;
  std::optional<bool> multiSelect;
  Extra extra;
  bool operator==(const Question&) const = default;
};

PARLEY_ENUM(Unanswered, skipped, replied_in_chat, dismissed)

/// What else the user had to say to one question.
struct QuestionAnnotation {
  std::optional<std::string> preview;
  std::optional<std::string> notes;
  std::optional<Enum<Unanswered>> unanswered;
  Extra extra;
  bool operator==(const QuestionAnnotation&) const = default;
};
struct QuestionMetadata {
  std::optional<std::string> source;
  Extra extra;
  bool operator==(const QuestionMetadata&) const = default;
};

/// The model sends `questions`. Whoever answers allows the call with the same input and fills in
/// `answers`, keyed by the full text of the question, several labels joined with ", ".
struct AskUserQuestionInput {
  std::vector<Question> questions;
  std::optional<Map<std::string>> answers;
  std::optional<Map<QuestionAnnotation>> annotations;
  std::optional<QuestionMetadata> metadata;
  Extra extra;
  bool operator==(const AskUserQuestionInput&) const = default;
};

// ---- the web, MCP resources, and tools about tools ---------------------------------------------

struct WebFetchInput {
  std::string url;
  std::string prompt;
  std::optional<std::int64_t> offset;
  Extra extra;
  bool operator==(const WebFetchInput&) const = default;
};
struct WebSearchInput {
  std::string query;
  std::optional<std::vector<std::string>> allowed_domains;
  std::optional<std::vector<std::string>> blocked_domains;
  Extra extra;
  bool operator==(const WebSearchInput&) const = default;
};

struct ListMcpResourcesInput {
  std::optional<std::string> server;  ///< All servers if left out.
  Extra extra;
  bool operator==(const ListMcpResourcesInput&) const = default;
};
struct ReadMcpResourceInput {
  std::string server;
  std::string uri;
  Extra extra;
  bool operator==(const ReadMcpResourceInput&) const = default;
};
struct ReadMcpResourceDirInput {
  std::string server;
  std::string uri;
  Extra extra;
  bool operator==(const ReadMcpResourceDirInput&) const = default;
};

struct SkillInput {
  std::string skill;
  std::optional<std::string> args;
  Extra extra;
  bool operator==(const SkillInput&) const = default;
};

struct ToolSearchInput {
  std::string query;  ///< Words, or "select:Name,Name".
  std::optional<std::int64_t> max_results;
  Extra extra;
  bool operator==(const ToolSearchInput&) const = default;
};

/// Any object: the schema is the one the session was started with.
using StructuredOutputInput = RawJson;

// ---- a call the model botched ------------------------------------------------------------------

struct UnparsedText {
  std::string raw;
  std::optional<std::int64_t> len;
  Extra extra;
  bool operator==(const UnparsedText&) const = default;
};
/// In place of any tool's input when the model wrote something that is no JSON. 2.1.38 gives `{}`.
struct UnparsedInput {
  UnparsedText unparsed;  ///< `__unparsedToolInput`, a name that C++ reserves.
  Extra extra;
  bool operator==(const UnparsedInput&) const = default;
};

}  // namespace parley::tools

namespace parley {

PARLEY_CODEC(tools::ReadInput)
PARLEY_CODEC(tools::WriteInput)
PARLEY_CODEC(tools::EditInput)
PARLEY_CODEC(tools::MultiEditInput)
PARLEY_CODEC(tools::NotebookEditInput)
PARLEY_CODEC(tools::GlobInput)
PARLEY_CODEC(tools::GrepInput)
PARLEY_CODEC(tools::LSInput)
PARLEY_CODEC(tools::BashInput)
PARLEY_CODEC(tools::TaskOutputInput)
PARLEY_CODEC(tools::TaskStopInput)
PARLEY_CODEC(tools::AgentInput)
PARLEY_CODEC(tools::TodoWriteInput)
PARLEY_CODEC(tools::TaskCreateInput)
PARLEY_CODEC(tools::TaskUpdateInput)
PARLEY_CODEC(tools::TaskGetInput)
PARLEY_CODEC(tools::TaskListInput)
PARLEY_CODEC(tools::EnterPlanModeInput)
PARLEY_CODEC(tools::ExitPlanModeInput)
PARLEY_CODEC(tools::Question)
PARLEY_CODEC(tools::AskUserQuestionInput)
PARLEY_CODEC(tools::WebFetchInput)
PARLEY_CODEC(tools::WebSearchInput)
PARLEY_CODEC(tools::ListMcpResourcesInput)
PARLEY_CODEC(tools::ReadMcpResourceInput)
PARLEY_CODEC(tools::ReadMcpResourceDirInput)
PARLEY_CODEC(tools::SkillInput)
PARLEY_CODEC(tools::ToolSearchInput)
PARLEY_CODEC(tools::UnparsedInput)

}  // namespace parley
