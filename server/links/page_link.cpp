#include "server/links/page_link.hpp"

#include <algorithm>

#include "server/events/events.hpp"

namespace parley::server {
namespace {

/// Unsent bytes beyond which a page is too slow for the live stream.
constexpr std::size_t kWindow = std::size_t{1} << 20;
constexpr std::size_t kReadBytes = std::size_t{256} << 10;
/// What a page gets of a session that it did not know: the end, the rest comes by pages.
constexpr std::size_t kFirstRecords = 400;
constexpr std::size_t kFirstBytes = std::size_t{1} << 20;
constexpr std::size_t kMostAttachments = 256;

}  // namespace

void PageLink::begin(std::shared_ptr<http::WebSocket> socket) {
  socket_ = std::move(socket);
  hub_.watch(*this);
  say(Json::object({{"type", "hello"}, {"sessions", hub_.summaries()}}));
}

void PageLink::on_close() {
  hub_.unwatch(*this);
  for (const auto& [id, attachment] : attachments_) attachment.session->unsubscribe(*this);
  attachments_.clear();
  socket_.reset();
}

void PageLink::say(const Json& message) {
  if (socket_) socket_->send(message.dump());
}

void PageLink::complain(const Json& about, const Error& error) {
  Json re = Json::object({{"type", about["type"]}});
  for (const char* name : {"session", "client_id", "request_id"}) {
    if (const Json* value = about.find(name)) re.set(name, *value);
  }
  say(Json::object({{"type", "error"},
                    {"re", re},
                    {"code", to_string(error.code())},
                    {"message", error.what()}}));
}

bool PageLink::has_room() const {
  if (!socket_) return false;
  if (socket_->unsent() < kWindow) return true;
  behind_ = true;
  // Once more: what has drained before it was noted above tells nobody.
  return socket_->unsent() < kWindow;
}

void PageLink::on_text(const std::string& text) {
  const auto message = Json::parse(text);
  if (!message || !message->is_object()) {
    return complain({}, Error(ErrorCode::malformed, "is no JSON object"));
  }
  const std::string_view type = (*message)["type"].as_string();
  if (type == "attach") return attach(*message);
  if (type == "detach") return detach(std::string((*message)["session"].as_string()));
  if (type == "send") return send_prompt(*message);
  if (type == "answer") return answer(*message);
  if (type == "take_back") return withdraw(*message);
  complain(*message, Error(ErrorCode::invalid, "there is no message of this type"));
}

// ---- showing ------------------------------------------------------------------------------------

void PageLink::attach(const Json& message) {
  const std::string id(message["session"].as_string());
  const auto after =
      static_cast<std::uint64_t>(std::max<std::int64_t>(0, message["after"].as_int()));
  if (attachments_.size() >= kMostAttachments && !attachments_.contains(id)) {
    return complain(message, Error(ErrorCode::too_large, "too many sessions are attached"));
  }
  hub_.open(id, [self = shared_from_this(), message, after](auto session) {
    if (!self->socket_) return;
    if (!session) return self->complain(message, session.error());
    self->attached(*session, after);
  });
}

void PageLink::attached(const std::shared_ptr<HostedSession>& session, std::uint64_t after) {
  SessionLog& log = session->log();
  std::uint64_t cursor = std::min(after, log.last());
  bool more = false;
  if (after == 0) {
    const auto page = log.read_before(log.last() + 1, kFirstRecords, kFirstBytes);
    if (page && !page->empty()) {
      cursor = page->front().seq - 1;
      const auto earlier = log.read_before(page->front().seq, 1, 1);
      more = earlier && !earlier->empty();
    }
  }
  say(Json::object({{"type", "attached"},
                    {"session", session->id()},
                    {"after", cursor},
                    {"last", log.last()},
                    {"more", more}}));
  Attachment& attachment = attachments_[session->id()];
  attachment = {session, cursor};
  session->subscribe(*this);
  catch_up(attachment);
  if (const auto& failure = session->log_failure()) on_log_failure(session->id(), *failure);
}

void PageLink::detach(const std::string& id) {
  const auto found = attachments_.find(id);
  if (found == attachments_.end()) return;
  found->second.session->unsubscribe(*this);
  attachments_.erase(found);
}

void PageLink::catch_up(Attachment& attachment) {
  HostedSession& session = *attachment.session;
  while (has_room() && attachment.cursor < session.log().last()) {
    const auto records = session.log().read_after(attachment.cursor, kReadBytes);
    if (!records) {
      return complain(Json::object({{"type", "attach"}, {"session", session.id()}}),
                      records.error());
    }
    if (records->empty()) {
      attachment.cursor = session.log().last();
      return;
    }
    for (const Record& record : *records) {
      socket_->send(events::frame(session.id(), record.seq, record.time, record.event));
    }
    attachment.cursor = records->back().seq;
  }
}

void PageLink::on_event(const std::string& session, const Record& record, std::uint64_t previous) {
  const auto found = attachments_.find(session);
  if (found == attachments_.end() || found->second.cursor != previous) return;
  if (!has_room()) {
    ++hub_.meters().catch_ups;
    return;
  }
  socket_->send(events::frame(session, record.seq, record.time, record.event));
  found->second.cursor = record.seq;
}

void PageLink::on_log_failure(const std::string& session, const Error& error) {
  complain(Json::object({{"type", "log"}, {"session", session}}), error);
}

void PageLink::on_drained() {
  for (auto& [id, attachment] : attachments_) catch_up(attachment);
}

void PageLink::on_sessions(const std::string& message) {
  if (socket_) socket_->send(message);
}

void PageLink::on_gone(const std::string& id) {
  detach(id);
  say(Json::object({{"type", "gone"}, {"session", id}}));
}

// ---- doing --------------------------------------------------------------------------------------

void PageLink::send_prompt(const Json& message) {
  hub_.open(std::string(message["session"].as_string()), [self = shared_from_this(),
                                                          message](auto session) {
    if (!session) return self->complain(message, session.error());
    const std::string client_id(message["client_id"].as_string());
    const auto seq = self->hub_.send(**session, client_id, message["content"], "page");
    if (!seq) return self->complain(message, seq.error());
    self->say(Json::object(
        {{"type", "ack"}, {"client_id", client_id}, {"session", (*session)->id()}, {"seq", *seq}}));
  });
}

void PageLink::withdraw(const Json& message) {
  const auto session = hub_.find(std::string(message["session"].as_string()));
  if (!session) return complain(message, Error(ErrorCode::not_found, "there is no such session"));
  session->withdraw(std::string(message["client_id"].as_string()),
                    [self = shared_from_this(), message](Result<void> done) {
                      if (!done) self->complain(message, done.error());
                    });
}

void PageLink::answer(const Json& message) {
  const auto session = hub_.find(std::string(message["session"].as_string()));
  if (!session) return complain(message, Error(ErrorCode::not_found, "there is no such session"));
  const auto done =
      session->answer(std::string(message["request_id"].as_string()), message["answer"]);
  if (!done) complain(message, done.error());
}

}  // namespace parley::server
