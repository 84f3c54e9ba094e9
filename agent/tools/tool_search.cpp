#include "agent/tools/tool_search.hpp"

#include <algorithm>

#include "agent/tools/schema/input_schema.hpp"
#include "agent/tools/typed_tool.hpp"
#include "support/text/text.hpp"

namespace parley::agent {
namespace {

constexpr std::int64_t kUsualResults = 5;
constexpr std::int64_t kMostResults = 50;
/// So many names are in the description; the others can be found by words only.
constexpr std::size_t kMostNamed = 500;
constexpr std::string_view kSelect = "select:";

/// How well a tool fits one word: its name counts most.
int score(const Tool& tool, const std::string& word) {
  const std::string name = lower(tool.name());
  if (name == word) return 100;
  int points = 0;
  if (name.find(word) != std::string::npos) points += 10;
  if (lower(tool.display_name()).find(word) != std::string::npos) points += 5;
  if (lower(tool.description()).find(word) != std::string::npos) points += 2;
  return points;
}

/// The tools of the names that are listed, in the order of the list.
std::vector<SharedTool> selected(const std::vector<SharedTool>& tools, std::string_view names) {
  std::vector<SharedTool> found;
  for (const std::string_view name : split(names, ',')) {
    const auto same = std::find_if(tools.begin(), tools.end(), [&](const SharedTool& tool) {
      return same_ignoring_case(tool->name(), trimmed(name));
    });
    if (same != tools.end()) found.push_back(*same);
  }
  return found;
}

/// The tools that fit the words, best first. A word with a + in front must fit.
std::vector<SharedTool> searched(const std::vector<SharedTool>& tools, std::string_view query) {
  std::vector<std::pair<int, SharedTool>> ranked;
  for (const SharedTool& tool : tools) {
    int points = 0;
    bool fits = true;
    for (std::string_view part : split(query, ' ')) {
      const bool required = part.starts_with('+');
      if (required) part.remove_prefix(1);
      if (part.empty()) continue;
      const int more = score(*tool, lower(part));
      fits = fits && (more > 0 || !required);
      points += more;
    }
    if (fits && points > 0) ranked.emplace_back(points, tool);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<SharedTool> found;
  for (auto& [points, tool] : ranked) found.push_back(std::move(tool));
  return found;
}

class ToolSearchTool final : public TypedTool<tools::ToolSearchInput> {
 public:
  explicit ToolSearchTool(std::function<std::vector<SharedTool>()> deferred)
      : deferred_(std::move(deferred)) {}

  std::string_view name() const override { return "ToolSearch"; }
  std::string description() const override {
    std::string text =
        "Finds tools whose descriptions are not shown to you yet. Ask for some by name with "
        "\"select:name,name\", or with words that describe what you need; a word with + in front "
        "must occur. What is found can be called from then on. These tools can be found:";
    const std::vector<SharedTool> tools = deferred_();
    for (std::size_t i = 0; i < std::min(tools.size(), kMostNamed); ++i) {
      text += "\n" + std::string(tools[i]->name());
    }
    if (tools.size() > kMostNamed) {
      text += "\nand " + std::to_string(tools.size() - kMostNamed) + " more";
    }
    return text;
  }
  Json input_schema() const override {
    return schema::object(
        {{"query", schema::string("\"select:\" and names, or words"), true},
         {"max_results", schema::integer("At most this many; usually 5"), false}});
  }
  bool concurrent(const RawJson& /*input*/) const override { return true; }

 protected:
  ToolOutput perform(const tools::ToolSearchInput& input, const ToolCall& /*call*/) const override {
    const std::vector<SharedTool> tools = deferred_();
    const std::string_view query = trimmed(input.query);
    const bool by_name = query.starts_with(kSelect);
    std::vector<SharedTool> found =
        by_name ? selected(tools, query.substr(kSelect.size())) : searched(tools, query);
    const auto most = static_cast<std::size_t>(
        std::clamp<std::int64_t>(input.max_results.value_or(kUsualResults), 1, kMostResults));
    if (!by_name && found.size() > most) found.resize(most);
    Json matches = Json::array();
    std::vector<ContentBlock> blocks;
    for (const SharedTool& tool : found) {
      matches.push(tool->name());
      ToolReferenceBlock block;
      block.tool_name = std::string(tool->name());
      blocks.emplace_back(std::move(block));
    }
    const Json result =
        Json::object({{"matches", std::move(matches)},
                      {"query", input.query},
                      {"total_deferred_tools", static_cast<std::int64_t>(tools.size())}});
    ToolOutput output = ToolOutput::success("No tool fits. Try other words.", result);
    if (!blocks.empty()) output.content = std::move(blocks);
    return output;
  }

 private:
  const std::function<std::vector<SharedTool>()> deferred_;
};

}  // namespace

SharedTool make_tool_search(std::function<std::vector<SharedTool>()> deferred) {
  return std::make_shared<ToolSearchTool>(std::move(deferred));
}

}  // namespace parley::agent
