#include "c/line.hpp"

#include "c/error.hpp"
#include "wire/json/reader.hpp"
#include "wire/messages/messages.hpp"

namespace parley::c {
namespace {

/// The member "type" of an object, which as a rule is its first, so that little of it is read.
std::string type_of(std::string_view object) {
  JsonReader reader(object);
  std::string key, type;
  std::string_view ignored;
  if (!reader.eat('{')) return {};
  do {
    if (!reader.string(key) || !reader.eat(':')) return {};
    if (key == "type" && reader.string(type)) return as_text(type);
    if (!reader.skip(ignored)) return {};
  } while (reader.eat(','));
  return {};
}

}  // namespace

parley_line to_line(const ReceivedLine& received) {
  parley_line line;
  if (received.error) {
    line.kind = PARLEY_LINE_BAD;
    line.json = as_text(received.text);
    line.problem = as_text(received.error->what());
    return line;
  }
  // What the library says in place of the agent has no line of its own.
  line.json = received.text.empty() ? encode_message(received.message) : std::string(received.text);
  line.type = type_of(line.json);
  if (const auto* request = std::get_if<ControlRequest>(&received.message)) {
    line.kind = PARLEY_LINE_REQUEST;
    line.request_id = request->request_id;
  } else if (const auto* gone = std::get_if<ControlCancelRequest>(&received.message)) {
    line.kind = PARLEY_LINE_CANCELLED;
    line.request_id = gone->request_id;
  } else if (std::holds_alternative<ControlResponse>(received.message)) {
    line.kind = PARLEY_LINE_INITIALIZED;
  } else {
    line.kind = PARLEY_LINE_MESSAGE;
  }
  return line;
}

}  // namespace parley::c

parley_kind parley_line_kind(const parley_line* line) {
  return line == nullptr ? PARLEY_LINE_NONE : line->kind;
}
const char* parley_line_json(const parley_line* line) {
  return line == nullptr ? "" : line->json.c_str();
}
const char* parley_line_type(const parley_line* line) {
  return line == nullptr ? "" : line->type.c_str();
}
const char* parley_line_request_id(const parley_line* line) {
  return line == nullptr ? "" : line->request_id.c_str();
}
const char* parley_line_problem(const parley_line* line) {
  return line == nullptr ? "" : line->problem.c_str();
}
void parley_line_free(parley_line* line) { delete line; }
