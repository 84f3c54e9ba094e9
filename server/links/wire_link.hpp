// The protocol itself over a WebSocket, one line per message, so that the official browser SDK can
// drive a session of the hub as if it were its own agent. The hub stays the owner: `initialize` is
// answered from what the agent told the hub, prompts and answers go through the log like those of a
// page, and other requests are passed on.
//
// Not carried: hooks and MCP servers inside the client, which an agent learns about only when it
// starts. A client that brings some is refused with an error instead of being ignored.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "http/exchange.hpp"
#include "server/sessions/hub.hpp"

namespace parley::server {

/// Lives on the hub's loop.
class WireLink final : public Subscriber, public std::enable_shared_from_this<WireLink> {
 public:
  WireLink(Hub& hub, std::shared_ptr<HostedSession> session)
      : hub_(hub), session_(std::move(session)) {}

  /// Starts the agent if none runs, and shows what happens from now on and what waits for answers.
  void begin(std::shared_ptr<http::WebSocket> socket);
  void on_text(const std::string& text);
  void on_close();

  void on_event(const std::string& session, const Record& record, std::uint64_t previous) override;
  void on_log_failure(const std::string& session, const Error& error) override;

 private:
  void on_line(std::string_view line);
  void on_request(const Json& message);
  void on_response(const Json& message);
  void reply(const Json& request_id, const Result<RawJson>& answer);
  /// Passes on the question that an event has recorded.
  void ask(const std::string& id, std::string_view event);
  void say(std::string line);

  Hub& hub_;
  const std::shared_ptr<HostedSession> session_;
  std::shared_ptr<http::WebSocket> socket_;
  std::set<std::string> asked_;  ///< Requests that this client knows of and has not answered.
};

}  // namespace parley::server
