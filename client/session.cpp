// The public face of a session: passes on to its inside.
#include "client/session.hpp"

#include <stdexcept>

#include "client/session/session_impl.hpp"
#include "wire/codec/codec.hpp"
#include "wire/control/control.hpp"

namespace parley {

Session::Session(Options options) : impl_(std::make_shared<Impl>(std::move(options), nullptr)) {}

Session::Session(Options options, std::function<std::unique_ptr<Transport>()> make_transport)
    : impl_(std::make_shared<Impl>(std::move(options), std::move(make_transport))) {}

Session::~Session() {
  if (impl_) impl_->close();
}

Session::Session(Session&&) noexcept = default;

Session& Session::operator=(Session&& other) noexcept {
  if (this != &other) {
    if (impl_) impl_->close();
    impl_ = std::move(other.impl_);
  }
  return *this;
}

// Each call keeps the inside alive: a handler may destroy the session while another thread waits.
std::shared_ptr<Session::Impl> Session::inside() const {
  if (!impl_) throw std::logic_error("this parley::Session was moved from");
  return impl_;
}

Result<void> Session::connect() {
  const auto impl = inside();
  if (auto started = impl->start(); !started) return started;
  auto ready = impl->wait_ready(std::nullopt);
  if (!ready) impl->close();
  return ready;
}

Result<void> Session::start() { return inside()->start(); }
Result<void> Session::wait_ready(Timeout timeout) { return inside()->wait_ready(timeout); }
void Session::end_input() { inside()->end_input(); }
void Session::close() { inside()->close(); }
bool Session::alive() const { return inside()->alive(); }

Result<std::string> Session::send(Prompt prompt) { return inside()->send(std::move(prompt)); }

Result<Message> Session::receive(Timeout timeout) {
  const auto deadline = timeout ? std::optional(Impl::Clock::now() + *timeout) : std::nullopt;
  return inside()->receive(deadline);
}

Result<Message> Session::try_receive() { return inside()->receive(Impl::Clock::now()); }

Result<ReceivedLine> Session::receive_line(Timeout timeout) {
  const auto deadline = timeout ? std::optional(Impl::Clock::now() + *timeout) : std::nullopt;
  return inside()->receive_line(deadline);
}

Result<ReceivedLine> Session::try_receive_line() {
  return inside()->receive_line(Impl::Clock::now());
}

Result<void> Session::answer(const std::string& request_id, const RawJson& body) {
  const auto json = body.json();
  if (!json) return json.error();
  return inside()->answer(request_id, RawJson(Impl::one_line(body, *json)));
}

Result<void> Session::decline(const std::string& request_id) {
  return inside()->decline(request_id);
}

Result<int> Session::fd() { return inside()->fd(); }

Turn Session::ask(Prompt prompt) {
  auto impl = inside();
  auto state = impl->ask(std::move(prompt));
  return {std::move(impl), std::move(state)};
}

Result<InterruptReceipt> Session::interrupt(bool cancel_queued) {
  return inside()->interrupt(cancel_queued);
}

Result<bool> Session::cancel_message(std::string uuid) {
  control::CancelAsyncMessage body;
  body.message_uuid = uuid;
  const auto reply = request(std::move(body));
  if (!reply) return reply.error();
  if (reply->cancelled) inside()->withdrawn(uuid);
  return reply->cancelled;
}

// ---- state --------------------------------------------------------------------------------------

Ledger Session::ledger() const {
  return inside()->with_state([](const Impl& impl) { return impl.ledger(); });
}
std::string Session::session_id() const {
  return inside()->with_state([](const Impl& impl) { return impl.ledger().session_id; });
}
std::vector<SlashCommand> Session::commands() const {
  return inside()->with_state([](const Impl& impl) { return impl.ledger().commands; });
}
Spending Session::spending() const {
  return inside()->with_state([](const Impl& impl) { return impl.ledger().spending; });
}
std::vector<PendingAsk> Session::pending() const {
  return inside()->with_state([](const Impl& impl) { return impl.ledger().pending; });
}
std::optional<control::InitializeReply> Session::initialized() const {
  return inside()->with_state([](const Impl& impl) { return impl.init_reply(); });
}
std::optional<ResultMessage> Session::last_result() const {
  return inside()->with_state([](const Impl& impl) { return impl.last_result(); });
}
std::optional<Failure> Session::failure() const {
  return inside()->with_state([](const Impl& impl) { return impl.failure(); });
}
std::string Session::stderr_tail() const {
  return inside()->with_state([](const Impl& impl) { return impl.stderr_tail(); });
}
std::optional<int> Session::pid() const { return inside()->pid(); }

// ---- requests -----------------------------------------------------------------------------------

Result<RawJson> Session::request_body(const Box<ControlBody>& body, Timeout timeout) {
  return request(RawJson(encode(body)), timeout);
}

Result<RawJson> Session::request(const RawJson& body, Timeout timeout) {
  return inside()->request(body, timeout);
}

Result<void> Session::send_raw(const RawJson& line) {
  const auto json = line.json();
  if (!json) return json.error();
  return inside()->write_line(Impl::one_line(line, *json));
}

// ---- groups of verbs ----------------------------------------------------------------------------

McpControls Session::mcp() const { return McpControls(inside()); }
SettingsControls Session::settings() const { return SettingsControls(inside()); }
TaskControls Session::tasks() const { return TaskControls(inside()); }
FileControls Session::files() const { return FileControls(inside()); }
SessionInfo Session::info() const { return SessionInfo(inside()); }

}  // namespace parley
