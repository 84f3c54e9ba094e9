#include "history/listing.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "history/parallel.hpp"

namespace parley::history {
namespace {

/// Project folders stay open for the whole listing: one open() per session saved.
class OpenProjects {
 public:
  explicit OpenProjects(const std::vector<SessionPlace>& places) {
    for (const SessionPlace& place : places) {
      const auto key = std::make_pair(place.root, place.project);
      if (!folders_.contains(key)) folders_.emplace(key, open_project(place));
    }
  }
  [[nodiscard]] const Result<Folder>& of(const SessionPlace& place) const {
    return folders_.find({place.root, place.project})->second;
  }

 private:
  std::map<std::pair<std::string, std::string>, Result<Folder>> folders_;
};

bool comes_first(const SessionInfo& a, const SessionInfo& b) {
  if (a.lastModified != b.lastModified) return a.lastModified > b.lastModified;
  return a.sessionId > b.sessionId;
}

}  // namespace

Listing list_sessions(const ListOptions& options) {
  Listing listing;
  const std::vector<SessionPlace> places = find_sessions(options.scope, listing.report);
  const OpenProjects projects(places);
  std::vector<std::optional<SessionInfo>> infos(places.size());
  std::vector<Report> reports(worker_count(places.size()));
  for_each_index(places.size(), options.stop, [&](std::size_t i, std::size_t worker) {
    const auto& project = projects.of(places[i]);
    auto info = project ? read_session_info(*project, places[i])
                        : Result<std::optional<SessionInfo>>(project.error());
    if (info) {
      infos[i] = std::move(*info);
    } else {
      reports[worker].skip(places[i].path(), info.error().message());
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
    return Error(ErrorCode::kNotFound, "the transcript holds no conversation", place->path());
  }
  return std::move(**info);
}

}  // namespace parley::history
