// A conversation with an agent.
//
//   parley::Session session(options);
//   session.connect().value();
//   session.send("What is in this folder?").value();
//   while (auto message = session.receive().value()) { ... if it is a ResultMessage, the turn is
//   over }
//
// When to use which door: query() (query.hpp) for one question and its answer; Session for more
// than one turn, for interrupting, and for everything that is asked or changed along the way.
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
// ledger.hpp, wire/control/control.hpp, wire/mcp/mcp.hpp.
struct ControlBody;
struct Ledger;
struct PendingAsk;
struct Spending;
template <class Request>
struct ReplyOf;
namespace control {
enum class SettingsSource : std::int16_t;
struct FileSuggestion;
struct GetContextUsageReply;
struct GetHooksListingReply;
struct GetSettingsReply;
struct GetTaskOutputReply;
struct GetUsageReply;
struct InitializeReply;
struct ListPermissionRulesReply;
struct McpCallReply;
struct McpSetServersReply;
struct ReadFileReply;
struct ReloadPluginsReply;
struct RewindFilesReply;
}  // namespace control
namespace mcp {
struct ResourceContents;
}  // namespace mcp
class Transport;

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
  /// Waits for the answer that start() did not wait for. kTimeout with a timeout of one's own: ask
  /// again.
  Result<void> wait_ready(Timeout timeout = std::nullopt);
  /// Says that no more prompts will come. The agent finishes what it has; receive() then gives the
  /// rest and the end. Handlers go on answering only while the CLI listens.
  void end_input();
  /// Ends everything: input, then SIGTERM, then SIGKILL (Options::deadlines). Pending calls fail
  /// with kClosed, also a connect() that is on its way, which then ends what it has started.
  /// Returns when the process is gone; the transcript stays. Idempotent.
  void close();
  /// Connected and not ended.
  [[nodiscard]] bool alive() const;

  // ---- talking ----

  /// Sends a prompt; while the agent is busy it is queued there. The uuid of the message.
  Result<std::string> send(Prompt prompt);
  /// The next message. Nothing: the session has ended well and there is no more. Errors: kTimeout
  /// (nothing is lost, ask again), kProcess (the CLI died; see failure()), kClosed.
  /// Not with Options::on_message.
  Result<std::optional<Message>> receive(Timeout timeout = std::nullopt);
  /// Like receive(), if there is a message now. kTimeout if there is none.
  Result<std::optional<Message>> try_receive();
  /// With Options::line_stream, instead of receive(): all that the agent writes, line by line and
  /// in its order. Messages, requests that wait for answer(), their cancellations, the answer to
  /// `initialize` (once), and lines that are no messages. Errors as receive().
  Result<std::optional<ReceivedLine>> receive_line(Timeout timeout = std::nullopt);
  /// Like receive_line(), if there is a line now. kTimeout if there is none.
  Result<std::optional<ReceivedLine>> try_receive_line();
  /// Answers a request that came from receive_line(), once; `body` is the response as the agent
  /// wants it. kNotFound if it was answered or cancelled before.
  Result<void> answer(const std::string& request_id, const RawJson& body);
  /// The same with what a session without a handler for such requests would say.
  Result<void> decline(const std::string& request_id);
  /// Readable while try_receive() has something to say, the end included. For poll() and event
  /// loops, level-triggered or edge-triggered (then call try_receive() until it says kTimeout or
  /// the end). It may also be readable for a line that turns out to be broken, so do not wait in
  /// receive() because of it. The same descriptor as long as the session lives; do not read from it
  /// or close it. An error if the system has none left, and with Options::on_message.
  Result<int> fd();
  /// Reads up to the next result, showing each message to `each` (the last is the result). An
  /// error if the turn failed (error_of), or as receive(). With Options::on_message it waits until
  /// the next result has been delivered there, and is an error inside of it. Whichever prompt that
  /// result answers: after a timeout or an interrupt it may be that of an earlier one.
  Result<ResultMessage> wait_turn(Timeout timeout = std::nullopt,
                                  const std::function<void(const Message&)>& each = {});
  /// Sends the prompt and waits for its own result, whatever else is answered meanwhile; what is
  /// read on the way, and not taken by somebody else, is dropped. After a kTimeout the agent still
  /// works on the prompt, but its result is nobody's. kCancelled if the prompt was withdrawn
  /// before it was answered, kInvalid if the agent had one with its uuid before and does not run
  /// it again. Several threads may ask at a time. With Options::on_message as wait_turn().
  Result<ResultMessage> ask(Prompt prompt, Timeout timeout = std::nullopt);
  /// Interrupts the running turn and returns when it has ended. Messages are left for receive().
  /// May be called before the first message has come, while a handler waits, or when idle.
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

  // ---- control requests: typed, raw, and by name ----

  /// Any request with a type: session.request(control::GetUsage{}).
  template <class Request>
  requires(!std::is_same_v<Request, RawJson>) Result<typename ReplyOf<Request>::type> request(
      Request body, Timeout timeout = std::nullopt) {
    const Result<RawJson> raw = request_body(Box<ControlBody>(std::move(body)), timeout);
    if (!raw) return raw.error();
    return decode<typename ReplyOf<Request>::type>(raw->text);
  }
  /// Any request at all: {"subtype": "...", ...}. The reply is `{}` if there was none. An error of
  /// the agent is kRemote, with its error code as context.
  Result<RawJson> request(const RawJson& body, Timeout timeout = std::nullopt);
  /// Sends a message that is none of the above, as it is.
  Result<void> send_raw(const RawJson& line);

  /// What the name was resolved to, if the CLI says; nullopt takes the default model.
  Result<std::optional<std::string>> set_model(std::optional<std::string> model);
  Result<void> set_permission_mode(PermissionMode mode);
  /// nullopt takes the limit away.
  Result<void> set_max_thinking_tokens(std::optional<std::int64_t> tokens);
  Result<void> stop_task(std::string task_id);
  /// Moves what runs to the background: all, or what one tool call started. Whether anything was.
  Result<bool> background_tasks(std::optional<std::string> tool_use_id = std::nullopt);
  Result<control::GetTaskOutputReply> task_output(std::string task_id);
  /// Puts files back to before a user message. Needs Options::file_checkpoints.
  Result<control::RewindFilesReply> rewind_files(std::string user_message_uuid,
                                                 bool dry_run = false);
  /// Whether the message was still queued and is withdrawn now.
  Result<bool> cancel_message(std::string uuid);
  Result<void> rename(std::string title);
  Result<void> set_color(std::string color);
  /// Whether anybody looks at what the session says; nullopt leaves it to the agent.
  Result<void> set_has_subscribers(std::optional<bool> has);
  Result<void> end_session();

  Result<control::GetContextUsageReply> context_usage();
  Result<control::GetUsageReply> usage();
  Result<std::string> cost();
  Result<std::vector<ModelInfo>> models();
  Result<std::vector<AgentInfo>> agents();
  Result<AccountInfo> account();
  Result<std::string> cli_version();
  Result<control::GetSettingsReply> settings();
  Result<void> apply_settings(RawJson settings);
  Result<void> update_settings(control::SettingsSource file, RawJson settings);
  Result<control::GetHooksListingReply> hooks_listing();
  Result<control::ListPermissionRulesReply> permission_rules();

  Result<std::vector<McpServerStatus>> mcp_status();
  Result<void> mcp_reconnect(std::string server);
  Result<void> mcp_toggle(std::string server, bool enabled);
  Result<control::McpSetServersReply> mcp_set_servers(Map<McpServerConfig> servers);
  Result<std::vector<mcp::ResourceContents>> mcp_read_resource(std::string server, std::string uri);
  Result<control::McpCallReply> mcp_call(std::string full_tool_name, RawJson arguments);
  Result<void> mcp_permission_mode(std::string server, std::optional<PermissionMode> mode);
  /// Waits until no configured MCP server is still connecting; servers that failed do not count as
  /// connecting. An error of kTimeout names those that are.
  Result<std::vector<McpServerStatus>> wait_mcp_ready(std::chrono::milliseconds timeout);

  Result<control::ReadFileReply> read_file(std::string path);
  Result<std::vector<control::FileSuggestion>> file_suggestions(std::string query);
  Result<void> seed_read_state(std::string path, std::int64_t mtime_ms);
  Result<void> register_repo_root(std::string directory);
  Result<control::ReloadPluginsReply> reload_plugins();
  Result<std::vector<SlashCommand>> reload_skills();
  Result<std::vector<std::string>> reload_output_styles();
  /// Changes variables of the running CLI. The names that it took: 2.1.38 takes all, and its
  /// commands see them; 2.1.325 takes only credentials, such as CLAUDE_CODE_OAUTH_TOKEN.
  Result<std::vector<std::string>> update_environment(Map<std::string> variables);

 private:
  class Impl;
  [[nodiscard]] std::shared_ptr<Impl> inside() const;
  Result<RawJson> request_body(const Box<ControlBody>& body, Timeout timeout);

  std::shared_ptr<Impl> impl_;
};

}  // namespace parley
