// Edit: one text in a file put in place of another.
#include "agent/tools/files/edited_file.hpp"
#include "agent/tools/files/patch.hpp"
#include "agent/tools/files/replacement.hpp"
#include "agent/tools/schema/input_check.hpp"
#include "agent/tools/schema/input_schema.hpp"
#include "agent/tools/tools.hpp"
#include "agent/tools/typed_tool.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;

class EditTool final : public TypedTool<tools::EditInput> {
 public:
  std::string_view name() const override { return "Edit"; }

  std::string description() const override {
    return "Replaces one text in a file by another.\n"
           "- `old_string` must be in the file exactly as you give it, indentation included, and "
           "only once; give more lines around it if it is not unique, or set `replace_all`.\n"
           "- Leave out the line numbers that Read puts before the lines.\n"
           "- An empty `old_string` makes a new file.\n"
           "- Read the file first.";
  }

  Json input_schema() const override {
    return schema::object({{"file_path", schema::string("The file, as an absolute path"), true},
                           {"old_string", schema::string("The text to replace"), true},
                           {"new_string", schema::string("The text to put in its place"), true},
                           {"replace_all", schema::with(schema::boolean("Replace every occurrence"),
                                                        "default", false)}});
  }

  std::string summary(const RawJson& input) const override {
    const Result<Json> json = input.json();
    return json ? std::string((*json)["file_path"].as_string()) : std::string();
  }

  RawJson normal_input(const RawJson& raw) const override {
    const RawJson coerced = Tool::normal_input(raw);
    Result<Json> input = coerced.json();
    if (!input || !(*input)["new_string"].is_string()) return coerced;
    // Two blanks at the end of a line mean something in Markdown.
    const std::string_view file = (*input)["file_path"].as_string();
    if (file.ends_with(".md") || file.ends_with(".mdx")) return coerced;
    const std::string_view text = (*input)["new_string"].as_string();
    std::string trimmed = without_trailing_blanks(text);
    if (trimmed == text) return coerced;
    input->set("new_string", std::move(trimmed));
    return RawJson(input->dump());
  }

 protected:
  Result<void> examine(const tools::EditInput& input, const ToolCall& call) const override {
    if (input.old_string == input.new_string) {
      return refusal("No changes to make: old_string and new_string are exactly the same.");
    }
    const fs::path path = call.state.absolute(input.file_path);
    std::error_code error;
    if (fs::is_symlink(path, error)) return {};  // writing says it
    if (fs::is_directory(path, error)) {
      return refusal("Error calling tool (Edit): EISDIR: illegal operation on a directory, read");
    }
    if (!fs::exists(path, error)) {
      if (input.old_string.empty()) return {};
      return refusal(missing_file_text(call));
    }
    if (path.extension() == ".ipynb") {
      return refusal("File is a Jupyter Notebook. Use the NotebookEdit to edit this file.");
    }
    const Result<EditedFile> file = open_edited(call, input.file_path);
    if (!file) return refusal(file.error().message());
    if (input.old_string.empty()) {
      if (file->before.text.find_first_not_of(" \t\r\n") == std::string::npos) return {};
      return refusal("Cannot create new file - file already exists.");
    }
    const Result<ReplacedText> replaced = replace_text(
        file->before.text, input.old_string, input.new_string, input.replace_all.value_or(false));
    if (!replaced) return replaced.error();
    return {};
  }

  Intent intent_of(const tools::EditInput& input, const ToolCall& call) const override {
    Intent intent;
    intent.kind = Intent::Kind::edit_file;
    intent.path = call.state.absolute(input.file_path);
    return intent;
  }

  ToolOutput perform(const tools::EditInput& input, const ToolCall& call) const override {
    const Result<EditedFile> file = open_edited(call, input.file_path);
    if (!file) return ToolOutput::error(file.error().message());
    if (!file->exists && !input.old_string.empty()) {
      return ToolOutput::error(missing_file_text(call));
    }
    const bool all = input.replace_all.value_or(false);
    ReplacedText replaced{input.new_string, input.old_string};
    if (!input.old_string.empty()) {
      // Once more: the file may have changed while somebody was asked.
      Result<ReplacedText> result =
          replace_text(file->before.text, input.old_string, input.new_string, all);
      if (!result) return ToolOutput::error(result.error().message());
      replaced = std::move(*result);
    } else if (file->before.text.find_first_not_of(" \t\r\n") != std::string::npos) {
      return ToolOutput::error("Cannot create new file - file already exists.");
    }
    const bool knows_it = !file->exists || file->current();
    if (Result<void> saved = save_edited(call, *file, replaced.text, file->before.form, knows_it);
        !saved) {
      return ToolOutput::error(saved.error().message());
    }
    Json result =
        Json::object({{"filePath", input.file_path},
                      {"oldString", replaced.found},
                      {"newString", input.new_string},
                      {"originalFile", file->before.text},
                      {"structuredPatch", structured_patch(file->before.text, replaced.text)},
                      {"userModified", false},
                      {"replaceAll", all}});
    if (file->stale) result.set("staleRecovered", true);
    if (!knows_it) result.set("contentNotInModelContext", true);
    const std::string said = all ? " has been updated. All occurrences were successfully replaced."
                                 : " has been updated successfully.";
    return ToolOutput::success("The file " + input.file_path + said + context_note(*file), result);
  }
};

}  // namespace

std::unique_ptr<Tool> make_edit() { return std::make_unique<EditTool>(); }

}  // namespace parley::agent
