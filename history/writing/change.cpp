#include "history/writing/change.hpp"

#include <filesystem>
#include <memory>

#include "history/files/lines.hpp"
#include "history/writing/appender.hpp"
#include "support/random.hpp"
#include "support/text/javascript_text.hpp"
#include "support/time.hpp"
#include "wire/ids.hpp"
#include "wire/json/json.hpp"

namespace parley::history {
namespace {

/// Without characters that would spoil a list on a terminal.
std::string cleaned(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte == 0x7F ? ' ' : c;
  }
  return std::string(trimmed_unicode(out));
}

Result<Folder> folder_of_file(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path();
  return Folder::open(parent.empty() ? "." : parent.string());
}

/// The session that the lines of a transcript belong to.
std::string session_id_in(const File& file) {
  LineReader lines(file);
  Line line;
  while (lines.next(line)) {
    auto entry = Json::parse(line.text);
    if (entry && is_session_id((*entry)["sessionId"].as_string())) {
      return std::string((*entry)["sessionId"].as_string());
    }
  }
  return {};
}

/// Copies all lines that are JSON objects and counts them; they get the new session's id.
Result<void> copy_lines(const File& file, const std::string& old_id, Appender& appender,
                        ImportResult& result, const std::stop_token& stop) {
  const std::string& new_id = result.place.session_id;
  LineReader lines(file);
  Line line;
  while (lines.next(line)) {
    if (stop.stop_requested()) return Error(ErrorCode::cancelled, "stopped", file.path());
    auto entry = Json::parse(line.text);
    if (!entry || !entry->is_object()) {
      ++result.damaged_lines;
      continue;
    }
    const bool rewrite = new_id != old_id && entry->find("sessionId") != nullptr;
    if (rewrite) entry->set("sessionId", new_id);
    auto written =
        appender.append(rewrite ? entry->dump() : std::string(trimmed_unicode(line.text)));
    if (!written) return written;
    ++result.lines;
  }
  if (lines.blocks().error()) return *lines.blocks().error();
  result.damaged_lines += lines.blocks().oversized_lines();
  return appender.sync();
}

}  // namespace

Result<void> rename_session(const SessionPlace& place, std::string_view title) {
  const std::string text = cleaned(title);
  if (text.empty()) return Error(ErrorCode::invalid, "a title must not be empty", "title");
  return append_note(
      place, Json::object(
                 {{"type", "custom-title"}, {"customTitle", text}, {"sessionId", place.session_id}})
                 .dump());
}

Result<void> tag_session(const SessionPlace& place, std::optional<std::string_view> tag) {
  const std::string text = tag ? cleaned(*tag) : std::string();
  if (tag && text.empty()) {
    return Error(ErrorCode::invalid, "a tag must not be empty; give none to take it away", "tag");
  }
  return append_note(
      place,
      Json::object({{"type", "tag"}, {"tag", text}, {"sessionId", place.session_id}}).dump());
}

Result<void> archive_session(const SessionPlace& place, bool archived) {
  auto project = open_project(place);
  if (!project) return project.error();
  if (auto file = project->file(place.file_name()); !file) return file.error();
  auto own = project->make_folder(place.session_id);
  if (!own) return own.error();
  return own->replace_file(
      "archived.json",
      Json::object({{"archived", archived}, {"at", timestamp()}, {"by", "parley"}}).dump());
}

Result<void> delete_session(const SessionPlace& place) {
  auto project = open_project(place);
  if (!project) return project.error();
  auto file = project->file(place.file_name());
  if (!file) return file.error();
  auto locked = file->try_lock();
  if (!locked) return locked.error();
  if (!*locked) {
    return Error(ErrorCode::closed, "a program is writing this session; end it first",
                 file->path());
  }
  const auto own = project->folder(place.session_id);
  const bool has_folder = own.ok();
  if (!has_folder && own.error().code() != ErrorCode::not_found) return own.error();
  if (auto removed = project->remove_file(place.file_name()); !removed) return removed;
  return has_folder ? project->remove_tree(place.session_id) : Result<void>();
}

Result<ImportResult> import_session(const std::string& path, const std::string& root,
                                    const std::string& project, std::stop_token stop) {
  auto folder = folder_of_file(path);
  if (!folder) return folder.error();
  auto file = folder->file(std::filesystem::path(path).filename().string());
  if (!file) return file.error();
  const std::string old_id = session_id_in(*file);
  if (old_id.empty()) {
    return Error(ErrorCode::invalid, "no line of this file belongs to a session", path);
  }
  ImportResult result;
  result.place = {root, project, old_id};
  auto appender = Appender::open(result.place, {.existing = Existing::refused});
  if (!appender && appender.error().code() == ErrorCode::invalid) {  // taken
    result.place.session_id = make_uuid();
    appender = Appender::open(result.place, {.existing = Existing::refused});
  }
  if (!appender) return appender.error();
  if (auto copied = copy_lines(*file, old_id, *appender, result, stop); !copied) {
    appender = copied.error();  // gives the lock back
    (void)delete_session(result.place);
    return copied.error();
  }
  return result;
}

}  // namespace parley::history
