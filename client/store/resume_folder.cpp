#include "client/store/resume_folder.hpp"

#include <unistd.h>

#include <fstream>

#include "support/files/io.hpp"
#include "wire/ids.hpp"
#include "wire/json/json.hpp"

namespace parley::detail {
namespace {

namespace fs = std::filesystem;

Error io_error(const std::string& what, const fs::path& path) {
  return {ErrorCode::io, what + " " + path.string()};
}

Result<void> write_private(const fs::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  std::error_code ignored;
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write, ignored);
  stream << text;
  stream.close();
  if (!stream) return io_error("cannot write", file);
  return {};
}

/// Credentials that can be used but not renewed: whoever renews them invalidates the originals.
std::string without_refresh_token(const std::string& credentials) {
  auto json = Json::parse(credentials);
  if (!json || !json->is_object()) return credentials;
  for (auto& [name, value] : json->members()) {
    if (value.is_object()) value.erase("refreshToken");
  }
  return json->dump();
}

}  // namespace

Result<std::unique_ptr<ResumeFolder>> ResumeFolder::make(SessionStore& store,
                                                         const SessionKey& session,
                                                         const Getenv& getenv) {
  const auto transcript = store.load(session);
  if (!transcript) return transcript.error();
  if (!*transcript) {
    return Error(
        ErrorCode::not_found,
        "the session store has no session " + session.session_id + " of project " + session.project,
        "resume");
  }
  const auto subpaths = store.subpaths(session);
  if (!subpaths) return subpaths.error();

  auto place = TemporaryFolder::make("parley-resume-");
  if (!place) return io_error("cannot make a folder", "parley-resume");
  std::unique_ptr<ResumeFolder> folder(new ResumeFolder(*std::move(place)));
  if (auto done = folder->copy_configuration(getenv); !done) return done.error();
  if (auto done = folder->write(session, **transcript); !done) return done.error();
  for (const std::string& subpath : *subpaths) {
    SessionKey key = session;
    key.subpath = subpath;
    const auto entries = store.load(key);
    if (!entries) return entries.error();
    if (!*entries) continue;
    if (auto done = folder->write(key, **entries); !done) return done.error();
  }
  return folder;
}

Result<void> ResumeFolder::give_to(const ProcessUser& user) const {
  // lchown: a link to somebody's settings is given away, never the settings.
  std::error_code failed;
  bool given = ::lchown(path().c_str(), user.uid, user.gid) == 0;
  for (const auto& entry : fs::recursive_directory_iterator(path(), failed)) {
    given = given && ::lchown(entry.path().c_str(), user.uid, user.gid) == 0;
  }
  if (failed || !given) return io_error("cannot give the user " + user.name, path());
  return {};
}

Result<void> ResumeFolder::copy_configuration(const Getenv& getenv) const {
  const auto given = getenv("CLAUDE_CONFIG_DIR");
  const auto home = getenv("HOME");
  if (!given && !home) return {};
  const fs::path original = given ? fs::path(*given) : fs::path(*home) / ".claude";
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(original, failed)) {
    const auto name = entry.path().filename();
    if (name == "projects") continue;
    if (name == ".credentials.json") {
      const auto text = without_refresh_token(read_file(entry.path()).value_or(""));
      if (auto done = write_private(path() / name, text); !done) return done;
      continue;
    }
    fs::create_symlink(fs::absolute(entry.path(), failed), path() / name, failed);
    if (failed) return io_error("cannot link", entry.path());
  }
  // Without CLAUDE_CONFIG_DIR this one lies beside the folder. A copy: the CLI replaces it.
  const fs::path state = given ? original / ".claude.json" : fs::path(*home) / ".claude.json";
  if (!fs::exists(state, failed)) return {};
  fs::remove(path() / ".claude.json", failed);
  return write_private(path() / ".claude.json", read_file(state).value_or(""));
}

Result<void> ResumeFolder::write(const SessionKey& key, const std::vector<RawJson>& entries) const {
  const fs::path relative =
      fs::path("projects") / key.project /
      (key.subpath.empty() ? key.session_id : key.session_id + "/" + key.subpath);
  // A store may hold anything; it must not make us write elsewhere.
  for (const fs::path& part : relative) {
    if (part == "..") return Error(ErrorCode::invalid, "the session store names a path with ..");
  }
  fs::path file = path() / relative;
  file += ".jsonl";
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  if (failed) return io_error("cannot make", file.parent_path());
  std::string text;
  for (const RawJson& entry : entries) text += entry.text + "\n";
  return write_private(file, text);
}

std::string project_of(const fs::path& working_folder) {
  std::error_code failed;
  const fs::path here = working_folder.empty() ? fs::current_path(failed) : working_folder;
  const fs::path real = fs::canonical(here, failed);
  return project_folder_name((failed ? here : real).string());
}

}  // namespace parley::detail
