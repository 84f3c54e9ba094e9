// A conversation with an agent.
//
//   parley::Session session(options);
//   session.connect().value();
//   std::cout << session.ask("What is in this folder?").answer().value();
//
// When to use which door: query() (query.hpp) for one question and its answer; Session for more
// than one turn, for interrupting, and for everything that is asked or changed along the way. In a
// session, ask() gives a Turn to hold (turn.hpp); send() and receive() are for programs that want
// everything in one stream.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "../wire/codec/decode.hpp"
#include "../wire/messages/messages.hpp"
#include "errors.hpp"
#include "options.hpp"
#include "prompt.hpp"
#include "received_line.hpp"

namespace parley {

// What the members below give back or take. Whoever calls one of them includes its header:
// ledger.hpp, wire/control/control.hpp. The groups of verbs are included at the end of this one.
struct ControlBody;
struct Ledger;
struct PendingAsk;
struct Spending;
template <class Request>
struct ReplyOf;
namespace control {
struct InitializeReply;
}  // namespace control
class FileControls;
class McpControls;
class SessionInfo;
class SettingsControls;
class TaskControls;
class Transport;
class Turn;

/// What an interrupt did.
struct InterruptReceipt {
  std::vector<std::string> still_queued;  ///< Uuids of messages that will still be answered.
  std::vector<std::string> cancelled;
  /// The end of the interrupted turn; none if the agent was idle.
  std::optional<ResultMessage> turn;
};

/// A resource: owns the process. Movable, not copyable; one that was moved from can be destroyed
/// and assigned to, and anything else throws std::logic_error.
///
/// Threads: every member may be called from any thread and from any handler, several at a time; a
/// handler may even close or destroy its own session. Of several threads that receive(), each
/// message goes to one. All sessions share one thread for I/O; a session starts threads of its own
/// only to run handlers. No handler begins once close() has returned. One that still runs has had
/// its stop token stopped; close() waits a second for it and then leaves it behind, so what a
/// handler refers to must outlive it, not only the session.
class Session {
 public:
  using Timeout = std::optional<std::chrono::milliseconds>;

  explicit Session(Options options = {});
  /// Over another transport than a child process; Options about the program have no effect.
  Session(Options options, std::function<std::unique_ptr<Transport>()> make_transport);
  /// As close().
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  // ---- life ----

  /// Starts the CLI and waits for its answer to `initialize`. Once.
  Result<void> connect();
  /// Starts the CLI without waiting for the answer; send() may follow at once. A failure shows up
  /// in the next call, also that of an answer that has not come within Deadlines::initialize.
  Result<void> start();
  /// Waits for the answer that start() did not wait for. `timeout` with a timeout of one's own: ask
  /// again.
  Result<void> wait_ready(Timeout timeout = std::nullopt);
  /// Says that no more prompts will come. The agent finishes what it has; receive() then gives the
  /// rest and the end. Handlers go on answering only while the CLI listens.
  void end_input();
  /// Ends everything: input, then SIGTERM, then SIGKILL (Deadlines). Pending calls fail
  /// with `closed`, also a connect() that is on its way, which then ends what it has started.
  /// Returns when the process is gone; the transcript stays. Idempotent.
  void close();
  /// Connected and not ended.
  [[nodiscard]] bool alive() const;

  // ---- talking ----

  /// Sends a prompt; while the agent is busy it is queued there. The turn is the answer to it, and
  /// to nothing else; an error of sending is an error of the turn. Several turns may be held at a
  /// time, by several threads.
  Turn ask(Prompt prompt);
  /// Sends a prompt whose answer nobody holds: its messages come from receive(). The uuid of the
  /// message.
  Result<std::string> send(Prompt prompt);
  /// The next message that belongs to no turn that somebody holds: all of them, in the order of the
  /// wire, in a program that does not ask(); else what the agent says between turns and in turns
  /// that it begins itself (background tasks, notifications). Errors: `end` (the session has ended
  /// well and there is no more), `timeout` (nothing is lost, ask again), `process` (the CLI died;
  /// see failure()), `closed`. Not with DeliveryOptions::on_message.
  ///
  /// Once it has been called, it must go on being called: what nobody takes fills the queue, and
  /// the CLI waits. Before, what stands in the way of a turn is dropped, and the observer is told.
  Result<Message> receive(Timeout timeout = std::nullopt);
  /// Like receive(), if there is a message now. `timeout` if there is none.
  Result<Message> try_receive();
  /// With DeliveryOptions::line_stream, instead of receive(): all that the agent writes, line by
  /// line and in its order. Messages, requests that wait for answer(), their cancellations, the
  /// answer to `initialize` (once), and lines that are no messages. Errors as receive().
  Result<ReceivedLine> receive_line(Timeout timeout = std::nullopt);
  /// Like receive_line(), if there is a line now. `timeout` if there is none.
  Result<ReceivedLine> try_receive_line();
  /// Answers a request that came from receive_line(), once; `body` is the response as the agent
  /// wants it. `not_found` if it was answered or cancelled before.
  Result<void> answer(const std::string& request_id, const RawJson& body);
  /// The same with what a session without a handler for such requests would say.
  Result<void> decline(const std::string& request_id);
  /// Readable while try_receive() has something to say, the end included. For poll() and event
  /// loops, level-triggered or edge-triggered (then call try_receive() until it says `timeout` or
  /// the end). It may also be readable for a line that turns out to be broken, so do not wait in
  /// receive() because of it. The same descriptor as long as the session lives; do not read from it
  /// or close it. An error if the system has none left, and with DeliveryOptions::on_message.
  Result<int> fd();
  /// Interrupts the running turn and returns when it has ended. Messages are left for receive().
  /// May be called before the first message has come, while a handler waits, or when idle.
  /// Whichever turn runs: to stop a certain one, call its Turn::interrupt().
  Result<InterruptReceipt> interrupt(bool cancel_queued = false);

