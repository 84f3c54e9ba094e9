// The part of the API below /api/sessions.
#include <charconv>

#include "server/api/api.hpp"
#include "server/api/assets.hpp"
#include "server/api/respond.hpp"
#include "wire/ids.hpp"

namespace parley::server {
namespace {

constexpr std::size_t kMostPageRecords = 1000;
constexpr std::size_t kMostPageBytes = std::size_t{4} << 20;

std::optional<std::uint64_t> number(const http::Request& request, std::string_view name,
                                    std::uint64_t fallback) {
  const auto text = request.query(name);
  if (!text) return fallback;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc() || end != text->data() + text->size()) return std::nullopt;
  return value;
}

}  // namespace

void Api::serve_session(const Exchange& exchange, std::string_view rest) {
  const std::string& method = exchange->request().method;
  const auto slash = rest.find('/');
  const std::string id(rest.substr(0, slash));
  const std::string action(slash == std::string_view::npos ? "" : rest.substr(slash + 1));
  if (!is_session_id(id)) return not_found(*exchange);
  if (action == "wire") return open_wire(exchange, id);
  if (action == "events") {
    return method == "GET" ? list_events(exchange, id) : wrong_method(*exchange);
  }
  if (action == "file") {
    return method == "GET" ? show_file(exchange, id) : wrong_method(*exchange);
  }
  if (action == "text") {
    return method == "GET" ? show_text(exchange, id) : wrong_method(*exchange);
  }
  if (action == "agent") {
    return method == "GET" ? show_agent(exchange, id) : wrong_method(*exchange);
  }
  if (action == "fork") {
    return method == "POST" ? fork(exchange, id) : wrong_method(*exchange);
  }
  if (action == "export") {
    return method == "GET" ? export_session(exchange, id) : wrong_method(*exchange);
  }
  if (action == "request") {
    return method == "POST" ? ask_agent(exchange, id) : wrong_method(*exchange);
  }
  if (action.empty() && method == "DELETE") {
    return hub_.post([this, exchange, id] {
      hub_.remove(id, [exchange](Result<void> done) { respond_done(*exchange, done); });
    });
  }
  if (action.empty() && method == "GET") {
    return hub_.post([this, exchange, id] {
      hub_.open(id, [exchange](auto session) {
        if (!session) return respond_error(*exchange, session.error());
        respond_json(*exchange, (*session)->state().summary());
      });
    });
  }
  if (method != "POST" || action.empty()) return wrong_method(*exchange);
  serve_action(exchange, id, action);
}

void Api::serve_action(const Exchange& exchange, const std::string& id, const std::string& action) {
  using Action = void (*)(Hub&, HostedSession&, const Json&, HostedSession::Done);
  static constexpr std::pair<std::string_view, Action> kActions[] = {
      {"interrupt", [](Hub&, HostedSession& s, const Json&,
                       HostedSession::Done done) { s.interrupt(std::move(done)); }},
      {"close", [](Hub&, HostedSession& s, const Json&,
                   HostedSession::Done done) { s.close(std::move(done)); }},
      {"resume", [](Hub& hub, HostedSession& s, const Json&,
                    HostedSession::Done done) { done(hub.launch(s)); }},
      {"model",
       [](Hub&, HostedSession& s, const Json& body, HostedSession::Done done) {
         s.set_model(std::string(body["model"].as_string()), std::move(done));
       }},
      {"mode",
       [](Hub&, HostedSession& s, const Json& body, HostedSession::Done done) {
         s.set_mode(std::string(body["mode"].as_string()), std::move(done));
       }},
      {"title",
       [](Hub&, HostedSession& s, const Json& body, HostedSession::Done done) {
         s.set_title(std::string(body["title"].as_string()), std::move(done));
       }},
  };
  for (const auto& [name, act] : kActions) {
    if (name != action) continue;
    auto body = read_body(*exchange);
    if (!body) return;
    const bool has_value = action != "model" && action != "mode" && action != "title";
    if (!has_value && (*body)[action].as_string().empty()) {
      return respond_error(*exchange, Error(ErrorCode::invalid, "must be a text", action));
    }
    return hub_.post([this, exchange, id, act = act, body = *std::move(body)] {
      hub_.open(id, [this, exchange, act, body](auto session) {
        if (!session) return respond_error(*exchange, session.error());
        act(hub_, **session, body,
            [exchange](Result<void> done) { respond_done(*exchange, done); });
      });
    });
  }
  not_found(*exchange);
}

void Api::list_events(const Exchange& exchange, const std::string& id) {
  const auto before = number(exchange->request(), "before", std::uint64_t{1} << 62);
  const auto limit = number(exchange->request(), "limit", 200);
  if (!before || !limit || *limit == 0) {
    return respond_error(*exchange, 400, "invalid", "before and limit must be numbers");
  }
  hub_.post([this, exchange, id, before = *before,
             limit = std::min<std::uint64_t>(*limit, kMostPageRecords)] {
    hub_.open(id, [exchange, before, limit](auto session) {
      if (!session) return respond_error(*exchange, session.error());
      SessionLog& log = (*session)->log();
      const auto page = log.read_before(std::min(before, log.last() + 1), limit, kMostPageBytes);
      if (!page) return respond_error(*exchange, page.error());
      std::string body = R"({"events":[)";
      for (const Record& record : *page) {
        if (body.back() == '}') body += ',';
        body += R"({"seq":)" + std::to_string(record.seq) + R"(,"time":)" +
                std::to_string(record.time) + R"(,"event":)" + record.event + "}";
      }
      const auto earlier = page->empty() ? Result<std::vector<Record>>(std::vector<Record>())
                                         : log.read_before(page->front().seq, 1, 1);
      body += earlier && !earlier->empty() ? R"(],"more":true})" : R"(],"more":false})";
      http::Response response;
      response.headers.set("Content-Type", "application/json");
      response.headers.set("Cache-Control", "no-store");
      response.body = std::move(body);
      add_safety_headers(response);
      exchange->respond(std::move(response));
    });
  });
}

void Api::create(const Exchange& exchange, const Json& body) {
  NewSession wanted;
  for (const auto& [name, member] : {std::pair<const char*, std::string*>{"cwd", &wanted.cwd},
                                     {"model", &wanted.model},
                                     {"mode", &wanted.mode},
                                     {"title", &wanted.title},
                                     {"client_id", &wanted.client_id},
                                     {"resume", &wanted.resume}}) {
    const Json* value = body.find(name);
    if (value == nullptr || value->is_null()) continue;
    if (!value->is_string()) {
      return respond_error(*exchange, Error(ErrorCode::invalid, "must be a text", name));
    }
    *member = value->as_string();
  }
  wanted.prompt = body["prompt"];
  hub_.post([this, exchange, wanted = std::move(wanted)] {
    hub_.create(wanted, [exchange](Result<std::string> id) {
      if (!id) return respond_error(*exchange, id.error());
      respond_json(*exchange, Json::object({{"id", *id}}));
    });
  });
}

}  // namespace parley::server
