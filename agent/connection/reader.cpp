#include "agent/connection/reader.hpp"

#include <unistd.h>

#include <cerrno>

#include "agent/control/control.hpp"
#include "agent/uuid.hpp"
#include "wire/codec/codec.hpp"
#include "wire/framing.hpp"

namespace parley::agent {
namespace {

/// A prompt with pictures in it may be large; a line without an end must not fill the memory.
constexpr std::size_t kLongestLine = std::size_t{64} << 20;

class Lines {
 public:
  explicit Lines(Session& session) : session_(session) {}

  /// False: stop reading; `complaint` says why if that is an error.
  bool take(std::string_view line) {
    const auto json = Json::parse(line);
    if (!json) {
      return fail("Error parsing streaming input line (type=unknown, " +
                  std::to_string(line.size()) + " chars): SyntaxError");
    }
    const std::string_view type = (*json)["type"].as_string();
    if (type == "user") return take_prompt(*json, line);
    if (type == "control_request") return take_request(*json, line);
    if (type == "control_response") return take_answer(line);
    if (type == "update_environment_variables") return take_variables(*json);
    // keep_alive, types of newer clients, what only the agent says: nothing to do.
    return true;
  }

  std::optional<std::string> complaint;

 private:
  bool fail(std::string text) {
    complaint = std::move(text);
    return false;
  }

  bool take_prompt(const Json& json, std::string_view line) {
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
    const auto& prompt = std::get<UserMessage>(*message);
    const auto tell = [&] {
      if (prompt.uuid.empty()) return;
      CommandLifecycle life;
      life.command_uuid = prompt.uuid;
      life.state = "queued";
      session_.output.send(std::move(life));
    };
    if (!session_.prompts.push(prompt, tell)) session_.echo(prompt);
    return true;
  }

  bool take_request(const Json& json, std::string_view line) {
    if (!json["request"].is_object()) return fail("Error: Missing request on control_request");
    auto message = decode_message(line);
    if (!message) {
      ControlFailure failure;
      failure.request_id = json["request_id"].as_string();
      failure.error = std::string(json["request"]["subtype"].as_string("request")) + ": " +
                      message.error().what();
      session_.output.send(ControlResponse{std::move(failure), {}});
      return true;
    }
    return handle_request(session_, std::get<ControlRequest>(*message));
  }

  bool take_answer(std::string_view line) {
    const auto message = decode_message(line);
    if (!message) return true;
    const auto& response = std::get<ControlResponse>(*message);
    session_.asker.answered(response);
    if (session_.flags.replay_user_messages) session_.output.send(response);
    return true;
  }

  bool take_variables(const Json& json) {
    std::map<std::string, std::string> variables;
    Json applied = Json::array();
    for (const auto& [name, value] : json["variables"].members()) {
      variables[name] = value.as_string();
      applied.push(name);
    }
    session_.tools->set_variables(variables);
    if (json["request_id"].is_string()) {
      ControlSuccess success;
      success.request_id = json["request_id"].as_string();
      success.response = RawJson(Json::object({{"applied", std::move(applied)}}).dump());
      ControlResponse response;
      response.response = std::move(success);
      session_.output.send(std::move(response));
    }
    return true;
  }

  Session& session_;
};

}  // namespace

std::optional<std::string> read_stdin(Session& session, const std::function<void()>& after_line) {
  LineFramer framer(kLongestLine);
  Lines lines(session);
  std::string buffer(64 * 1024, '\0');
  const auto drain = [&] {
    while (const auto frame = framer.next()) {
      if (frame->kind == Frame::Kind::kTooLong) {
        lines.complaint =
            "Error: a line of input is longer than " + std::to_string(kLongestLine >> 20) + " MB";
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
    if (!drain()) return lines.complaint;
  }
  framer.finish();
  drain();
  return lines.complaint;
}

}  // namespace parley::agent
