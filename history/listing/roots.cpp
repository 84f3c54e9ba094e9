#include "history/listing/roots.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <unordered_set>

#include "history/listing/project_names.hpp"
#include "history/listing/session_info.hpp"
#include "history/listing/worktrees.hpp"
#include "wire/ids.hpp"

namespace parley::history {
namespace {

constexpr std::size_t kShortestPrefix = 4;

std::string joined(const std::string& folder, std::string_view name) {
  return folder + (folder.ends_with('/') ? "" : "/") + std::string(name);
}

constexpr const char* kIsLink = "it is a symbolic link, which is not followed";

/// Whether a session in the project says that it ran in this working folder.
bool holds_sessions_of(const std::string& root, const std::string& project,
                       const std::string& working_folder) {
  auto folder = open_project({root, project, {}});
  auto entries = folder ? folder->entries() : Result<std::vector<FolderEntry>>(folder.error());
  if (!entries) return false;
  const std::string name = uncut_project_name(working_folder);
  return std::any_of(entries->begin(), entries->end(), [&](const FolderEntry& entry) {
    if (entry.kind != EntryKind::file || !entry.name.ends_with(kTranscriptExtension)) return false;
    const auto cwd = read_working_folder(*folder, entry.name);
    return cwd && uncut_project_name(*cwd) == name;
  });
}

/// Which of the working folders a project belongs to.
const std::string* owner_of(const std::string& root, const std::string& project,
                            const std::vector<std::string>& working_folders) {
  for (const std::string& folder : working_folders) {
    const NameMatch match = match_project_name(project, folder);
    if (match == NameMatch::yes) return &folder;
    if (match == NameMatch::perhaps && holds_sessions_of(root, project, folder)) return &folder;
  }
  return nullptr;
}

ProjectSessions sessions_among(const ProjectPlace& place, const std::vector<FolderEntry>& entries,
                               Report& report) {
  ProjectSessions sessions{place, {}};
  std::unordered_set<std::string_view> others;
  for (const FolderEntry& entry : entries) {
    if (!entry.name.ends_with(kTranscriptExtension)) {
      others.insert(entry.name);
      continue;
    }
    std::string id = entry.name.substr(0, entry.name.size() - kTranscriptExtension.size());
    if (!is_session_id(id)) continue;
    if (entry.kind == EntryKind::file) {
      sessions.entries.push_back({std::move(id)});
    } else {
      report.skip(joined(place.path(), entry.name),
                  entry.kind == EntryKind::link ? kIsLink : "not a regular file");
    }
  }
  for (auto& entry : sessions.entries) entry.has_folder = others.contains(entry.session_id);
  return sessions;
}

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
  auto folder = Folder::open(root);
  if (!folder) return folder.error();
  return folder->folder("projects");
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

std::vector<std::string> Scope::working_folders() const {
  if (working_folder.empty()) return {};
  std::error_code failed;
  const auto real = std::filesystem::canonical(working_folder, failed);
  std::vector<std::string> folders = {failed ? working_folder : real.string()};
  if (!worktrees) return folders;
  for (std::string& tree : git_worktrees(folders.front())) {
    if (tree != folders.front()) folders.push_back(std::move(tree));
  }
  return folders;
}

std::vector<ProjectPlace> find_projects(const Scope& scope, Report& report) {
  std::vector<ProjectPlace> found;
  const std::vector<std::string> working_folders = scope.working_folders();
  for (const std::string& root : scope.roots) {
    auto projects = open_projects(root);
    auto entries =
        projects ? projects->entries() : Result<std::vector<FolderEntry>>(projects.error());
    if (!entries) {
      if (entries.error().code() != ErrorCode::not_found) {
        report.skip(joined(root, "projects"), entries.error().message());
      }
      continue;
    }
    for (const FolderEntry& entry : *entries) {
      if (entry.kind != EntryKind::folder && entry.kind != EntryKind::link) continue;
      const std::string* owner = nullptr;
      if (!working_folders.empty()) {
        owner = owner_of(root, entry.name, working_folders);
        if (owner == nullptr) continue;
      }
      if (entry.kind == EntryKind::folder) {
        found.push_back({root, entry.name, owner == nullptr ? std::string() : *owner});
      } else {
        report.skip(joined(projects->path(), entry.name), kIsLink);
      }
    }
  }
  return found;
}

std::vector<ProjectSessions> find_sessions(const Scope& scope, Report& report) {
  std::vector<ProjectSessions> found;
  for (const ProjectPlace& place : find_projects(scope, report)) {
    auto folder = open_project({place.root, place.project, {}});
    auto entries = folder ? folder->entries() : Result<std::vector<FolderEntry>>(folder.error());
    if (entries) {
      found.push_back(sessions_among(place, *entries, report));
    } else {
      report.skip(place.path(), entries.error().message());
    }
  }
  return found;
}

Result<SessionPlace> find_session(const Scope& scope, std::string_view id) {
  if (!is_session_id(id) && id.size() < kShortestPrefix) {
    return Error(ErrorCode::invalid,
                 "a session id, or at least its first " + std::to_string(kShortestPrefix) +
                     " characters, is needed",
                 std::string(id));
  }
  Report unread;
  std::map<std::string, SessionPlace> matches;
  std::map<std::string, std::int64_t> modified;
  for (const ProjectSessions& project : find_sessions(scope, unread)) {
    for (const ProjectSessions::Entry& entry : project.entries) {
      if (!entry.session_id.starts_with(id)) continue;
      const SessionPlace place{project.place.root, project.place.project, entry.session_id};
      auto file = open_transcript(place);
      auto state = file ? file->state() : Result<FileState>(file.error());
      if (!state || state->size == 0) continue;
      const auto seen = modified.find(place.session_id);
      if (seen != modified.end() && seen->second >= state->modified_ms) continue;
      modified[place.session_id] = state->modified_ms;
      matches[place.session_id] = place;
    }
  }
  if (matches.empty()) {
    return Error(ErrorCode::not_found,
                 scope.working_folder.empty()
                     ? "no session with this id"
                     : "no session with this id in the project " + scope.working_folder,
                 std::string(id));
  }
  if (matches.size() > 1) {
    std::string ids;
    for (const auto& [match, place] : matches) ids += (ids.empty() ? "" : ", ") + match;
    return Error(ErrorCode::invalid, "several sessions begin like this: " + ids, std::string(id));
  }
  return std::move(matches.begin()->second);
}

}  // namespace parley::history
