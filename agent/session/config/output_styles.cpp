#include "agent/session/config/output_styles.hpp"

#include <algorithm>
#include <sstream>

#include "agent/session/config/debug_log.hpp"
#include "agent/session/config/text_file.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;

/// The styles of a folder: `name` of the head of a file, or its file name, and what follows.
void add_styles(const fs::path& folder, std::vector<OutputStyle>& styles) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() != ".md" || !is_plain_file(entry.path())) continue;
    OutputStyle style{entry.path().stem().string(), read_text_file(entry.path())};
    constexpr std::string_view kFence = "---\n";
    const std::size_t end = style.text.find("\n---\n");
    if (style.text.starts_with(kFence) && end != std::string::npos) {
      std::istringstream head(style.text.substr(kFence.size(), end + 1 - kFence.size()));
      for (std::string line; std::getline(head, line);) {
        if (line.starts_with("name: ")) style.name = line.substr(6);
      }
      style.text.erase(0, end + 5);
    }
    std::erase_if(styles, [&](const OutputStyle& other) { return other.name == style.name; });
    styles.push_back(std::move(style));
  }
}

std::vector<OutputStyle> read_output_styles(const Settings::Sources& sources) {
  std::vector<OutputStyle> styles;
  if (sources.user) add_styles(sources.config_folder / "output-styles", styles);
  if (sources.project) add_styles(sources.start_folder / ".claude" / "output-styles", styles);
  std::sort(styles.begin(), styles.end(),
            [](const OutputStyle& a, const OutputStyle& b) { return a.name < b.name; });
  return styles;
}

}  // namespace

OutputStyle find_output_style(const Settings::Sources& sources, const std::string& wanted) {
  if (wanted == "default") return {};
  for (OutputStyle& style : read_output_styles(sources)) {
    if (style.name == wanted) return std::move(style);
  }
  complain("Settings: there is no output style " + wanted);
  return {};
}

std::vector<std::string> output_style_names(const Settings::Sources& sources) {
  std::vector<std::string> names{"default"};
  for (const OutputStyle& style : read_output_styles(sources)) names.push_back(style.name);
  return names;
}

}  // namespace parley::agent
