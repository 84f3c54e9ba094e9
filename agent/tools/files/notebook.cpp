#include "agent/tools/files/notebook.hpp"

#include <charconv>

#include "agent/tools/files/files.hpp"

namespace parley::agent {
namespace {

/// Output of a cell beyond this is left out: a model gains nothing from a megabyte of numbers.
constexpr std::size_t kShownOutput = 10'000;

std::string cut(std::string text) {
  if (text.size() <= kShownOutput) return text;
  const std::size_t whole = text.size();
  text = prefix(text, kShownOutput);
  return text + "\n... [" + std::to_string(whole - text.size()) + " characters truncated] ...";
}

/// One output as the display gets it; nothing if it has nothing to show.
std::optional<Json> shown_output(const Json& output) {
  const std::string type(output["output_type"].as_string());
  Json shown = Json::object({{"output_type", type}});
  if (type == "stream") {
    shown.set("text", cut(joined_text(output["text"])));
  } else if (type == "execute_result" || type == "display_data") {
    const Json& data = output["data"];
    if (const Json* text = data.find("text/plain")) shown.set("text", cut(joined_text(*text)));
    for (const char* media : {"image/png", "image/jpeg"}) {
      const Json* image = data.find(media);
      if (!image) continue;
      std::string bytes = joined_text(*image);
      std::erase_if(bytes, [](char c) { return c == '\n' || c == ' '; });
      shown.set("image", Json::object({{"image_data", bytes}, {"media_type", media}}));
      break;
    }
  } else if (type == "error") {
    std::string text =
        std::string(output["ename"].as_string()) + ": " + std::string(output["evalue"].as_string());
    for (const Json& line : output["traceback"].items()) {
      text += "\n" + std::string(line.as_string());
    }
    shown.set("text", cut(std::move(text)));
  } else {
    return std::nullopt;
  }
  return shown;
}

Json shown_cell(const Json& cell, std::size_t index, const std::string& language) {
  const std::string type(cell["cell_type"].as_string());
  Json shown = Json::object({{"cellType", type}, {"source", joined_text(cell["source"])}});
  if (type == "code" && cell["execution_count"].is_number()) {
    shown.set("execution_count", cell["execution_count"]);
  }
  shown.set("cell_id", cell_name(cell, index));
  if (type != "code") return shown;
  shown.set("language", language);
  Json outputs = Json::array();
  for (const Json& output : cell["outputs"].items()) {
    if (std::optional<Json> one = shown_output(output)) outputs.push(std::move(*one));
  }
  if (!outputs.items().empty()) shown.set("outputs", std::move(outputs));
  return shown;
}

std::string cell_text(const Json& cell) {
  const std::string id(cell["cell_id"].as_string());
  std::string text = "<cell id=\"" + id + "\">";
  if (cell["cellType"].as_string() != "code") {
    text += "<cell_type>" + std::string(cell["cellType"].as_string()) + "</cell_type>";
  } else if (cell["language"].as_string() != "python") {
    text += "<language>" + std::string(cell["language"].as_string()) + "</language>";
  }
  return text + std::string(cell["source"].as_string()) + "</cell id=\"" + id + "\">";
}

/// Collects blocks; texts that follow each other become one.
class Blocks {
 public:
  void text(const std::string& text) {
    if (!blocks_.empty() && std::holds_alternative<TextBlock>(blocks_.back())) {
      std::get<TextBlock>(blocks_.back()).text += "\n" + text;
      return;
    }
    TextBlock block;
    block.text = text;
    blocks_.emplace_back(std::move(block));
  }
  void image(const Json& image) {
    Base64Source source;
    source.media_type = image["media_type"].as_string();
    source.data = image["image_data"].as_string();
    ImageBlock block;
    block.source = std::move(source);
    blocks_.emplace_back(std::move(block));
  }
  std::vector<ContentBlock> take() { return std::move(blocks_); }

 private:
  std::vector<ContentBlock> blocks_;
};

}  // namespace

std::string cell_name(const Json& cell, std::size_t index) {
  const std::string_view id = cell["id"].as_string();
  return id.empty() ? "cell-" + std::to_string(index) : std::string(id);
}

std::optional<std::size_t> find_cell(const Json& notebook, std::string_view name) {
  const Json::Array& cells = notebook["cells"].items();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i]["id"].is_string() && cells[i]["id"].as_string() == name) return i;
  }
  if (!name.starts_with("cell-")) return std::nullopt;
  std::size_t index = 0;
  const char* const end = name.data() + name.size();
  const auto [rest, problem] = std::from_chars(name.data() + 5, end, index);
  if (problem != std::errc() || rest != end || index >= cells.size()) return std::nullopt;
  return index;
}

std::string notebook_language(const Json& notebook) {
  return std::string(notebook["metadata"]["language_info"]["name"].as_string("python"));
}

std::string joined_text(const Json& text) {
  if (text.is_string()) return std::string(text.as_string());
  std::string all;
  for (const Json& line : text.items()) all += line.as_string();
  return all;
}

Result<ToolOutput> show_notebook(const std::string& path, std::string_view text) {
  const Result<Json> notebook = Json::parse(text);
  if (!notebook) {
    return Error(ErrorCode::malformed,
                 "Notebook file is not valid JSON (it may be truncated, corrupted, or still being "
                 "written): " +
                     notebook.error().message());
  }
  const std::string language = notebook_language(*notebook);
  Json cells = Json::array();
  Blocks blocks;
  const Json::Array& stored = (*notebook)["cells"].items();
  for (std::size_t i = 0; i < stored.size(); ++i) {
    Json cell = shown_cell(stored[i], i, language);
    blocks.text(cell_text(cell));
    for (const Json& output : cell["outputs"].items()) {
      if (const Json* said = output.find("text"))
        blocks.text("\n" + std::string(said->as_string()));
      if (const Json* image = output.find("image")) blocks.image(*image);
    }
    cells.push(std::move(cell));
  }
  ToolOutput output;
  output.content = blocks.take();
  output.result = RawJson(
      Json::object({{"type", "notebook"},
                    {"file", Json::object({{"filePath", path}, {"cells", std::move(cells)}})}})
          .dump());
  return output;
}

}  // namespace parley::agent
