#include "agent/tools/files/edited_file.hpp"

namespace parley::agent {

namespace fs = std::filesystem;

Result<EditedFile> open_edited(const ToolCall& call, const std::string& path) {
  EditedFile file;
  file.path = call.state.absolute(path);
  std::error_code error;
  file.exists = fs::exists(fs::symlink_status(file.path, error));
  if (!file.exists) return file;
  Result<FileText> text = read_text(file.path, kMostEdited, call.stop);
  if (!text && text.error().code() == ErrorCode::too_large) {
    return Error(ErrorCode::too_large, "The file is too large to edit (more than " +
                                           size_text(kMostEdited) + "): " + path);
  }
  if (!text) return text.error();
  file.before = std::move(*text);
  if (const std::optional<KnownFile> known = call.state.known(file.path)) {
    file.known = known->in_context;
    const bool whole = known->in_context && !known->offset && !known->limit;
    // The same content under a new time, as a checkout leaves it, is no change.
    file.stale =
        known->modified != file.before.modified && !(whole && known->content == file.before.text);
  }
  return file;
}

Result<void> save_edited(const ToolCall& call, const EditedFile& file, const std::string& text,
                         const TextForm& form, bool knows_it) {
  if (Result<void> written = write_bytes(file.path, encode_text(text, form)); !written) {
    return written;
  }
  if (knows_it) {
    std::error_code error;
    call.state.note(file.path, {fs::last_write_time(file.path, error), text, {}, {}});
  }
  return {};
}

std::string context_note(const EditedFile& file) {
  if (!file.exists || file.current()) return kCurrentNote;
  if (!file.known) return {};
  return " (note: the file had been modified on disk since you last read it \u2014 the edit "
         "applied "
         "cleanly, but the file contains other changes not in your context. Read it before edits "
         "that depend on surrounding content.)";
}

std::string missing_file_text(const ToolCall& call) {
  return "File does not exist. Note: your current working directory is " +
         call.state.cwd().string() + ".";
}

}  // namespace parley::agent