  // ---- state ----

  /// A copy of what the session has kept; see ledger.hpp.
  [[nodiscard]] Ledger ledger() const;
  /// Parts of it, cheaper.
  [[nodiscard]] std::string session_id() const;
  [[nodiscard]] std::vector<SlashCommand> commands() const;
  [[nodiscard]] Spending spending() const;
  [[nodiscard]] std::vector<PendingAsk> pending() const;
  /// What `initialize` was answered with: models, agents, account, output styles.
  [[nodiscard]] std::optional<control::InitializeReply> initialized() const;
  [[nodiscard]] std::optional<ResultMessage> last_result() const;
  /// Set once the session has failed.
  [[nodiscard]] std::optional<Failure> failure() const;
  [[nodiscard]] std::optional<int> pid() const;
  [[nodiscard]] std::string stderr_tail() const;

  // ---- changes from now on ----

  /// What the name was resolved to, if the CLI says; nullopt takes the default model.
  Result<std::optional<std::string>> set_model(std::optional<std::string> model);
  Result<void> set_permission_mode(PermissionMode mode);
  /// nullopt takes the limit away.
  Result<void> set_max_thinking_tokens(std::optional<std::int64_t> tokens);
  /// Whether the message was still queued and is withdrawn now.
  Result<bool> cancel_message(std::string uuid);
  /// The title and the colour that lists of sessions show.
  Result<void> rename(std::string title);
  Result<void> set_color(std::string color);
  /// Whether anybody looks at what the session says; nullopt leaves it to the agent.
  Result<void> set_has_subscribers(std::optional<bool> has);
  /// Asks the agent to end by itself. close() does without its consent.
  Result<void> end_session();

  // ---- more to ask and to change, in groups: session.mcp().status() ----

  /// MCP servers: status, reconnect, toggle, set_servers, read_resource, call, …
  [[nodiscard]] McpControls mcp() const;
  /// Settings, rules, plugins, skills, variables: get, apply, update, reload_plugins, …
  [[nodiscard]] SettingsControls settings() const;
  /// What runs in the background: stop, output, move_to_background.
  [[nodiscard]] TaskControls tasks() const;
  /// Files as the agent sees them: read, suggest, rewind, …
  [[nodiscard]] FileControls files() const;
  /// Questions: context_usage, usage, cost, models, agents, account, cli_version.
  [[nodiscard]] SessionInfo info() const;

  // ---- any control request at all ----

  /// Any request with a type: session.request(control::GetUsage{}).
  template <class Request>
  requires(!std::is_same_v<Request, RawJson>) Result<typename ReplyOf<Request>::type> request(
      Request body, Timeout timeout = std::nullopt) {
    const Result<RawJson> raw = request_body(Box<ControlBody>(std::move(body)), timeout);
    if (!raw) return raw.error();
    return decode<typename ReplyOf<Request>::type>(raw->text);
  }
  /// Any request at all: {"subtype": "...", ...}. The reply is `{}` if there was none. An error of
  /// the agent is `remote`, with its error code as context.
  Result<RawJson> request(const RawJson& body, Timeout timeout = std::nullopt);
  /// Sends a message that is none of the above, as it is.
  Result<void> send_raw(const RawJson& line);

 private:
  friend class SessionView;
  friend class Turn;
  class Impl;
  [[nodiscard]] std::shared_ptr<Impl> inside() const;
  Result<RawJson> request_body(const Box<ControlBody>& body, Timeout timeout);

  std::shared_ptr<Impl> impl_;
};

/// What the groups of verbs have in common. One is cheap to make and to copy, and holds on to the
/// inside of its session, as a Turn does, so it may be kept; once that session is closed, its calls
/// fail. Threads as with Session.
///
/// Calls wait for the agent's answer as long as Deadlines::request says, and fail with `remote`,
/// and the agent's code as context, if it refuses.
class SessionView {
 public:
  explicit SessionView(std::shared_ptr<Session::Impl> impl) : impl_(std::move(impl)) {}

 protected:
  std::shared_ptr<Session::Impl> impl_;
};

}  // namespace parley

// What ask() gives, and the groups of verbs. Here, because they are about this class.
#include "controls/files.hpp"
#include "controls/info.hpp"
#include "controls/mcp.hpp"
#include "controls/settings.hpp"
#include "controls/tasks.hpp"
#include "turn.hpp"
