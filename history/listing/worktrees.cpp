#include "history/listing/worktrees.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "history/files/file.hpp"
#include "support/text/javascript_text.hpp"

namespace parley::history {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBytes = 4096;  // each of these files holds one path
constexpr std::string_view kPointer = "gitdir:";

/// The one line that a file of git holds; no value if there is none.
std::optional<std::string> line_in(const Folder& folder, std::string_view name) {
  auto text = folder.small_file(name, kMostBytes);
  if (!text || !text->has_value()) return std::nullopt;
  const std::string_view line = trimmed_unicode(**text);
  if (line.empty()) return std::nullopt;
  return std::string(line);
}

fs::path resolved(const fs::path& base, const std::string& path) {
  return (base / path).lexically_normal();
}

bool is_repository(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder / "objects", ignored) && fs::exists(folder / "HEAD", ignored);
}

/// What a worktree's own folder of settings shares with the others: the repository itself.
fs::path common_folder(const fs::path& git_folder) {
  auto folder = Folder::open(git_folder.string());
  if (!folder) return git_folder;
  const auto shared = line_in(*folder, "commondir");
  return shared ? resolved(git_folder, *shared) : git_folder;
}

/// The repository that keeps the files of `folder`, which need not be its top.
std::optional<fs::path> repository_of(fs::path folder) {
  for (;; folder = folder.parent_path()) {
    std::error_code ignored;
    const fs::path git = folder / ".git";
    if (is_repository(git)) return git;
    if (fs::is_regular_file(git, ignored)) {
      auto opened = Folder::open(folder.string());
      const auto line = opened ? line_in(*opened, ".git") : std::nullopt;
      if (!line || !line->starts_with(kPointer)) return std::nullopt;
      const std::string target(trimmed_unicode(std::string_view(*line).substr(kPointer.size())));
      const fs::path common = common_folder(resolved(folder, target));
      return is_repository(common) ? std::optional(common) : std::nullopt;
    }
    if (is_repository(folder) && fs::is_directory(folder / "refs", ignored)) return folder;
    if (folder == folder.parent_path()) return std::nullopt;
  }
}

/// ".../tree/.git" belongs to ".../tree"; a bare repository stands for itself.
std::string tree_of(const fs::path& git) {
  std::string path = git.string();
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path.ends_with("/.git") ? path.substr(0, path.size() - 5) : path;
}

}  // namespace

std::vector<std::string> git_worktrees(const std::string& folder) {
  const auto repository = repository_of(folder);
  if (!repository) return {};
  std::vector<std::string> trees = {tree_of(*repository)};
  const fs::path linked = *repository / "worktrees";
  auto opened = Folder::open(linked.string());
  auto entries = opened ? opened->entries() : Result<std::vector<FolderEntry>>(opened.error());
  if (!entries) return trees;
  for (const FolderEntry& entry : *entries) {
    if (entry.kind != EntryKind::folder) continue;
    auto own = opened->folder(entry.name);
    const auto git = own ? line_in(*own, "gitdir") : std::nullopt;
    if (git) trees.push_back(tree_of(resolved(linked / entry.name, *git)));
  }
  std::sort(trees.begin() + 1, trees.end());
  return trees;
}

}  // namespace parley::history
