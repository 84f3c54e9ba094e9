#include "history/listing/listing.hpp"

#include <algorithm>
#include <unordered_map>

#include "history/listing/project_names.hpp"
#include "history/scan/parallel.hpp"

namespace parley::history {
namespace {

/// One transcript that may be listed.
struct Candidate {
  const ProjectSessions* project;
  const ProjectSessions::Entry* entry;

  [[nodiscard]] SessionPlace place() const {
    return {project->place.root, project->place.project, entry->session_id};
  }
};

/// The project folder that a thread works in: neighbours in the list share it, so that each is
/// opened once or twice, and never all of them at a time.
class OpenProject {
 public:
  const Result<Folder>& of(const ProjectSessions& project) {
    if (project_ != &project) {
      folder_ = open_project({project.place.root, project.place.project, {}});
      project_ = &project;
    }
    return folder_;
  }

 private:
  const ProjectSessions* project_ = nullptr;
  Result<Folder> folder_ = Error();
};

bool comes_first(const SessionInfo& a, const SessionInfo& b) {
  if (a.lastModified != b.lastModified) return a.lastModified > b.lastModified;
  return a.sessionId > b.sessionId;
}

/// What a list of one working folder makes of a session: no value if it is another folder's.
std::optional<SessionInfo> settled(std::optional<SessionInfo> info,
                                   const std::string& working_folder,
                                   const std::vector<std::string>& own) {
  if (!info || working_folder.empty()) return info;
  if (!info->cwd) {
    info->cwd = working_folder;
  } else if (is_of_another_folder(*info->cwd, working_folder, own)) {
    return std::nullopt;
  }
  return info;
}

}  // namespace

Listing list_sessions(const ListOptions& options) {
  Listing listing;
  const std::vector<std::string> own = options.scope.working_folders();
  const std::vector<ProjectSessions> projects = find_sessions(options.scope, listing.report);
  std::vector<Candidate> candidates;
  for (const ProjectSessions& project : projects) {
    for (const auto& entry : project.entries) candidates.push_back({&project, &entry});
  }
  std::vector<std::optional<SessionInfo>> infos(candidates.size());
  std::vector<Report> reports(worker_count(candidates.size()));
  std::vector<OpenProject> folders(reports.size());
  for_each_index(candidates.size(), options.stop, [&](std::size_t i, std::size_t worker) {
    const Candidate& candidate = candidates[i];
    const auto& folder = folders[worker].of(*candidate.project);
    auto info = folder ? read_session_info(*folder, candidate.place(), candidate.entry->has_folder)
                       : Result<std::optional<SessionInfo>>(folder.error());
    if (info) {
      infos[i] = settled(std::move(*info), candidate.project->place.working_folder, own);
    } else {
      reports[worker].skip(candidate.place().path(), info.error().message());
    }
  });
  for (Report& report : reports) listing.report.merge(std::move(report));

  std::vector<SessionInfo>& sessions = listing.sessions;
  for (auto& info : infos) {
    if (info && (options.include_programmatic || !info->programmatic)) {
      sessions.push_back(std::move(*info));
    }
  }
  std::sort(sessions.begin(), sessions.end(), comes_first);
  std::unordered_map<std::string, bool> seen;
  std::erase_if(sessions, [&](const SessionInfo& info) {
    return !seen.emplace(info.sessionId, true).second;
  });
  sessions.erase(sessions.begin(), sessions.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                          options.offset, sessions.size())));
  if (options.limit != 0 && sessions.size() > options.limit) sessions.resize(options.limit);
  return listing;
}

Result<SessionInfo> session_info(const Scope& scope, std::string_view id) {
  auto place = find_session(scope, id);
  if (!place) return place.error();
  auto project = open_project(*place);
  if (!project) return project.error();
  auto info = read_session_info(*project, *place);
  if (!info) return info.error();
  if (!info->has_value()) {
    return Error(ErrorCode::not_found, "the transcript holds no conversation", place->path());
  }
  return std::move(**info);
}

}  // namespace parley::history
