#include "history/writing/appender.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <vector>

#include "history/conversation/subagents.hpp"
#include "history/scan/object_scan.hpp"
#include "support/files/io.hpp"
#include "wire/ids.hpp"

namespace parley::history {
namespace {

bool is_one_object(std::string_view text) {
  if (text.find('\n') != std::string_view::npos) return false;
  JsonReader reader(text);
  return each_member(reader, [&](std::string_view) { return skip_value(reader); }) &&
         reader.at_end();
}

Result<void> write_line(const File& file, std::string_view object) {
  if (!is_one_object(object)) {
    return Error(ErrorCode::invalid, "a line of a transcript must be one JSON object", file.path());
  }
  auto state = file.state();
  if (!state) return state.error();
  if (state->deleted) {
    return Error(ErrorCode::not_found, "the transcript was deleted while it was written",
                 file.path());
  }
  std::string line;
  line.reserve(object.size() + 2);
  if (state->size > 0) {
    auto last = file.read_at(state->size - 1, 1);
    if (!last) return last.error();
    if (*last != "\n") line += '\n';  // its writer was killed within the line
  }
  line += object;
  line += '\n';
  // After a short write (a full disk) what is missing is tried once more, so that the error is the
  // system's.
  if (!write_all(file.descriptor(), line)) return system_error(errno, "cannot write", file.path());
  return {};
}

/// The folder that the transcript goes to, made if need be.
Result<Folder> make_folders(const SessionPlace& place, const AppenderOptions& options) {
  auto folder = Folder::open(place.root);
  std::vector<std::string> names = {"projects", place.project};
  if (!options.agent_id.empty()) {
    names.push_back(place.session_id);
    names.emplace_back("subagents");
  }
  for (const std::string& name : names) {
    if (folder) folder = folder->make_folder(name);
  }
  return folder;
}

/// Opens the file and locks it. No value if it was deleted in between: the caller tries again.
Result<std::optional<File>> open_locked(const Folder& folder, const std::string& name,
                                        Existing existing) {
  int flags = O_RDWR | O_APPEND;
  if (existing != Existing::required) flags |= O_CREAT;
  if (existing == Existing::refused) flags |= O_EXCL;
  auto file = folder.file(name, flags);
  if (!file) return file.error();
  auto locked = file->try_lock();
  if (!locked) return locked.error();
  if (!*locked) {
    return Error(ErrorCode::closed, "another program is writing this session", file->path());
  }
  auto state = file->state();
  if (!state) return state.error();
  if (state->deleted) return std::optional<File>();
  return std::optional<File>(std::move(*file));
}

}  // namespace

Result<Appender> Appender::open(const SessionPlace& place, const AppenderOptions& options) {
  if (!is_session_id(place.session_id)) {
    return Error(ErrorCode::invalid, "a session id is a UUID", place.session_id);
  }
  if (!options.agent_id.empty() && !is_subagent_id(options.agent_id)) {
    return Error(ErrorCode::invalid, "not the id of a subagent", options.agent_id);
  }
  auto folder = make_folders(place, options);
  if (!folder) return folder.error();
  const std::string name =
      options.agent_id.empty() ? place.file_name() : subagent_file_name(options.agent_id);
  for (;;) {
    auto file = open_locked(*folder, name, options.existing);
    if (!file) return file.error();
    if (!file->has_value()) continue;
    auto state = (*file)->state();
    // The name of a new file must survive as well.
    if (state && state->size == 0) ::fsync(folder->descriptor());
    return Appender(std::move(**file), place, options.durability);
  }
}

Result<void> Appender::append(std::string_view object) {
  auto written = write_line(file_, object);
  if (!written || durability_ != Durability::each_line) return written;
  return sync();
}

Result<void> Appender::sync() {
  if (::fdatasync(file_.descriptor()) != 0) {
    return system_error(errno, "cannot write to the disk", file_.path());
  }
  return {};
}

Result<void> append_note(const SessionPlace& place, std::string_view object) {
  auto project = open_project(place);
  if (!project) return project.error();
  auto file = project->file(place.file_name(), O_RDWR | O_APPEND);
  if (!file) return file.error();
  return write_line(*file, object);
}

}  // namespace parley::history
