#include "history/appender.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "history/object_scan.hpp"
#include "wire/ids.hpp"

namespace parley::history {
namespace {

constexpr int kAppend = O_RDWR | O_APPEND;

bool is_one_object(std::string_view text) {
  if (text.find('\n') != std::string_view::npos) return false;
  JsonReader reader(text);
  return each_member(reader, [&](std::string_view) { return skip_value(reader); }) &&
         reader.at_end();
}

/// Writes all of `text`. After a short write (a full disk) what is missing is tried once more, so
/// that the error is the system's.
Result<void> write_all(const File& file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file.descriptor(), text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return system_error(errno, "cannot write", file.path());
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

/// Whether the last line lacks its newline: its writer was killed.
Result<bool> ends_within_line(const File& file) {
  auto state = file.state();
  if (!state) return state.error();
  if (state->size == 0) return false;
  auto last = file.read_at(state->size - 1, 1);
  if (!last) return last.error();
  return *last != "\n";
}

Result<void> write_line(const File& file, std::string_view object) {
  if (!is_one_object(object)) {
    return Error(ErrorCode::kInvalid, "a line of a transcript must be one JSON object",
                 file.path());
  }
  auto torn = ends_within_line(file);
  if (!torn) return torn.error();
  std::string line;
  line.reserve(object.size() + 2);
  if (*torn) line += '\n';
  line += object;
  line += '\n';
  return write_all(file, line);
}

}  // namespace

Result<Appender> Appender::open(const SessionPlace& place, Durability durability) {
  if (!is_session_id(place.session_id)) {
    return Error(ErrorCode::kInvalid, "a session id is a UUID", place.session_id);
  }
  auto root = Folder::open(place.root);
  if (!root) return root.error();
  auto projects = root->make_folder("projects");
  if (!projects) return projects.error();
  auto project = projects->make_folder(place.project);
  if (!project) return project.error();
  auto file = project->file(place.file_name(), kAppend | O_CREAT);
  if (!file) return file.error();
  if (::flock(file->descriptor(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return system_error(errno, "cannot lock", file->path());
    return Error(ErrorCode::kClosed, "another process is writing this session", file->path());
  }
  ::fsync(project->descriptor());  // the name of a new file must survive as well
  return Appender(std::move(*file), place, durability);
}

Result<void> Appender::append(std::string_view object) {
  auto written = write_line(file_, object);
  if (!written || durability_ != Durability::kEachLine) return written;
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
  auto file = project->file(place.file_name(), kAppend);
  if (!file) return file.error();
  return write_line(*file, object);
}

}  // namespace parley::history
