// Where WebSockets begin: pages, and programs that speak the protocol.
#include "server/api/api.hpp"
#include "server/api/respond.hpp"
#include "server/links/inbound_queue.hpp"
#include "server/links/page_link.hpp"
#include "server/links/wire_link.hpp"

namespace parley::server {
namespace {

/// Gives a link its socket: messages come on the server's thread and go to the hub's.
template <class Link>
void connect(Hub& hub, const std::shared_ptr<http::Exchange>& exchange,
             const std::shared_ptr<Link>& link,
             const std::function<void(const std::shared_ptr<http::WebSocket>&)>& opened) {
  const auto queue = std::make_shared<InboundQueue>(
      [&hub](std::function<void()> task) { hub.post(std::move(task)); },
      [link](const std::string& text) { link->on_text(text); });
  http::WebSocket::Handlers handlers;
  handlers.on_message = [queue](std::string text) { queue->push(std::move(text)); };
  handlers.on_close = [&hub, link](std::uint16_t, const std::string&) {
    hub.post([link] { link->on_close(); });
  };
  if constexpr (std::is_same_v<Link, PageLink>) {
    handlers.on_drained = [&hub, link] {
      // The hub is woken only for a page that it has held something back from.
      if (link->fell_behind()) hub.post([link] { link->on_drained(); });
    };
  }
  if (exchange->request().headers.lists("Sec-WebSocket-Protocol", kPageProtocol)) {
    handlers.protocol = kPageProtocol;
  }
  auto socket = exchange->upgrade(std::move(handlers));
  if (!socket) return respond_error(*exchange, socket.error());
  opened(*socket);
  queue->set_socket(*socket);
  // Before anything that the client says: its messages are posted too.
  if (hub.on_loop()) return link->begin(*std::move(socket));
  hub.post([link, socket = *std::move(socket)] { link->begin(socket); });
}

}  // namespace

void Api::open_page_socket(const Exchange& exchange) {
  if (!exchange->request().wants_websocket()) {
    return respond_error(*exchange, 426, "invalid", "this is a WebSocket");
  }
  connect(hub_, exchange, std::make_shared<PageLink>(hub_),
          [&](const auto& socket) { bind(exchange->request(), socket); });
}

void Api::open_wire(const Exchange& exchange, const std::string& id) {
  if (!exchange->request().wants_websocket()) {
    return respond_error(*exchange, 426, "invalid", "this is a WebSocket");
  }
  hub_.post([this, exchange, id] {
    hub_.open(id, [this, exchange](auto session) {
      if (!session) return respond_error(*exchange, session.error());
      connect(hub_, exchange, std::make_shared<WireLink>(hub_, *session),
              [&](const auto& socket) { bind(exchange->request(), socket); });
    });
  });
}

}  // namespace parley::server
