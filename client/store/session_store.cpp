#include "client/store/session_store.hpp"

namespace parley {

std::optional<SessionKey> SessionKey::of_file(std::string_view path) {
  constexpr std::string_view kFolder = "/projects/", kSuffix = ".jsonl";
  const auto folder = path.rfind(kFolder);
  if (folder == std::string_view::npos || !path.ends_with(kSuffix)) return std::nullopt;
  path.remove_suffix(kSuffix.size());
  path.remove_prefix(folder + kFolder.size());
  const auto session = path.find('/');
  if (session == std::string_view::npos) return std::nullopt;
  SessionKey key;
  key.project = path.substr(0, session);
  path.remove_prefix(session + 1);
  const auto rest = path.find('/');
  key.session_id = path.substr(0, rest);
  if (rest != std::string_view::npos) key.subpath = path.substr(rest + 1);
  if (key.project.empty() || key.session_id.empty()) return std::nullopt;
  return key;
}

Result<std::vector<std::string>> SessionStore::subpaths(const SessionKey& /*session*/) {
  return std::vector<std::string>{};
}

Result<void> MemorySessionStore::append(const SessionKey& key,
                                        const std::vector<RawJson>& entries) {
  const std::lock_guard lock(mutex_);
  auto& transcript = transcripts_[key];
  transcript.insert(transcript.end(), entries.begin(), entries.end());
  return {};
}

Result<std::optional<std::vector<RawJson>>> MemorySessionStore::load(const SessionKey& key) {
  const std::lock_guard lock(mutex_);
  const auto found = transcripts_.find(key);
  if (found == transcripts_.end()) return std::optional<std::vector<RawJson>>();
  return std::optional(found->second);
}

Result<std::vector<std::string>> MemorySessionStore::subpaths(const SessionKey& session) {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> all;
  for (const auto& [key, transcript] : transcripts_) {
    const bool below = key.project == session.project && key.session_id == session.session_id;
    if (below && !key.subpath.empty()) all.push_back(key.subpath);
  }
  return all;
}

std::vector<SessionKey> MemorySessionStore::keys() const {
  const std::lock_guard lock(mutex_);
  std::vector<SessionKey> all;
  for (const auto& [key, transcript] : transcripts_) all.push_back(key);
  return all;
}

}  // namespace parley
