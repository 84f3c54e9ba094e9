// Write: a file as a whole.
#include "agent/tools/files/edited_file.hpp"
#include "agent/tools/files/patch.hpp"
#include "agent/tools/schema/input_schema.hpp"
#include "agent/tools/tools.hpp"
#include "agent/tools/typed_tool.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;

class WriteTool final : public TypedTool<tools::WriteInput> {
 public:
  std::string_view name() const override { return "Write"; }

  std::string description() const override {
    return "Writes a file, a new one or over an old one; folders are made as needed.\n"
           "- Prefer Edit for changes to a file that is there.\n"
           "- Read a file before you replace it, so that nothing is lost that you did not know.\n"
           "- Do not write documentation files unless you were asked for them.";
  }

  Json input_schema() const override {
    return schema::object({{"file_path", schema::string("The file, as an absolute path"), true},
                           {"content", schema::string("The whole new content"), true}});
  }

  std::string summary(const RawJson& input) const override {
    const Result<Json> json = input.json();
    return json ? std::string((*json)["file_path"].as_string()) : std::string();
  }

 protected:
  Result<void> examine(const tools::WriteInput& input, const ToolCall& call) const override {
    const fs::path file = call.state.absolute(input.file_path);
    std::error_code error;
    if (fs::is_directory(file, error)) {
      return refusal(input.file_path +
                     " is a directory, not a file. To create a file inside it, include the file "
                     "name in file_path.");
    }
    if (error && error != std::errc::no_such_file_or_directory) {
      return refusal("Error calling tool (Write): " +
                     std::string(error == std::errc::not_a_directory ? "ENOTDIR: not a directory"
                                                                     : error.message()) +
                     ", stat '" + file.string() + "'");
    }
    if (file.extension() == ".ipynb" && fs::exists(file, error) && !call.state.known(file)) {
      return refusal("File has not been read yet. Read it first before writing to it.");
    }
    return {};
  }

  Intent intent_of(const tools::WriteInput& input, const ToolCall& call) const override {
    Intent intent;
    intent.kind = Intent::Kind::edit_file;
    intent.path = call.state.absolute(input.file_path);
    return intent;
  }

  ToolOutput perform(const tools::WriteInput& input, const ToolCall& call) const override {
    const Result<EditedFile> file = open_edited(call, input.file_path);
    if (!file) return ToolOutput::error(file.error().message());
    // The line ends of what was there are not the model's wish; its own are.
    TextForm form = file->before.form;
    form.crlf = false;
    if (Result<void> saved = save_edited(call, *file, input.content, form, true); !saved) {
      return ToolOutput::error(saved.error().message());
    }
    const bool update = file->exists;
    Json result =
        Json::object({{"type", update ? "update" : "create"},
                      {"filePath", input.file_path},
                      {"content", input.content},
                      {"structuredPatch",
                       update ? structured_patch(file->before.text, input.content) : Json::array()},
                      {"originalFile", update ? Json(file->before.text) : Json()},
                      {"userModified", false}});
    const std::string text = update
                                 ? "The file " + input.file_path + " has been updated successfully."
                                 : "File created successfully at: " + input.file_path;
    return ToolOutput::success(text + kCurrentNote, result);
  }
};

}  // namespace

std::unique_ptr<Tool> make_write() { return std::make_unique<WriteTool>(); }

}  // namespace parley::agent
