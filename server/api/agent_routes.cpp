// What a page asks about a session that is in no event: the files that it works on, what its agent
// can do, and requests to that agent.
#include <algorithm>

#include "server/api/api.hpp"
#include "server/api/assets.hpp"
#include "server/api/file_state.hpp"
#include "server/api/respond.hpp"
#include "wire/codec/codec.hpp"
#include "wire/control/control.hpp"

namespace parley::server {
namespace {

/// What a page may ask an agent. Changes of the model and the mode have paths of their own, which
/// record them; what is not here can be said on the raw wire.
constexpr std::string_view kAskable[] = {
    "file_suggestions", "get_context_usage",       "get_settings",  "get_task_output", "get_usage",
    "list_models",      "list_permission_rules",   "mcp_reconnect", "mcp_status",      "mcp_toggle",
    "rewind_files",     "set_max_thinking_tokens", "stop_task",
};

void respond_raw(http::Exchange& exchange, std::string body) {
  http::Response response;
  response.headers.set("Content-Type", "application/json");
  response.headers.set("Cache-Control", "no-store");
  response.body = std::move(body);
  add_safety_headers(response);
  exchange.respond(std::move(response));
}

}  // namespace

void Api::show_file(const Exchange& exchange, const std::string& id) {
  const std::string path = exchange->request().query("path").value_or("");
  hub_.post([this, exchange, id, path] {
    const auto session = hub_.find(id);
    if (!session) return respond_error(*exchange, 404, "not_found", "there is no such session");
    hub_.run_apart([exchange, path, folder = session->state().cwd()] {
      const auto state = file_state(folder, path);
      if (!state) return respond_error(*exchange, state.error());
      static constexpr const char* kKinds[] = {"none", "file", "folder", "other"};
      respond_json(*exchange,
                   Json::object({{"kind", kKinds[static_cast<int>(state->kind)]},
                                 {"bytes", state->bytes},
                                 {"lines", state->lines ? Json(*state->lines) : Json()}}));
    });
  });
}

void Api::show_text(const Exchange& exchange, const std::string& id) {
  const std::string path = exchange->request().query("path").value_or("");
  hub_.post([this, exchange, id, path] {
    const auto session = hub_.find(id);
    if (!session) return respond_error(*exchange, 404, "not_found", "there is no such session");
    hub_.run_apart([exchange, path, folder = session->state().cwd()] {
      const auto text = file_text(folder, path);
      if (!text) return respond_error(*exchange, text.error());
      respond_json(*exchange, Json::object({{"text", *text}}));
    });
  });
}

void Api::show_agent(const Exchange& exchange, const std::string& id) {
  hub_.post([this, exchange, id] {
    const auto session = hub_.find(id);
    if (!session) return respond_error(*exchange, 404, "not_found", "there is no such session");
    session->when_ready([exchange](const Result<control::InitializeReply>& ready) {
      if (!ready) return respond_error(*exchange, ready.error());
      respond_raw(*exchange, encode(*ready));
    });
  });
}

void Api::ask_agent(const Exchange& exchange, const std::string& id) {
  const auto body = read_body(*exchange);
  if (!body) return;
  const Json& request = (*body)["request"];
  const std::string_view subtype = request["subtype"].as_string();
  if (std::find(std::begin(kAskable), std::end(kAskable), subtype) == std::end(kAskable)) {
    return respond_error(*exchange,
                         Error(ErrorCode::invalid, "is not asked like this", "request.subtype"));
  }
  hub_.post([this, exchange, id, line = request.dump()] {
    const auto session = hub_.find(id);
    if (!session) return respond_error(*exchange, 404, "not_found", "there is no such session");
    session->request(RawJson(line), [exchange](const Result<RawJson>& reply) {
      if (!reply) return respond_error(*exchange, reply.error());
      respond_raw(*exchange,
                  R"({"response":)" + (reply->text.empty() ? "null" : reply->text) + "}");
    });
  });
}

void Api::fork(const Exchange& exchange, const std::string& id) {
  const auto body = read_body(*exchange);
  if (!body) return;
  const Json& up_to = (*body)["up_to"];
  if (!up_to.is_null() && !up_to.is_string()) {
    return respond_error(*exchange, Error(ErrorCode::invalid, "must be a text", "up_to"));
  }
  hub_.post([this, exchange, id, message = std::string(up_to.as_string())] {
    hub_.fork(id, message, [exchange](const Result<std::string>& made) {
      if (!made) return respond_error(*exchange, made.error());
      respond_json(*exchange, Json::object({{"id", *made}}));
    });
  });
}

void Api::export_session(const Exchange& exchange, const std::string& id) {
  const std::string format = exchange->request().query("format").value_or("markdown");
  hub_.post([this, exchange, id, format] {
    hub_.export_text(id, format, [exchange](const Result<std::string>& text) {
      if (!text) return respond_error(*exchange, text.error());
      // Never shown as a page of this origin: the page saves it.
      http::Response response = http::Response::text(200, *text);
      response.headers.set("Cache-Control", "no-store");
      response.headers.set("Content-Disposition", "attachment");
      add_safety_headers(response);
      exchange->respond(std::move(response));
    });
  });
}

}  // namespace parley::server
