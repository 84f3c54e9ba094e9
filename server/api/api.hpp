// The HTTP side: sorts requests into files of the page, API calls and WebSockets, refuses what must
// be refused (access.hpp), and brings the rest to the hub's loop. The kinds of requests have a file
// each: page_routes.cpp, session_routes.cpp, agent_routes.cpp, socket_routes.cpp; the others are in
// api.cpp.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "http/exchange.hpp"
#include "server/api/access.hpp"
#include "server/sessions/hub.hpp"

namespace parley::server {

/// What the page is told about the server.
struct ServerInfo {
  std::string version;
  bool demo = false;  ///< The agent talks to a scripted model.
  std::string agent;  ///< Its command.
};

/// Called on threads of the HTTP server; must outlive it.
class Api {
 public:
  Api(Hub& hub, Access& access, ServerInfo info)
      : hub_(hub), access_(access), info_(std::move(info)) {}

  /// The server's gate: the answer to whoever must not get in, and to bodies that nobody wants.
  [[nodiscard]] std::optional<http::Response> refuse(const http::Request& request) const;
  /// For requests that refuse() has let through.
  void handle(const std::shared_ptr<http::Exchange>& exchange);
  /// Connections that are open, for /metrics.
  void set_connections(std::function<std::size_t()> count) { connections_ = std::move(count); }

 private:
  using Exchange = std::shared_ptr<http::Exchange>;

  void serve_page(const Exchange& exchange);
  void serve_api(const Exchange& exchange);
  void serve_session(const Exchange& exchange, std::string_view rest);
  void serve_action(const Exchange& exchange, const std::string& id, const std::string& action);
  void list_events(const Exchange& exchange, const std::string& id);
  void show_file(const Exchange& exchange, const std::string& id);
  void show_text(const Exchange& exchange, const std::string& id);
  void show_agent(const Exchange& exchange, const std::string& id);
  void ask_agent(const Exchange& exchange, const std::string& id);
  void fork(const Exchange& exchange, const std::string& id);
  void export_session(const Exchange& exchange, const std::string& id);
  void search(const Exchange& exchange);
  void create(const Exchange& exchange, const Json& body);
  void list_folders(const Exchange& exchange);
  void list_sign_ins(const Exchange& exchange);
  void end_sign_in(const Exchange& exchange, const std::string& id);
  void sign_in(const Exchange& exchange);
  /// Ends the WebSocket with the sign-in of the browser that opened it.
  void bind(const http::Request& request, const std::shared_ptr<http::WebSocket>& socket);
  void show_health(const Exchange& exchange);
  void show_info(const Exchange& exchange);
  void show_metrics(const Exchange& exchange);
  void open_page_socket(const Exchange& exchange);
  void open_wire(const Exchange& exchange, const std::string& id);

  Hub& hub_;
  Access& access_;
  const ServerInfo info_;
  std::function<std::size_t()> connections_;
  std::mutex mutex_;
  std::multimap<std::string, std::weak_ptr<http::WebSocket>> sockets_;  ///< By sign-in.
};

}  // namespace parley::server
