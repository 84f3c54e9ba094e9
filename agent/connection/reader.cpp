#include "agent/connection/reader.hpp"

#include <unistd.h>

#include <cerrno>

#include "wire/framing.hpp"
#include "wire/json/json.hpp"

namespace parley::agent {
namespace {

/// A prompt with pictures in it may be large; a line without an end must not fill the memory.
constexpr std::size_t kLongestLine = std::size_t{64} << 20;

}  // namespace

bool InputLines::fail(std::string text) {
  complaint_ = std::move(text);
  return false;
}

void InputLines::too_long(std::size_t longest) {
  complaint_ = "Error: a line of input is longer than " + std::to_string(longest >> 20) + " MB";
}

bool InputLines::take(std::string_view line) {
  const auto json = Json::parse(line);
  if (!json) {
    return fail("Error parsing streaming input line (type=unknown, " + std::to_string(line.size()) +
                " chars): SyntaxError");
  }
  const std::string_view type = (*json)["type"].as_string();
  if (type == "user") return take_prompt(*json, line);
  if (type == "control_request") return take_request(*json, line);
  if (type == "control_response") {
    if (const auto message = decode_message(line)) {
      handler_.on_response(std::get<ControlResponse>(*message));
    }
  } else if (type == "update_environment_variables") {
    InputHandler::Variables variables;
    for (const auto& [name, value] : (*json)["variables"].members()) {
      variables.emplace_back(name, value.as_string());
    }
    const Json& id = (*json)["request_id"];
    handler_.on_variables(
        variables, id.is_string() ? std::optional(std::string(id.as_string())) : std::nullopt);
  }
  // keep_alive, types of newer clients, what only the agent says: nothing to do.
  return true;
}

bool InputLines::take_prompt(const Json& json, std::string_view line) {
  const Json& role = json["message"]["role"];
  if (role.as_string() != "user") {
    return fail("Error: Expected message role 'user', got '" +
                std::string(role.as_string("undefined")) + "'");
  }
  auto message = decode_message(line);
  if (!message) {
    return fail("Error parsing streaming input line (type=user, " + std::to_string(line.size()) +
                " chars): " + message.error().what());
  }
  handler_.on_prompt(std::get<UserMessage>(*std::move(message)));
  return true;
}

bool InputLines::take_request(const Json& json, std::string_view line) {
  if (!json["request"].is_object()) return fail("Error: Missing request on control_request");
  const auto message = decode_message(line);
  if (message) return handler_.on_request(std::get<ControlRequest>(*message));
  handler_.on_bad_request(
      std::string(json["request_id"].as_string()),
      std::string(json["request"]["subtype"].as_string("request")) + ": " + message.error().what());
  return true;
}

std::optional<std::string> read_stdin(InputHandler& handler,
                                      const std::function<void()>& after_line) {
  LineFramer framer(kLongestLine);
  InputLines lines(handler);
  std::string buffer(64 * 1024, '\0');
  const auto drain = [&] {
    while (const auto frame = framer.next()) {
      if (frame->kind == Frame::Kind::too_long) {
        lines.too_long(kLongestLine);
        return false;
      }
      if (!lines.take(frame->text)) return false;
      after_line();
    }
    return true;
  };
  for (;;) {
    const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    framer.push(std::string_view(buffer).substr(0, static_cast<std::size_t>(count)));
    if (!drain()) return lines.complaint();
  }
  framer.finish();
  drain();
  return lines.complaint();
}

}  // namespace parley::agent
