// NotebookEdit: one cell of a Jupyter notebook replaced, added or taken away.

#include "agent/tools/files/edited_file.hpp"
#include "agent/tools/files/notebook.hpp"
#include "agent/tools/schema/input_schema.hpp"
#include "agent/tools/tools.hpp"
#include "agent/tools/typed_tool.hpp"
#include "support/random.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;
using tools::NotebookEditInput;

std::string mode_of(const NotebookEditInput& input) {
  return input.edit_mode ? std::string(input.edit_mode->text()) : "replace";
}

/// Cells have ids since version 4.5 of the format.
bool has_ids(const Json& notebook) {
  const std::int64_t major = notebook["nbformat"].as_int();
  return major > 4 || (major == 4 && notebook["nbformat_minor"].as_int() >= 5);
}

std::string new_id() { return random_text(8, kHexDigits); }

Json new_cell(const std::string& type, const std::string& source,
              const std::optional<std::string>& id) {
  Json cell = Json::object({{"cell_type", type}});
  if (id) cell.set("id", *id);
  cell.set("source", source);
  cell.set("metadata", Json::object());
  if (type == "code") {
    cell.set("execution_count", Json());
    cell.set("outputs", Json::array());
  }
  return cell;
}

class NotebookEditTool final : public TypedTool<NotebookEditInput> {
 public:
  std::string_view name() const override { return "NotebookEdit"; }

  std::string description() const override {
    return "Changes one cell of a Jupyter notebook: replaces its source, inserts a new cell after "
           "it (at the beginning without `cell_id`), or deletes it. Read the notebook first; the "
           "ids of the cells are in what Read shows.";
  }

  Json input_schema() const override {
    return schema::object(
        {{"notebook_path", schema::string("The notebook, as an absolute path"), true},
         {"cell_id", schema::string("The cell; for an insert, the one before the new one")},
         {"new_source", schema::string("The new source of the cell"), true},
         {"cell_type", schema::one_of({"code", "markdown"}, "Needed for an insert")},
         {"edit_mode", schema::one_of({"replace", "insert", "delete"}, "replace if left out")}});
  }

 protected:
  Result<void> examine(const NotebookEditInput& input, const ToolCall& call) const override {
    const fs::path path = call.state.absolute(input.notebook_path);
    if (path.extension() != ".ipynb") {
      return refusal(
          "File must be a Jupyter notebook (.ipynb file). For editing other file types, use the "
          "FileEdit tool.");
    }
    const std::string mode = mode_of(input);
    if (mode == "insert" && !input.cell_type) {
      return refusal("Cell type is required when using edit_mode=insert.");
    }
    const std::optional<KnownFile> known = call.state.known(path);
    if (!known) return refusal("File has not been read yet. Read it first before writing to it.");
    const Result<EditedFile> file = open_edited(call, input.notebook_path);
    if (!file) return refusal(file.error().message());
    if (!file->exists) return refusal("Notebook file does not exist.");
    if (file->stale) {
      return refusal(
          "File has been modified since read, either by the user or by a linter. Read it again "
          "before attempting to write it.");
    }
    const Result<Json> notebook = Json::parse(file->before.text);
    if (!notebook) return refusal("Notebook is not valid JSON.");
    if (!input.cell_id) {
      if (mode == "insert") return {};
      return refusal("Cell ID must be specified when not inserting a new cell.");
    }
    if (find_cell(*notebook, *input.cell_id)) return {};
    const std::string& id = *input.cell_id;
    const bool by_place = id.starts_with("cell-") && id.size() > 5 &&
                          id.find_first_not_of("0123456789", 5) == std::string::npos;
    if (by_place) {
      return refusal("Cell with index " + id.substr(5) + " does not exist in notebook.");
    }
    return refusal("Cell with ID \"" + id + "\" not found in notebook.");
  }

  Intent intent_of(const NotebookEditInput& input, const ToolCall& call) const override {
    Intent intent;
    intent.kind = Intent::Kind::edit_file;
    intent.path = call.state.absolute(input.notebook_path);
    return intent;
  }

  ToolOutput perform(const NotebookEditInput& input, const ToolCall& call) const override {
    const Result<EditedFile> file = open_edited(call, input.notebook_path);
    if (!file) return ToolOutput::error(file.error().message());
    Result<Json> notebook = Json::parse(file->before.text);
    if (!notebook) return ToolOutput::error("Notebook is not valid JSON.");
    Json* const list = notebook->find("cells");
    if (!list || !list->is_array()) return ToolOutput::error("Notebook has no cells.");

    const std::string mode = mode_of(input);
    const std::optional<std::size_t> at =
        input.cell_id ? find_cell(*notebook, *input.cell_id) : std::nullopt;
    if (!at && (input.cell_id || mode != "insert")) {
      return ToolOutput::error("Cell with ID \"" + input.cell_id.value_or("") +
                               "\" not found in notebook.");
    }
    Json::Array& cells = list->items();
    const std::size_t place = at.value_or(0);
    std::string type = input.cell_type ? std::string(input.cell_type->text()) : "code";
    std::optional<std::string> id = input.cell_id, old_source;
    if (mode == "insert") {
      id = has_ids(*notebook) ? std::optional(new_id()) : std::nullopt;
      cells.insert(cells.begin() + static_cast<std::ptrdiff_t>(at ? place + 1 : 0),
                   new_cell(type, input.new_source, id));
    } else if (mode == "delete") {
      old_source = joined_text(cells[place]["source"]);
      cells.erase(cells.begin() + static_cast<std::ptrdiff_t>(place));
    } else {
      Json& cell = cells[place];
      old_source = joined_text(cell["source"]);
      cell.set("source", input.new_source);
      if (cell["cell_type"].as_string() == "code") {
        // What it had computed belongs to the source it had.
        cell.set("execution_count", Json());
        cell.set("outputs", Json::array());
      }
      if (input.cell_type) {
        cell.set("cell_type", type);
      } else {
        type = cell["cell_type"].as_string("code");
      }
    }
    const std::string updated = notebook->dump(1);
    if (Result<void> saved = save_edited(call, *file, updated, file->before.form, true); !saved) {
      return ToolOutput::error(saved.error().message());
    }
    Json result = Json::object({{"new_source", input.new_source}});
    if (old_source) result.set("old_source", *old_source);
    result.set("cell_type", type);
    result.set("language", notebook_language(*notebook));
    result.set("edit_mode", mode);
    if (id) result.set("cell_id", *id);
    result.set("error", "");
    result.set("notebook_path", input.notebook_path);
    result.set("original_file", file->before.text);
    result.set("updated_file", updated);
    return ToolOutput::success(said(mode, id, input.new_source), result);
  }

 private:
  static std::string said(const std::string& mode, const std::optional<std::string>& id,
                          const std::string& source) {
    if (mode == "delete") return "Deleted cell " + id.value_or("");
    if (mode == "replace") return "Updated cell " + id.value_or("") + " with " + source;
    return "Inserted " + (id ? "cell " + *id : std::string("a new cell")) + " with " + source;
  }
};

}  // namespace

std::unique_ptr<Tool> make_notebook_edit() { return std::make_unique<NotebookEditTool>(); }

}  // namespace parley::agent
