#include "client/controls/files.hpp"

#include "client/session/typed_request.hpp"

namespace parley {

using detail::done;
using detail::part_of;
using detail::typed_request;

Result<control::ReadFileReply> FileControls::read(std::string path) {
  control::ReadFile body;
  body.path = std::move(path);
  return typed_request(*impl_, std::move(body));
}

Result<std::vector<control::FileSuggestion>> FileControls::suggest(std::string query) {
  control::FileSuggestions body;
  body.query = std::move(query);
  return part_of(typed_request(*impl_, std::move(body)),
                 &control::FileSuggestionsReply::suggestions);
}

Result<control::RewindFilesReply> FileControls::rewind(std::string user_message_uuid,
                                                       bool dry_run) {
  control::RewindFiles body;
  body.user_message_id = std::move(user_message_uuid);
  if (dry_run) body.dry_run = true;
  return typed_request(*impl_, std::move(body));
}

Result<void> FileControls::seed_read_state(std::string path, std::int64_t mtime_ms) {
  control::SeedReadState body;
  body.path = std::move(path);
  body.mtime = mtime_ms;
  return done(typed_request(*impl_, std::move(body)));
}

Result<void> FileControls::register_repo_root(std::string directory) {
  control::RegisterRepoRoot body;
  body.directory = std::move(directory);
  return done(typed_request(*impl_, std::move(body)));
}

}  // namespace parley
