#include "c/prompt.hpp"

#include "c/values.hpp"
#include "wire/codec/decode.hpp"
#include "wire/messages/messages.hpp"

namespace parley::c {

static Result<void> read(JsonValue value, ContentBlock& out) {
  // Written anew, so that what the block keeps of it is one line.
  const auto done = decode_into(out, value.json.dump());
  if (done) return {};
  return Error(ErrorCode::invalid, done.error().message(), done.error().context());
}

static Result<void> read(JsonValue value, Prompt& out) {
  static constexpr std::array kMembers = {
      Member<Prompt>{"content",
                     [](JsonValue given, Prompt& prompt) -> Result<void> {
                       if (!given.json.is_string()) return read(given, prompt.content);
                       prompt.add_text(std::string(given.json.as_string()));
                       return {};
                     }},
      member<&Prompt::uuid>("uuid"),
      member<&Prompt::priority>("priority"),
      member<&Prompt::query>("query"),
      member<&Prompt::verbatim>("verbatim"),
  };
  return read_members(value, kMembers, "member of a prompt", out);
}

Result<Prompt> read_prompt(std::string_view json) {
  const auto parsed = Json::parse(json);
  if (!parsed) return inside("prompt", parsed.error());
  Prompt prompt;
  const JsonValue value{*parsed};
  const auto done = parsed->is_array() ? read(value, prompt.content) : read(value, prompt);
  if (!done) return inside("prompt", done.error());
  return prompt;
}

}  // namespace parley::c
