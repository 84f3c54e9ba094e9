// One page: a WebSocket that shows any number of sessions.
//
// Each session it is attached to has a cursor, the number of the last event that was sent. Events
// go out in one way only, from the cursor on; the live stream is the case where the cursor is at
// the end. A page that reads slowly falls behind, its cursor stays, and the log catches it up when
// there is room again. So nothing is lost or doubled, and nothing is kept for it in memory.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>

#include "http/exchange.hpp"
#include "server/sessions/hub.hpp"

namespace parley::server {

/// Lives on the hub's loop; the functions of the socket's handlers are called there.
class PageLink final : public Subscriber,
                       public ListWatcher,
                       public std::enable_shared_from_this<PageLink> {
 public:
  explicit PageLink(Hub& hub) : hub_(hub) {}

  /// Says hello. The link lives until on_close().
  void begin(std::shared_ptr<http::WebSocket> socket);
  void on_text(const std::string& text);
  void on_drained();
  void on_close();
  /// Whether something was held back since the last call. From any thread.
  [[nodiscard]] bool fell_behind() { return behind_.exchange(false); }

  void on_event(const std::string& session, const Record& record, std::uint64_t previous) override;
  void on_log_failure(const std::string& session, const Error& error) override;
  void on_sessions(const std::string& message) override;
  void on_gone(const std::string& id) override;
  [[nodiscard]] bool has_room() const override;

 private:
  struct Attachment {
    std::shared_ptr<HostedSession> session;
    std::uint64_t cursor = 0;
  };

  void attach(const Json& message);
  void attached(const std::shared_ptr<HostedSession>& session, std::uint64_t after);
  void detach(const std::string& id);
  void send_prompt(const Json& message);
  void withdraw(const Json& message);
  void answer(const Json& message);
  /// Sends what comes after the cursor, as much as there is room for.
  void catch_up(Attachment& attachment);
  void say(const Json& message);
  void complain(const Json& about, const Error& error);

  Hub& hub_;
  std::shared_ptr<http::WebSocket> socket_;
  std::map<std::string, Attachment> attachments_;
  mutable std::atomic<bool> behind_{false};  ///< There was no room for something.
};

}  // namespace parley::server
