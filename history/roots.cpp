#include "history/roots.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "wire/ids.hpp"

namespace parley::history {
namespace {

constexpr std::string_view kExtension = ".jsonl";
constexpr std::size_t kShortestPrefix = 4;

std::string joined(const std::string& folder, std::string_view name) {
  return folder + (folder.ends_with('/') ? "" : "/") + std::string(name);
}

/// The folder names that a working folder may have: as given and with its links resolved.
std::vector<std::string> names_of(const std::string& working_folder) {
  std::vector<std::string> names = {project_folder_name(working_folder)};
  std::error_code ignored;
  const auto real = std::filesystem::weakly_canonical(working_folder, ignored);
  if (!ignored) {
    std::string name = project_folder_name(real.string());
    if (name != names.front()) names.push_back(std::move(name));
  }
  return names;
}

constexpr const char* kIsLink = "it is a symbolic link, which is not followed";

}  // namespace

std::vector<std::string> default_roots(const std::function<const char*(const char*)>& environment) {
  const char* folder = environment("CLAUDE_CONFIG_DIR");
  if (folder != nullptr && *folder != '\0') return {folder};
  const char* home = environment("HOME");
  if (home != nullptr && *home != '\0') return {joined(home, ".claude")};
  return {};
}

std::string SessionPlace::path() const {
  return joined(joined(joined(root, "projects"), project), file_name());
}

Result<Folder> open_projects(const std::string& root) {
  return Folder::open(joined(root, "projects"));
}

Result<Folder> open_project(const SessionPlace& place) {
  auto projects = open_projects(place.root);
  if (!projects) return projects.error();
  return projects->folder(place.project);
}

Result<File> open_transcript(const SessionPlace& place) {
  auto project = open_project(place);
  if (!project) return project.error();
  return project->file(place.file_name());
}

std::string ProjectPlace::path() const { return joined(joined(root, "projects"), project); }

std::vector<ProjectPlace> find_projects(const Scope& scope, Report& report) {
  std::vector<ProjectPlace> found;
  std::vector<std::string> wanted;
  if (!scope.working_folder.empty()) wanted = names_of(scope.working_folder);
  for (const std::string& root : scope.roots) {
    auto projects = open_projects(root);
    auto entries =
        projects ? projects->entries() : Result<std::vector<FolderEntry>>(projects.error());
    if (!entries) {
      if (entries.error().code() != ErrorCode::kNotFound) {
        report.skip(joined(root, "projects"), entries.error().message());
      }
      continue;
    }
    for (const FolderEntry& entry : *entries) {
      if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), entry.name) == wanted.end()) {
        continue;
      }
      if (entry.kind == EntryKind::kFolder) {
        found.push_back({root, entry.name});
      } else if (entry.kind == EntryKind::kLink) {
        report.skip(joined(projects->path(), entry.name), kIsLink);
      }
    }
  }
  return found;
}

std::vector<SessionPlace> find_sessions(const Scope& scope, Report& report) {
  std::vector<SessionPlace> found;
  for (const ProjectPlace& place : find_projects(scope, report)) {
    auto folder = open_project({place.root, place.project, {}});
    auto entries = folder ? folder->entries() : Result<std::vector<FolderEntry>>(folder.error());
    if (!entries) {
      report.skip(place.path(), entries.error().message());
      continue;
    }
    for (const FolderEntry& entry : *entries) {
      if (!entry.name.ends_with(kExtension)) continue;
      std::string id = entry.name.substr(0, entry.name.size() - kExtension.size());
      if (!is_session_id(id)) continue;
      if (entry.kind == EntryKind::kFile) {
        found.push_back({place.root, place.project, std::move(id)});
      } else {
        report.skip(joined(place.path(), entry.name),
                    entry.kind == EntryKind::kLink ? kIsLink : "not a regular file");
      }
    }
  }
  return found;
}

Result<SessionPlace> find_session(const Scope& scope, std::string_view id) {
  if (!is_session_id(id) && id.size() < kShortestPrefix) {
    return Error(ErrorCode::kInvalid,
                 "a session id, or at least its first " + std::to_string(kShortestPrefix) +
                     " characters, is needed",
                 std::string(id));
  }
  Report unread;
  std::map<std::string, SessionPlace> matches;
  std::map<std::string, std::int64_t> modified;
  for (SessionPlace& place : find_sessions(scope, unread)) {
    if (!place.session_id.starts_with(id)) continue;
    auto file = open_transcript(place);
    if (!file) continue;
    auto state = file->state();
    if (!state || state->size == 0) continue;
    const auto seen = modified.find(place.session_id);
    if (seen != modified.end() && seen->second >= state->modified_ms) continue;
    modified[place.session_id] = state->modified_ms;
    matches[place.session_id] = std::move(place);
  }
  if (matches.empty()) {
    return Error(ErrorCode::kNotFound,
                 scope.working_folder.empty()
                     ? "no session with this id"
                     : "no session with this id in the project " + scope.working_folder,
                 std::string(id));
  }
  if (matches.size() > 1) {
    std::string ids;
    for (const auto& [match, place] : matches) ids += (ids.empty() ? "" : ", ") + match;
    return Error(ErrorCode::kInvalid, "several sessions begin like this: " + ids, std::string(id));
  }
  return std::move(matches.begin()->second);
}

}  // namespace parley::history
