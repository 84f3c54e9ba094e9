// AskUserQuestion: the questions go out as a permission request, and the answers come back in the
// input with which it is allowed; all that is left to do here is to tell them to the model.
#include <algorithm>

#include "agent/tools/schema/input_schema.hpp"
#include "agent/tools/tool_state.hpp"
#include "agent/tools/tools.hpp"

namespace parley::agent {
namespace {

/// An answer as text: several labels may come as a list.
std::string answer_text(const Json& answer) {
  if (!answer.is_array()) return std::string(answer.as_string());
  std::string text;
  for (const Json& one : answer.items()) {
    text += (text.empty() ? "" : ",") + std::string(one.as_string());
  }
  return text;
}

bool is_label(const Json& question, std::string_view text) {
  return std::any_of(question["options"].items().begin(), question["options"].items().end(),
                     [&](const Json& option) { return option["label"].as_string() == text; });
}

/// Whether the answer only picks from what was offered.
bool picks(const Json& question, const Json& answer) {
  if (answer.is_array()) {
    return std::all_of(answer.items().begin(), answer.items().end(),
                       [&](const Json& one) { return is_label(question, one.as_string()); });
  }
  std::string_view rest = answer.as_string();
  if (is_label(question, rest)) return true;
  if (!question["multiSelect"].as_bool()) return false;
  while (true) {
    const std::size_t comma = rest.find(',');
    std::string_view label = rest.substr(0, comma);
    while (label.starts_with(' ')) label.remove_prefix(1);
    if (!is_label(question, label)) return false;
    if (comma == std::string_view::npos) return true;
    rest.remove_prefix(comma + 1);
  }
}

std::string said(const Json& input) {
  std::string list;
  bool plain = true;
  for (const Json& question : input["questions"].items()) {
    const std::string_view text = question["question"].as_string();
    const Json* const answer = input["answers"].find(text);
    const Json& note = input["annotations"][text];
    if (!answer) {
      plain = plain && note.is_null();
      continue;
    }
    plain = plain && picks(question, *answer);
    list +=
        (list.empty() ? "\"" : ", \"") + std::string(text) + "\"=\"" + answer_text(*answer) + "\"";
    if (const std::string_view preview = note["preview"].as_string(); !preview.empty()) {
      list += " selected preview:\n" + std::string(preview);
    }
    if (const std::string_view notes = note["notes"].as_string(); !notes.empty()) {
      plain = false;
      list += " notes: " + std::string(notes);
    }
  }
  if (list.empty()) return "The user did not answer the questions.";
  if (plain) {
    return "Your questions have been answered: " + list +
           ". You can now continue with these answers in mind.";
  }
  return "The user answered: " + list +
         ". Read the answers carefully \u2014 they may request clarification, changes, or that you "
         "not proceed \u2014 and follow what they actually say.";
}

class AskUserQuestionTool final : public Tool {
 public:
  std::string_view name() const override { return "AskUserQuestion"; }

  std::string description() const override {
    return "Asks the user one to four questions, each with two to four options to choose from. Use "
           "it when you need a decision or a preference that you cannot find out yourself. The "
           "user can always answer in words of their own, so do not offer \"Other\". Put the "
           "option "
           "you recommend first and say so in its label.";
  }

  Json input_schema() const override {
    const Json option = schema::object(
        {{"label", schema::string("One to five words"), true},
         {"description", schema::string("What choosing it means"), true},
         {"preview", schema::string("Something to look at before choosing, in Markdown")}});
    Json options = schema::array(option, "The choices");
    options.set("minItems", 2);
    options.set("maxItems", 4);
    const Json question =
        schema::object({{"question", schema::string("The whole question"), true},
                        {"header", schema::string("A word or two that stand for it"), true},
                        {"options", std::move(options), true},
                        {"multiSelect", schema::boolean("Whether several may be chosen")}});
    Json questions = schema::array(question, "The questions");
    questions.set("minItems", 1);
    questions.set("maxItems", 4);
    return schema::object({{"questions", std::move(questions), true},
                           {"answers", schema::any_object("Filled in by the user")},
                           {"annotations", schema::any_object("Filled in by the user")},
                           {"metadata", schema::any_object("Where the questions come from")}});
  }

  bool concurrent(const RawJson& /*input*/) const override { return true; }

  Intent intent(const ToolCall& /*call*/) const override {
    Intent intent;
    intent.kind = Intent::Kind::ask_user;
    return intent;
  }

  ToolOutput run(const ToolCall& call) const override {
    const Result<Json> input = call.input.json();
    if (!input) return ToolOutput::error(input.error().what(), true);
    const Json* const answers = input->find("answers");
    Json result = Json::object(
        {{"questions", (*input)["questions"]}, {"answers", answers ? *answers : Json::object()}});
    if (const Json* annotations = input->find("annotations")) {
      result.set("annotations", *annotations);
    }
    return ToolOutput::success(said(*input), result);
  }
};

}  // namespace

std::unique_ptr<Tool> make_ask_user_question() { return std::make_unique<AskUserQuestionTool>(); }

}  // namespace parley::agent
