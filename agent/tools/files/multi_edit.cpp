// MultiEdit: several edits of one file, all or none. The recorded versions do without it; session
// files of older ones, and clients that name it, do not.
#include "agent/tools/files/edited_file.hpp"
#include "agent/tools/files/patch.hpp"
#include "agent/tools/files/replacement.hpp"
#include "agent/tools/schema/input_schema.hpp"
#include "agent/tools/tools.hpp"
#include "agent/tools/typed_tool.hpp"

namespace parley::agent {
namespace {

/// The text after all steps; the error names the one that does not fit.
Result<std::string> apply(const std::vector<tools::EditStep>& steps, const std::string& before) {
  std::string text = before;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const tools::EditStep& step = steps[i];
    const std::string place = "Edit " + std::to_string(i + 1) + ": ";
    if (step.old_string == step.new_string) {
      return Error(ErrorCode::invalid,
                   place + "No changes to make: old_string and new_string are exactly the same.");
    }
    if (step.old_string.empty() && text.empty()) {
      text = step.new_string;
      continue;
    }
    Result<ReplacedText> replaced =
        replace_text(text, step.old_string, step.new_string, step.replace_all.value_or(false));
    if (!replaced) return Error(replaced.error().code(), place + replaced.error().message());
    text = std::move(replaced->text);
  }
  return text;
}

class MultiEditTool final : public TypedTool<tools::MultiEditInput> {
 public:
  std::string_view name() const override { return "MultiEdit"; }

  std::string description() const override {
    return "Makes several edits in one file, one after the other, each on the outcome of those "
           "before it. If one does not fit, nothing is changed. The rules of Edit apply to each.";
  }

  Json input_schema() const override {
    const Json step = schema::object({{"old_string", schema::string("The text to replace"), true},
                                      {"new_string", schema::string("What to put there"), true},
                                      {"replace_all", schema::boolean("Every occurrence")}});
    return schema::object(
        {{"file_path", schema::string("The file, as an absolute path"), true},
         {"edits", schema::with(schema::array(step, "The edits, in order"), "minItems", 1), true}});
  }

 protected:
  Result<void> examine(const tools::MultiEditInput& input, const ToolCall& call) const override {
    const Result<EditedFile> file = open_edited(call, input.file_path);
    if (!file) return refusal(file.error().message());
    if (!file->exists && !(input.edits.size() > 0 && input.edits[0].old_string.empty())) {
      return refusal(missing_file_text(call));
    }
    const Result<std::string> text = apply(input.edits, file->before.text);
    if (!text) return text.error();
    return {};
  }

  Intent intent_of(const tools::MultiEditInput& input, const ToolCall& call) const override {
    Intent intent;
    intent.kind = Intent::Kind::edit_file;
    intent.path = call.state.absolute(input.file_path);
    return intent;
  }

  ToolOutput perform(const tools::MultiEditInput& input, const ToolCall& call) const override {
    const Result<EditedFile> file = open_edited(call, input.file_path);
    if (!file) return ToolOutput::error(file.error().message());
    const Result<std::string> text = apply(input.edits, file->before.text);
    if (!text) return ToolOutput::error(text.error().message());
    const bool knows_it = !file->exists || file->current();
    if (Result<void> saved = save_edited(call, *file, *text, file->before.form, knows_it); !saved) {
      return ToolOutput::error(saved.error().message());
    }
    Json edits = Json::array();
    std::string said = "Applied " + std::to_string(input.edits.size()) +
                       (input.edits.size() == 1 ? " edit to " : " edits to ") + input.file_path;
    for (const tools::EditStep& step : input.edits) {
      edits.push(Json::object({{"old_string", step.old_string},
                               {"new_string", step.new_string},
                               {"replace_all", step.replace_all.value_or(false)}}));
    }
    return ToolOutput::success(
        said + context_note(*file),
        Json::object({{"filePath", input.file_path},
                      {"edits", std::move(edits)},
                      {"originalFileContents", file->before.text},
                      {"structuredPatch", structured_patch(file->before.text, *text)},
                      {"userModified", false}}));
  }
};

}  // namespace

std::unique_ptr<Tool> make_multi_edit() { return std::make_unique<MultiEditTool>(); }

}  // namespace parley::agent
