// Glob: files by their names.
#include <algorithm>

#include "agent/tools/schema/input_schema.hpp"
#include "agent/tools/search/file_walk.hpp"
#include "agent/tools/search/glob_pattern.hpp"
#include "agent/tools/tools.hpp"
#include "agent/tools/typed_tool.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 100;

/// Where a search begins and what it looks for there.
struct Search {
  fs::path root;
  std::string pattern;
};

/// The folders before the first special character are no pattern: the walk can begin there.
Search search_of(const tools::GlobInput& input, const ToolState& state) {
  Search search{input.path ? state.absolute(*input.path) : state.cwd(), input.pattern};
  if (!search.pattern.starts_with('/')) return search;
  const std::size_t special = search.pattern.find_first_of("*?[{");
  const std::size_t slash = search.pattern.rfind('/', special);
  search.root = slash == 0 ? "/" : search.pattern.substr(0, slash);
  search.pattern = "./" + search.pattern.substr(slash + 1);
  return search;
}

class GlobTool final : public TypedTool<tools::GlobInput> {
 public:
  std::string_view name() const override { return "Glob"; }

  std::string description() const override {
    return "Finds files by their names, with patterns such as `**/*.cpp` or `src/*.{h,hpp}`. A "
           "pattern without a slash matches in every folder. The oldest come first; at most 100 "
           "are listed.";
  }

  Json input_schema() const override {
    return schema::object(
        {{"pattern", schema::string("The pattern"), true},
         {"path", schema::string("The folder to search; the current one if left out")}});
  }

  bool concurrent(const RawJson& /*input*/) const override { return true; }

 protected:
  Intent intent_of(const tools::GlobInput& input, const ToolCall& call) const override {
    Intent intent;
    intent.kind = Intent::Kind::read_file;
    intent.path = search_of(input, call.state).root;
    return intent;
  }

  ToolOutput perform(const tools::GlobInput& input, const ToolCall& call) const override {
    const auto begin = std::chrono::steady_clock::now();
    const Search search = search_of(input, call.state);
    std::error_code error;
    if (!fs::exists(search.root, error)) {
      return ToolOutput::error("Directory does not exist: " + search.root.string() +
                               ". Note: your current working directory is " +
                               call.state.cwd().string() + ".");
    }
    if (!fs::is_directory(search.root, error)) {
      return ToolOutput::error("Path is not a directory: " + search.root.string());
    }
    const Result<GlobPattern> pattern = GlobPattern::compile(search.pattern);
    if (!pattern) return ToolOutput::error(pattern.error().message());

    struct Found {
      fs::file_time_type modified;
      std::string path;
    };
    std::vector<Found> found;
    const auto hidden = call.state.hidden_from(name());
    WalkLimits limits;
    limits.stop = call.stop;
    const WalkEnd end = walk_files(
        search.root, limits, [&](const fs::directory_entry& entry, const std::string& relative) {
          if (!pattern->matches(relative) || (hidden && hidden(entry.path()))) return;
          std::error_code ignored;
          const fs::file_time_type modified = entry.last_write_time(ignored);
          found.push_back({modified, call.state.relative(search.root / relative)});
        });
    std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
      return a.modified != b.modified ? a.modified < b.modified : a.path < b.path;
    });

    const std::size_t total = found.size(), shown = std::min(total, kMostFiles);
    Json names = Json::array();
    std::string text;
    for (std::size_t i = 0; i < shown; ++i) {
      names.push(Json(found[i].path));
      text += (i == 0 ? "" : "\n") + found[i].path;
    }
    if (total == 0) text = "No files found";
    if (total > shown) {
      text += "\n(Showing " + std::to_string(shown) + " of " + std::to_string(total) +
              " matching files; " + std::to_string(total - shown) +
              " more are not listed. Narrow the pattern or path to see the rest.)";
    }
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now() - begin);
    Json result = Json::object({{"filenames", std::move(names)},
                                {"durationMs", static_cast<std::int64_t>(took.count())},
                                {"numFiles", static_cast<std::int64_t>(shown)},
                                {"truncated", total > shown},
                                {"totalMatches", static_cast<std::int64_t>(total)},
                                {"countIsComplete", end.complete}});
    if (!end.complete) {
      result.set("timedOut", true);
      text += "\n(The search was ended before it had seen everything.)";
    }
    return ToolOutput::success(std::move(text), result);
  }
};

}  // namespace

std::unique_ptr<Tool> make_glob() { return std::make_unique<GlobTool>(); }

}  // namespace parley::agent
