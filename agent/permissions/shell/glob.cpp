#include "agent/permissions/shell/glob.hpp"

#include <algorithm>
#include <string>
#include <system_error>

namespace parley::agent::shell {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxMatches = 2000;
/// Each level of patterns multiplies the folders that must be read.
constexpr int kMaxLevels = 2;

/// One part of a path: characters, and wildcards that match any run of them. `?` and brackets count
/// as wildcards, too: what they match depends on the locale, and matching more is no harm.
struct Part {
  struct Item {
    bool wildcard = false;
    char character = 0;
  };
  std::vector<Item> items;
  bool pattern = false;

  [[nodiscard]] std::string text() const {
    std::string out;
    for (const auto& item : items) out += item.character;
    return out;
  }
};

Part read_part(std::string_view glob) {
  Part part;
  for (std::size_t i = 0; i < glob.size(); ++i) {
    if (glob[i] == '\\' && i + 1 < glob.size()) {
      part.items.push_back({false, glob[++i]});
    } else if (glob[i] == '*' || glob[i] == '?' || glob[i] == '[') {
      part.items.push_back({true, glob[i]});
      part.pattern = true;
      if (glob[i] == '[') break;  // Where the bracket ends is left open: anything may follow.
    } else {
      part.items.push_back({false, glob[i]});
    }
  }
  return part;
}

bool matches(const Part& part, std::string_view name) {
  // A leading dot is matched by a dot only.
  if (name.starts_with('.') && !part.items.empty() && part.items.front().wildcard) return false;
  std::size_t item = 0, at = 0, retry_item = std::string::npos, retry_at = 0;
  const auto& items = part.items;
  while (at < name.size()) {
    if (item < items.size() && items[item].wildcard) {
      retry_item = ++item;
      retry_at = at;
    } else if (item < items.size() && items[item].character == name[at]) {
      ++item;
      ++at;
    } else if (retry_item != std::string::npos) {
      item = retry_item;
      at = ++retry_at;
    } else {
      return false;
    }
  }
  return std::all_of(items.begin() + static_cast<std::ptrdiff_t>(item), items.end(),
                     [](const Part::Item& each) { return each.wildcard; });
}

std::vector<Part> read_parts(std::string_view glob) {
  std::vector<Part> parts;
  while (!glob.empty()) {
    const auto slash = glob.find('/');
    if (slash != 0) parts.push_back(read_part(glob.substr(0, slash)));
    glob.remove_prefix(slash == std::string_view::npos ? glob.size() : slash + 1);
  }
  return parts;
}

/// The names in a folder that the part may match; none if there is no such folder.
std::optional<std::vector<std::string>> names_in(const fs::path& folder, const Part& part) {
  std::vector<std::string> out;
  // Older shells let `.*` match these two.
  for (const auto* dots : {".", ".."}) {
    if (matches(part, dots)) out.emplace_back(dots);
  }
  std::error_code error;
  if (!fs::is_directory(folder, error)) return out;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    auto name = entry->path().filename().string();
    if (matches(part, name)) out.push_back(std::move(name));
    if (out.size() > kMaxMatches) return std::nullopt;
  }
  if (error) return std::nullopt;
  return out;
}

}  // namespace

std::optional<GlobMatches> possible_matches(const fs::path& folder, std::string_view glob) {
  GlobMatches out;
  out.paths = {glob.starts_with('/') ? fs::path("/") : folder};
  int levels = 0;
  for (const auto& part : read_parts(glob)) {
    if (!part.pattern) {
      for (auto& path : out.paths) path /= part.text();
      continue;
    }
    if (++levels > kMaxLevels) return std::nullopt;
    std::vector<fs::path> next;
    for (const auto& path : out.paths) {
      const auto names = names_in(path, part);
      if (!names || next.size() + names->size() > kMaxMatches) return std::nullopt;
      for (const auto& name : *names) next.push_back(path / name);
    }
    out.searched.insert(out.searched.end(), out.paths.begin(), out.paths.end());
    out.paths = std::move(next);
  }
  return out;
}

fs::path searched_folder(const fs::path& folder, std::string_view glob) {
  fs::path out = glob.starts_with('/') ? fs::path("/") : folder;
  for (const auto& part : read_parts(glob)) {
    if (part.pattern) break;
    out /= part.text();
  }
  return out;
}

bool may_match_option(const fs::path& folder, std::string_view glob) {
  if (glob.starts_with('/')) return false;
  const auto parts = read_parts(glob);
  if (parts.empty() || !parts[0].pattern || !parts[0].items.front().wildcard) return false;
  const auto names = names_in(folder, parts[0]);
  return !names || std::any_of(names->begin(), names->end(),
                               [](const std::string& name) { return name.starts_with('-'); });
}

}  // namespace parley::agent::shell
