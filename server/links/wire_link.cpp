#include "server/links/wire_link.hpp"

#include "server/events/events.hpp"
#include "support/random.hpp"
#include "wire/codec/codec.hpp"
#include "wire/control/control.hpp"
#include "wire/framing.hpp"

namespace parley::server {
namespace {

/// The raw protocol has no cursor to come back to, so a client that falls behind is sent away.
constexpr std::size_t kMostUnsent = std::size_t{8} << 20;
constexpr std::uint16_t kTryAgainLater = 1013;

}  // namespace

void WireLink::begin(std::shared_ptr<http::WebSocket> socket) {
  socket_ = std::move(socket);
  session_->subscribe(*this);
  if (auto started = hub_.launch(*session_); !started) {
    socket_->close(1011, started.error().message());
    return;
  }
  const auto pending = session_->state().pending();
  for (const auto& [id, seq] : pending) {
    const auto records = session_->log().read_after(seq - 1, 1);
    if (!records || records->empty()) continue;
    ask(id, records->front().event);
  }
}

void WireLink::on_close() {
  session_->unsubscribe(*this);
  socket_.reset();
}

void WireLink::say(std::string line) {
  if (!socket_) return;
  if (socket_->unsent() > kMostUnsent) return socket_->close(kTryAgainLater, "reads too slowly");
  line += '\n';
  socket_->send(line);
}

// ---- from the agent -----------------------------------------------------------------------------

void WireLink::on_event(const std::string&, const Record& record, std::uint64_t) {
  if (const auto line = events::agent_message(record.event); !line.empty()) {
    return say(std::string(line));
  }
  const auto event = Json::parse(record.event);
  if (!event) return;
  const std::string_view kind = (*event)["kind"].as_string();
  if (kind == "request") {
    return ask(std::string((*event)["request_id"].as_string()), record.event);
  }
  if (kind == "resolved" && asked_.erase(std::string((*event)["request_id"].as_string())) > 0) {
    say(Json::object({{"type", "control_cancel_request"}, {"request_id", (*event)["request_id"]}})
            .dump());
  }
  const std::string_view state = (*event)["state"].as_string();
  if (kind == "state" && (state == "ended" || state == "failed") && socket_) {
    socket_->close(1000, "the agent has ended");
  }
}

void WireLink::on_log_failure(const std::string&, const Error& error) {
  if (socket_) socket_->close(1011, error.what());
}

void WireLink::ask(const std::string& id, std::string_view event) {
  const std::string_view request = events::member(event, "request");
  if (request.empty()) return;
  asked_.insert(id);
  std::string line = R"({"type":"control_request","request_id":)" + Json(id).dump();
  line += R"(,"request":)";
  line += request;
  say(line + '}');
}

// ---- from the client ----------------------------------------------------------------------------

void WireLink::on_text(const std::string& text) {
  LineFramer framer;
  framer.push(text);
  framer.finish();
  while (const auto frame = framer.next()) on_line(frame->text);
}

void WireLink::on_line(std::string_view line) {
  const auto message = Json::parse(line);
  if (!message) {
    if (socket_) socket_->close(1007, "a line is no JSON");
    return;
  }
  const std::string_view type = (*message)["type"].as_string();
  if (type == "control_request") return on_request(*message);
  if (type == "control_response") return on_response((*message)["response"]);
  if (type == "user") {
    std::string uuid((*message)["uuid"].as_string());
    if (uuid.empty()) uuid = make_uuid();
    const auto seq = hub_.send(*session_, uuid, (*message)["message"]["content"], "wire");
    if (!seq && socket_) socket_->close(1008, seq.error().message());
  }
  // Others (keep_alive, auth, a request taken back) need no answer.
}

void WireLink::on_request(const Json& message) {
  const Json& id = message["request_id"];
  const Json& body = message["request"];
  const std::string_view subtype = body["subtype"].as_string();
  const auto answered = [self = shared_from_this(), id](const Result<void>& done) {
    self->reply(id, done ? Result<RawJson>(RawJson("{}")) : Result<RawJson>(done.error()));
  };
  if (subtype == "initialize") {
    if (!body["hooks"].members().empty() || !body["sdkMcpServers"].items().empty()) {
      return reply(id, Error(ErrorCode::invalid,
                             "hooks and in-process MCP servers do not travel over this endpoint"));
    }
    return session_->when_ready([self = shared_from_this(), id](const auto& ready) {
      self->reply(
          id, ready ? Result<RawJson>(RawJson(encode(*ready))) : Result<RawJson>(ready.error()));
    });
  }
  if (subtype == "set_model" && body["model"].is_string()) {
    return session_->set_model(std::string(body["model"].as_string()), answered);
  }
  if (subtype == "set_permission_mode") {
    return session_->set_mode(std::string(body["mode"].as_string()), answered);
  }
  session_->request(RawJson(body.dump()), [self = shared_from_this(), id](const auto& answer) {
    self->reply(id, answer);
  });
}

void WireLink::reply(const Json& request_id, const Result<RawJson>& answer) {
  std::string line = R"({"type":"control_response","response":{"subtype":)";
  line += answer ? R"("success")" : R"("error")";
  line += R"(,"request_id":)" + request_id.dump();
  line += answer ? R"(,"response":)" + answer->text
                 : R"(,"error":)" + Json(answer.error().what()).dump();
  say(line + "}}");
}

void WireLink::on_response(const Json& response) {
  const std::string id(response["request_id"].as_string());
  if (asked_.erase(id) == 0) return;
  Json answer = response["response"];
  if (response["subtype"].as_string() == "error") {
    answer = Json::object({{"behavior", "deny"}, {"message", response["error"]}});
  }
  // Somebody else may have been faster; the log says so to everybody.
  (void)session_->answer(id, answer);
}

}  // namespace parley::server
