#include "apps/parley/run/edit.hpp"

#include "support/files/io.hpp"
#include "support/files/temporary.hpp"
#include "wire/json/json.hpp"

namespace parley::app {
Result<RawJson> edited(Keyboard& keyboard, const RawJson& input) {
  const auto before = input.json();
  // The name tells the editor what it is, and holds nothing that a shell would take for its own.
  const auto draft = TemporaryFile::make("parley-", ".json");
  if (!draft || !write_all(draft->fd(), (before ? before->dump(2) : input.text) + "\n")) {
    return Error(ErrorCode::io, "cannot write a temporary file");
  }
  if (keyboard.run("${VISUAL:-${EDITOR:-vi}} '" + draft->path() + "'") != 0) {
    return Error(ErrorCode::process, "the editor failed");
  }
  // Editors may put another file in its place.
  auto after = Json::parse(read_file(draft->path()).value_or(""));
  if (!after) return Error(ErrorCode::malformed, "that is no JSON: " + after.error().message());
  if (!after->is_object()) return Error(ErrorCode::malformed, "that is no JSON object");
  return RawJson(after->dump());
}

}  // namespace parley::app
