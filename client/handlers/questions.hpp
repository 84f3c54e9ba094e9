// What an agent asks the user in so many words: questions with choices, the approval of a plan,
// forms of MCP servers, and dialogs.
#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "../../wire/control/replies.hpp"
#include "../../wire/tools/inputs.hpp"
#include "declarations.hpp"

namespace parley {

// ---- questions (AskUserQuestion) ---------------------------------------------------------------

struct QuestionAsk {
  std::vector<tools::Question> questions;
  std::string tool_use_id;
  std::optional<std::string> agent_id;
  std::stop_token stop;
};

/// Answers by question. Made for a QuestionAsk, so that an answer cannot miss its question: the
/// wire knows questions by their whole text.
class QuestionAnswers {
 public:
  explicit QuestionAnswers(const QuestionAsk& ask) : questions_(ask.questions) {}

  /// The label of the choice, or any text of the user's own. Throws std::out_of_range if there is
  /// no question of that number.
  QuestionAnswers& choose(std::size_t question, std::string answer);
  /// Several choices of a multi-select question.
  QuestionAnswers& choose_all(std::size_t question, const std::vector<std::string>& labels);
  /// A remark of the user that goes with an answer.
  QuestionAnswers& note(std::size_t question, std::string text);
  /// The user declined to answer any of it; the model reads the message.
  static QuestionAnswers declined(const QuestionAsk& ask, std::string message);

  /// The permission answer that carries them. `input` is that of the tool call.
  [[nodiscard]] PermissionResult wire(const RawJson& input) const;

 private:
  [[nodiscard]] const std::string& text(std::size_t question) const;

  std::vector<tools::Question> questions_;
  Map<std::string> answers_;
  Map<std::string> notes_;
  std::optional<std::string> declined_;
};

// ---- plans (ExitPlanMode) ----------------------------------------------------------------------

struct PlanAsk {
  /// Markdown, from wherever this agent keeps it: the request, the file that it names (1 MiB at
  /// most), or the model's call before it. Empty if it is in none of them: then the agent has said
  /// it, if at all, in the messages of the turn.
  std::string plan;
  std::string plan_file;   ///< The file that the agent keeps the plan in, if it names one.
  std::string plan_error;  ///< Why `plan` is empty, if it is.
  RawJson input;
  std::string tool_use_id;
  std::stop_token stop;
};

/// What becomes of a plan. Made by approve_plan() and reject_plan().
struct PlanAnswer {
  bool approved = false;
  /// The mode to work on in, if approved; empty leaves it to the agent.
  std::optional<PermissionMode> mode;
  std::string feedback;  ///< What the model reads if it is not.
};
[[nodiscard]] PlanAnswer approve_plan(std::optional<PermissionMode> mode = std::nullopt);
[[nodiscard]] PlanAnswer reject_plan(std::string feedback);

// ---- elicitation: a question of an MCP server ---------------------------------------------------

struct ElicitationAsk : control::Elicitation {
  std::stop_token stop;
};
[[nodiscard]] ElicitationAnswer accept_form(RawJson content);
[[nodiscard]] ElicitationAnswer decline_form();
[[nodiscard]] ElicitationAnswer cancel_form();

// ---- dialogs -----------------------------------------------------------------------------------

struct DialogAsk : control::RequestUserDialog {
  std::stop_token stop;
};
[[nodiscard]] DialogAnswer complete_dialog(RawJson result);
[[nodiscard]] DialogAnswer cancel_dialog();

}  // namespace parley
