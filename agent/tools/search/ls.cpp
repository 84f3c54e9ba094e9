// LS: what is in a folder. The recorded versions do without it; older ones, and clients that name
// it, do not.
#include <algorithm>

#include "agent/tools/schema/input_schema.hpp"
#include "agent/tools/search/glob_pattern.hpp"
#include "agent/tools/tools.hpp"
#include "agent/tools/typed_tool.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEntries = 1000;

class LsTool final : public TypedTool<tools::LSInput> {
 public:
  std::string_view name() const override { return "LS"; }

  std::string description() const override {
    return "Lists a folder, folders with a slash at the end. `ignore` leaves out names that match "
           "one of its patterns.";
  }

  Json input_schema() const override {
    return schema::object(
        {{"path", schema::string("The folder, as an absolute path"), true},
         {"ignore", schema::array(schema::string(), "Patterns of names to leave out")}});
  }

  bool concurrent(const RawJson& /*input*/) const override { return true; }

 protected:
  Intent intent_of(const tools::LSInput& input, const ToolCall& call) const override {
    Intent intent;
    intent.kind = Intent::Kind::read_file;
    intent.path = call.state.absolute(input.path);
    return intent;
  }

  ToolOutput perform(const tools::LSInput& input, const ToolCall& call) const override {
    const fs::path folder = call.state.absolute(input.path);
    std::error_code error;
    if (!fs::is_directory(folder, error)) {
      return ToolOutput::error(fs::exists(folder, error)
                                   ? "Path is not a directory: " + folder.string()
                                   : "Directory does not exist: " + folder.string() +
                                         ". Note: your current working directory is " +
                                         call.state.cwd().string() + ".");
    }
    std::vector<GlobPattern> ignored;
    for (const std::string& pattern : input.ignore.value_or(std::vector<std::string>{})) {
      Result<GlobPattern> glob = GlobPattern::compile(pattern);
      if (!glob) return ToolOutput::error(glob.error().message());
      ignored.push_back(std::move(*glob));
    }
    const auto hidden = call.state.hidden_from(name());
    std::vector<std::string> names;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
      std::string entry = at->path().filename().string();
      const bool unwanted =
          std::any_of(ignored.begin(), ignored.end(),
                      [&](const GlobPattern& glob) { return glob.matches(entry); });
      if (unwanted || (hidden && hidden(at->path()))) continue;
      std::error_code unreadable;
      if (at->symlink_status(unreadable).type() == fs::file_type::directory) entry += '/';
      names.push_back(std::move(entry));
    }
    if (error) return ToolOutput::error("Cannot list " + folder.string() + ": " + error.message());
    std::sort(names.begin(), names.end());
    const std::size_t total = names.size();
    names.resize(std::min(total, kMostEntries));
    std::string text = "- " + folder.string() + "/";
    for (const std::string& name : names) text += "\n  - " + name;
    if (total > names.size()) {
      text += "\n(" + std::to_string(total - names.size()) + " more are not listed.)";
    }
    return ToolOutput::success(text, Json(text));
  }
};

}  // namespace

std::unique_ptr<Tool> make_ls() { return std::make_unique<LsTool>(); }

}  // namespace parley::agent
