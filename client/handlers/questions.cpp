#include "client/handlers/questions.hpp"

#include <stdexcept>

#include "wire/codec/codec.hpp"

namespace parley {

const std::string& QuestionAnswers::text(std::size_t question) const {
  if (question >= questions_.size()) throw std::out_of_range("there is no question of that number");
  return questions_[question].question;
}

QuestionAnswers& QuestionAnswers::choose(std::size_t question, std::string answer) {
  answers_[text(question)] = std::move(answer);
  return *this;
}

QuestionAnswers& QuestionAnswers::choose_all(std::size_t question,
                                             const std::vector<std::string>& labels) {
  std::string joined;
  for (const std::string& label : labels) {
    if (!joined.empty()) joined += ", ";
    joined += label;
  }
  return choose(question, std::move(joined));
}

QuestionAnswers& QuestionAnswers::note(std::size_t question, std::string remark) {
  notes_[text(question)] = std::move(remark);
  return *this;
}

QuestionAnswers QuestionAnswers::declined(const QuestionAsk& ask, std::string message) {
  QuestionAnswers answers(ask);
  answers.declined_ = message.empty() ? "The user did not answer." : std::move(message);
  return answers;
}

PermissionResult QuestionAnswers::wire(const RawJson& input) const {
  if (declined_) {
    PermissionDeny deny;
    deny.message = *declined_;
    return deny;
  }
  // The questions go back as they came, with the answers beside them.
  Json updated = input.json().ok() ? *input.json() : Json::object();
  Json answers = Json::object();
  for (const auto& [question, answer] : answers_) answers.set(question, answer);
  updated.set("answers", std::move(answers));
  if (!notes_.empty()) {
    Json annotations = Json::object();
    for (const auto& [question, note] : notes_) {
      annotations.set(question, Json::object({{"notes", note}}));
    }
    updated.set("annotations", std::move(annotations));
  }
  PermissionAllow allow;
  allow.updatedInput = RawJson(updated.dump());
  return allow;
}

PlanAnswer approve_plan(std::optional<PermissionMode> mode) {
  return {.approved = true, .mode = mode, .feedback = {}};
}

PlanAnswer reject_plan(std::string feedback) {
  return {.approved = false, .mode = std::nullopt, .feedback = std::move(feedback)};
}

ElicitationAnswer accept_form(RawJson content) {
  ElicitationAnswer answer;
  answer.action = ElicitationAction::accept;
  answer.content = std::move(content);
  return answer;
}

ElicitationAnswer decline_form() {
  ElicitationAnswer answer;
  answer.action = ElicitationAction::decline;
  return answer;
}

ElicitationAnswer cancel_form() { return {}; }

DialogAnswer complete_dialog(RawJson result) {
  DialogAnswer answer;
  answer.behavior = control::DialogBehavior::completed;
  answer.result = std::move(result);
  return answer;
}

DialogAnswer cancel_dialog() { return {}; }

}  // namespace parley
