#include "history/conversation/stored_results.hpp"

#include <algorithm>

namespace parley::history {
namespace {

constexpr std::string_view kFolder = "tool-results", kExtension = ".txt";

Result<Folder> open_results(const SessionPlace& place) {
  auto project = open_project(place);
  if (!project) return project.error();
  auto own = project->folder(place.session_id);
  if (!own) return own.error();
  return own->folder(kFolder);
}

}  // namespace

Result<std::vector<std::string>> list_stored_results(const SessionPlace& place) {
  std::vector<std::string> ids;
  auto folder = open_results(place);
  if (!folder) {
    if (folder.error().code() == ErrorCode::not_found) return ids;
    return folder.error();
  }
  auto entries = folder->entries();
  if (!entries) return entries.error();
  for (const FolderEntry& entry : *entries) {
    if (entry.kind != EntryKind::file || !entry.name.ends_with(kExtension)) continue;
    ids.push_back(entry.name.substr(0, entry.name.size() - kExtension.size()));
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

Result<std::string> read_stored_result(const SessionPlace& place, std::string_view id,
                                       std::size_t limit) {
  auto folder = open_results(place);
  if (!folder) return folder.error();
  auto text = folder->small_file(std::string(id) + std::string(kExtension), limit);
  if (!text) return text.error();
  if (!text->has_value()) {
    return Error(ErrorCode::not_found, "no stored result " + std::string(id), folder->path());
  }
  return std::move(**text);
}

Result<std::string> store_result(const SessionPlace& place, std::string_view id,
                                 std::string_view text) {
  auto folder = open_project(place);
  for (const std::string_view name : {std::string_view(place.session_id), kFolder}) {
    if (folder) folder = folder->make_folder(name);
  }
  if (!folder) return folder.error();
  const std::string name = std::string(id) + std::string(kExtension);
  if (auto stored = folder->replace_file(name, text); !stored) return stored.error();
  return folder->path() + "/" + name;
}

}  // namespace parley::history
