#include "server/sessions/folders.hpp"

#include <algorithm>

namespace parley::server {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostFolders = 2000;

Error outside(const std::string& path) {
  return {ErrorCode::permission, "is no folder within the roots of this server", path};
}

}  // namespace

Result<Folders> Folders::make(const std::vector<fs::path>& roots) {
  Folders folders;
  for (const fs::path& root : roots) {
    std::error_code error;
    const fs::path resolved = fs::canonical(root, error);
    if (error) return Error(ErrorCode::not_found, error.message(), root.string());
    if (!fs::is_directory(resolved, error)) {
      return Error(ErrorCode::invalid, "is no folder", root.string());
    }
    folders.roots_.push_back(resolved.string());
  }
  return folders;
}

bool Folders::contains(const std::string& path) const {
  return std::any_of(roots_.begin(), roots_.end(), [&](const std::string& root) {
    if (root == "/") return path.starts_with('/');
    return path == root || (path.starts_with(root) && path[root.size()] == '/');
  });
}

Result<std::string> Folders::resolve(const std::string& path) const {
  if (path.empty() || path.front() != '/' || path.find('\0') != std::string::npos) {
    return Error(ErrorCode::invalid, "must be an absolute path", "cwd");
  }
  std::error_code error;
  const std::string resolved = fs::canonical(path, error).string();
  if (error || !contains(resolved) || !fs::is_directory(resolved, error)) return outside(path);
  return resolved;
}

Result<FolderPage> Folders::list(const std::string& path) const {
  auto resolved = resolve(path);
  if (!resolved) return resolved.error();
  FolderPage page;
  page.path = *resolved;
  const std::string parent = fs::path(*resolved).parent_path().string();
  if (parent != page.path && contains(parent)) page.parent = parent;
  std::error_code error;
  for (const auto& entry :
       fs::directory_iterator(*resolved, fs::directory_options::skip_permission_denied, error)) {
    const std::string name = entry.path().filename().string();
    std::error_code ignored;
    if (name.starts_with('.') || !entry.is_directory(ignored)) continue;
    page.folders.push_back(name);
    if (page.folders.size() == kMostFolders) break;
  }
  if (error) return Error(ErrorCode::io, error.message(), *resolved);
  std::sort(page.folders.begin(), page.folders.end());
  return page;
}

}  // namespace parley::server
