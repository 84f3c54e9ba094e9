// Grep: files by what is in them.
#include <algorithm>
#include <charconv>

#include "agent/tools/schema/input_schema.hpp"
#include "agent/tools/search/text_search.hpp"
#include "agent/tools/shell/sandbox.hpp"
#include "agent/tools/tools.hpp"
#include "agent/tools/typed_tool.hpp"
#include "support/process/spawn.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kDefaultLimit = 250;

/// The part of a list that is shown, and how that is said.
struct Page {
  FoundLines lines;
  std::optional<std::int64_t> limit, offset;

  [[nodiscard]] std::string text() const {
    std::string said;
    if (limit) said += "limit: " + std::to_string(*limit);
    if (offset) said += (said.empty() ? "" : ", ") + ("offset: " + std::to_string(*offset));
    return said;
  }
  void add_to(Json& result) const {
    if (limit) result.set("appliedLimit", *limit);
    if (offset) result.set("appliedOffset", *offset);
  }
};

Page page_of(const FoundLines& all, const tools::GrepInput& input) {
  Page page;
  const auto size = static_cast<std::int64_t>(all.size());
  const std::int64_t offset = std::clamp<std::int64_t>(input.offset.value_or(0), 0, size);
  // 0 asks for everything.
  const std::int64_t limit = input.head_limit.value_or(kDefaultLimit);
  const std::int64_t end = limit <= 0 || limit >= size - offset ? size : offset + limit;
  if (end < size) page.limit = limit;
  if (offset > 0) page.offset = offset;
  page.lines.assign(all.begin() + offset, all.begin() + end);
  return page;
}

std::string joined(const FoundLines& lines) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + line;
  return text;
}

ToolOutput files_output(FoundLines files, const tools::GrepInput& input) {
  const Page page = page_of(files, input);
  const auto count = static_cast<std::int64_t>(page.lines.size());
  Json names = Json::array();
  for (const std::string& file : page.lines) names.push(Json(file));
  Json result = Json::object({{"mode", "files_with_matches"},
                              {"filenames", std::move(names)},
                              {"numFiles", count},
                              {"totalFiles", static_cast<std::int64_t>(files.size())}});
  page.add_to(result);
  if (count == 0) return ToolOutput::success("No files found", result);
  const std::string said = page.text();
  return ToolOutput::success("Found " + std::to_string(count) + (count == 1 ? " file" : " files") +
                                 (said.empty() ? "" : " " + said) + "\n" + joined(page.lines),
                             result);
}

ToolOutput content_output(const FoundLines& lines, const tools::GrepInput& input) {
  const Page page = page_of(lines, input);
  const std::string content = joined(page.lines);
  Json result = Json::object({{"mode", "content"},
                              {"numFiles", 0},
                              {"filenames", Json::array()},
                              {"content", content},
                              {"numLines", static_cast<std::int64_t>(page.lines.size())},
                              {"totalLines", static_cast<std::int64_t>(lines.size())}});
  page.add_to(result);
  std::string text = page.lines.empty() ? "No matches found" : content;
  if (const std::string said = page.text(); !said.empty()) {
    text += "\n\n[Showing results with pagination = " + said + "]";
  }
  return ToolOutput::success(std::move(text), result);
}

ToolOutput count_output(const FoundLines& lines, const tools::GrepInput& input) {
  std::int64_t matches = 0;
  for (const std::string& line : lines) {
    const std::size_t colon = line.rfind(':');
    const char* const begin = line.data() + (colon == std::string::npos ? 0 : colon + 1);
    std::int64_t count = 0;
    std::from_chars(begin, line.data() + line.size(), count);
    matches += count;
  }
  const Page page = page_of(lines, input);
  const auto files = static_cast<std::int64_t>(lines.size());
  const std::string content = joined(page.lines);
  Json result = Json::object({{"mode", "count"},
                              {"numFiles", files},
                              {"filenames", Json::array()},
                              {"content", content},
                              {"numMatches", matches}});
  page.add_to(result);
  std::string text = (content.empty() ? "No matches found" : content) + "\n\nFound " +
                     std::to_string(matches) + " total " +
                     (matches == 1 ? "occurrence" : "occurrences") + " across " +
                     std::to_string(files) + (files == 1 ? " file." : " files.");
  if (const std::string said = page.text(); !said.empty()) text += " with pagination = " + said;
  return ToolOutput::success(std::move(text), result);
}

class GrepTool final : public TypedTool<tools::GrepInput> {
 public:
  std::string_view name() const override { return "Grep"; }

  std::string description() const override {
    return "Searches the contents of files for a regular expression (ripgrep's syntax).\n"
           "- `output_mode`: `files_with_matches` (the default) lists files, `content` shows the "
           "lines, `count` counts them per file.\n"
           "- Narrow the search with `path`, `glob` (\"*.js\", \"*.{ts,tsx}\") or `type` "
           "(\"py\").\n"
           "- Braces and other special characters need a backslash to stand for themselves.\n"
           "- Lines are matched one by one; set `multiline` for patterns that go across lines.\n"
           "- 250 entries are shown; `head_limit` and `offset` page through more.";
  }

  Json input_schema() const override {
    return schema::object(
        {{"pattern", schema::string("The regular expression"), true},
         {"path", schema::string("File or folder to search; the current folder if left out")},
         {"glob", schema::string("Only files whose names match")},
         {"output_mode", schema::one_of({"content", "files_with_matches", "count"},
                                        "What to show; files_with_matches if left out")},
         {"-B", schema::number("Lines to show before each match (content)")},
         {"-A", schema::number("Lines to show after each match (content)")},
         {"-C", schema::number("Lines to show before and after each match (content)")},
         {"context", schema::number("The same as -C")},
         {"-n", schema::boolean("Show line numbers (content); true if left out")},
         {"-i", schema::boolean("Ignore case")},
         {"-o", schema::boolean("Show only the matching parts (content)")},
         {"type", schema::string("Only files of this kind: js, py, rust, go, cpp, ...")},
         {"head_limit", schema::number("Show at most so many entries; 0 for all")},
         {"offset", schema::number("Leave out so many entries first")},
         {"multiline", schema::boolean("Let the pattern go across lines")}});
  }

  bool concurrent(const RawJson& /*input*/) const override { return true; }

 protected:
  Intent intent_of(const tools::GrepInput& input, const ToolCall& call) const override {
    Intent intent;
    intent.kind = Intent::Kind::read_file;
    intent.path = input.path ? call.state.absolute(*input.path) : call.state.cwd();
    return intent;
  }

  ToolOutput perform(const tools::GrepInput& input, const ToolCall& call) const override {
    TextSearch search{input, input.path ? call.state.absolute(*input.path) : call.state.cwd(),
                      false, call.state.hidden_from(name())};
    std::error_code error;
    if (!fs::exists(search.target, error)) {
      return ToolOutput::error("Path does not exist: " + search.target.string() +
                               ". Note: your current working directory is " +
                               call.state.cwd().string() + ".");
    }
    search.is_file = !fs::is_directory(search.target, error);
    const auto environment = call.state.environment();
    const auto path = environment.find("PATH");
    const std::optional<fs::path> program =
        find_program("rg", path == environment.end() ? "/usr/bin:/bin" : path->second);
    Result<FoundLines> lines =
        program ? search_with_ripgrep(search, call, *program) : search_ourselves(search, call);
    if (!lines) return ToolOutput::error(lines.error().message());
    const std::string mode =
        input.output_mode ? std::string(input.output_mode->text()) : "files_with_matches";
    if (mode == "files_with_matches") sort_newest_first(*lines);
    shorten_names(*lines, call.state);
    if (mode == "content") return content_output(*lines, input);
    if (mode == "count") return count_output(*lines, input);
    return files_output(std::move(*lines), input);
  }

 private:
  static void sort_newest_first(FoundLines& files) {
    std::vector<std::pair<fs::file_time_type, std::string>> dated;
    for (std::string& file : files) {
      std::error_code ignored;
      const fs::file_time_type time = fs::last_write_time(file, ignored);
      dated.emplace_back(time, std::move(file));
    }
    std::sort(dated.begin(), dated.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    for (std::size_t i = 0; i < files.size(); ++i) files[i] = std::move(dated[i].second);
  }

  static void shorten_names(FoundLines& lines, const ToolState& state) {
    const std::string here = state.cwd().string() + "/";
    for (std::string& line : lines) {
      if (line.starts_with(here)) line.erase(0, here.size());
    }
  }
};

}  // namespace

std::unique_ptr<Tool> make_grep() { return std::make_unique<GrepTool>(); }

}  // namespace parley::agent
