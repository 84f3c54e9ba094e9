// The inside of a Session. Internal to client/.
//
// Three kinds of threads meet here: the loop's thread calls the TransportSink members and never
// waits; dispatcher threads run handlers; the user's threads call the rest. `mutex_` guards what
// they share; no callback and no transport call that could wait is made with it held.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "../../transport/loop.hpp"
#include "../../transport/process.hpp"
#include "../../wire/control/replies.hpp"
#include "../../wire/framing.hpp"
#include "../handlers/dispatcher.hpp"
#include "../ledger/ledger.hpp"
#include "../observer.hpp"
#include "../session.hpp"
#include "../store/resume_folder.hpp"
#include "../store/store_writer.hpp"
#include "message_queue.hpp"
#include "prompt_tracker.hpp"
#include "turn_state.hpp"

namespace parley {

struct LaunchPlan;
namespace detail {
class McpConnection;
}  // namespace detail

class Session::Impl final : public TransportSink, public std::enable_shared_from_this<Impl> {
 public:
  using Clock = std::chrono::steady_clock;
  using MakeTransport = std::function<std::unique_ptr<Transport>()>;

  Impl(Options options, MakeTransport make_transport);
  ~Impl() override;

  // ---- life ----
  Result<void> start();
  Result<void> wait_ready(Timeout timeout);
  void end_input();
  void close();
  [[nodiscard]] bool alive() const;

  // ---- talking ----
  Result<std::string> send(Prompt prompt);
  Result<void> write_line(std::string line);
  Result<Message> receive(std::optional<Clock::time_point> deadline);
  Result<ReceivedLine> receive_line(std::optional<Clock::time_point> deadline);
  Result<void> answer(const std::string& request_id, const RawJson& body);
  Result<void> decline(const std::string& request_id);
  Result<int> fd();
  Result<InterruptReceipt> interrupt(bool cancel_queued);

  // ---- turns that somebody holds (turns.cpp) ----
  std::shared_ptr<detail::TurnState> ask(Prompt prompt);
  void drop_turn(detail::TurnState& state);
  [[nodiscard]] bool turn_over(const detail::TurnState& state) const;
  Result<Message> next_of(detail::TurnState& state, std::optional<Clock::time_point> deadline);
  Result<ResultMessage> result_of(detail::TurnState& state,
                                  std::optional<Clock::time_point> deadline);
  Result<InterruptReceipt> interrupt_turn(detail::TurnState& state);
  Result<int> fd_of(detail::TurnState& state);

  /// The agent has taken a queued prompt back.
  void withdrawn(const std::string& uuid);
  /// The agent has told its slash commands.
  void keep_commands(const std::vector<SlashCommand>& commands) const;
  /// JSON as a frame: one line, whatever blanks the caller's text had.
  [[nodiscard]] static std::string one_line(const RawJson& text, const Json& value);
  /// Any request of a caller: {"subtype": "...", ...}.
  Result<RawJson> request(const RawJson& body, Timeout timeout);
  /// The same, known to be one line of JSON; `what` names it in errors.
  Result<RawJson> request(const std::string& body, std::string_view what, Timeout timeout);
  /// Any line that is answered under an id of ours, which it gets from here.
  Result<RawJson> exchange(const std::function<std::string(const std::string& id)>& line,
                           std::string_view what, Timeout timeout);

  // ---- state ----
  /// Calls `look` with the lock held.
  template <class F>
  auto with_state(F look) const {
    const std::lock_guard lock(mutex_);
    return look(*this);
  }
  [[nodiscard]] const Ledger& ledger() const { return ledger_; }
  [[nodiscard]] const std::optional<control::InitializeReply>& init_reply() const {
    return init_reply_;
  }
  [[nodiscard]] const std::optional<ResultMessage>& last_result() const { return last_result_; }
  [[nodiscard]] const std::optional<Failure>& failure() const { return failure_; }
  [[nodiscard]] const std::string& stderr_tail() const { return stderr_tail_; }
  [[nodiscard]] std::optional<int> pid() const;

  // ---- TransportSink, on the loop's thread ----
  void on_output(std::string_view bytes) override;
  void on_error_output(std::string_view bytes) override;
  void on_input_lost(const Error& reason) override;
  void on_end(const ExitStatus& status) override;

 private:
  /// A control request of ours that waits for its answer.
  struct Asked {
    std::string what;
    std::optional<Result<RawJson>> answer;
  };
  /// A control request of the agent that waits for ours.
  struct Asking {
    std::string kind;
    std::stop_source stop;
    bool as_line = false;  ///< The user got it by receive_line().
    /// The answer if there is no other in time.
    struct Late {
      std::chrono::milliseconds limit;
      Clock::time_point due;
      std::string about;
      Result<RawJson> answer;
    };
    std::optional<Late> late;  ///< If there is a deadline.
  };

  /// Where messages go: to turns that somebody holds, to receive(), or, with neither, nowhere.
  struct Destination {
    std::vector<std::shared_ptr<detail::TurnState>> turns;
    bool stream = true;
    bool operator==(const Destination&) const = default;
    [[nodiscard]] bool nowhere() const { return turns.empty() && !stream; }
  };

  // Life (session_impl.cpp).
  Result<void> launch();
  Result<std::unique_ptr<Transport>> make_process(const LaunchPlan& plan);
  Result<void> prepare_user(ProcessSpec& spec) const;
  Result<void> prepare_store(ProcessSpec& spec);
  [[nodiscard]] std::shared_ptr<detail::StoreWriter> make_store_writer();
  Error fail_start(Error error);
  /// Fails the session if `initialize` is not answered in time, whether somebody waits or not.
  void limit_initialize();
  void on_initialize_late();
  void fail_asked(const Error& error);
  void stop_asking();
  [[nodiscard]] Phase phase() const;
  /// What a program that speaks another language said instead of a message; empty if nothing.
  [[nodiscard]] std::string misheard() const;
  [[nodiscard]] Error end_error() const;

  /// With the lock held: what is known now about a failure of this kind.
  [[nodiscard]] Failure failure_now(const Error& error) const;

  // Asking (asking.cpp).
  [[nodiscard]] static Error not_for_callbacks(std::string call);
  [[nodiscard]] static Error not_for_lines(std::string call);
  [[nodiscard]] static Error waits_for_itself(std::string call);

  // Turns (turns.cpp).
  /// With the lock held: there is no more to come.
  void settled(const std::shared_ptr<detail::TurnState>& state);
  /// With the lock held: nothing will ever answer these prompts.
  void fail_turns(const std::vector<std::string>& uuids, const Error& error);
  /// With the lock held: the session has ended.
  void end_turns(bool clear);
  /// With the lock held.
  [[nodiscard]] Destination destination_of(const std::vector<std::string>& uuids);
  /// From here on messages go there. On the loop's thread, as the next two.
  void turn_to(Destination to);
  /// Hands over the batch.
  void pass_on();
  /// Gives a message to all but the first, whose batch has it.
  template <class AddMessage>
  void copy_to_others(AddMessage add_message) {
    const std::size_t first = to_.stream ? 0 : 1;
    for (std::size_t i = first; i < to_.turns.size(); ++i) {
      auto copy = detail::MessageBatch::make();
      add_message(*copy);
      to_.turns[i]->queue.push(copy);
    }
  }
  /// With the lock held.
  void end_turns_with(const ResultMessage& result, const std::vector<std::string>& uuids);
  /// The result of these turns is in the batch.
  void finish_turns();
  [[nodiscard]] bool turns_carry_messages() const {
    return !options_.delivery.on_message && !options_.delivery.line_stream;
  }
  /// With the lock held: reading has stopped although somebody waits for a turn.
  void relieve();
  [[nodiscard]] Error end_of(const detail::TurnState& state) const;
  [[nodiscard]] Error timeout_error(std::string message) const;

  // Reading (reading.cpp).
  void read_lines();
  void on_line(std::string_view line);
  /// Left to whoever takes it, as it is.
  void on_stream_event(std::string_view line);
  void on_bad_line(const Error& error, std::string_view line);
  /// What is delivered of a line that was left to whoever takes it, and cannot be decoded. Runs on
  /// their thread.
  std::optional<Message> salvage(std::string_view line, const Error& error);
  void tell_bad_line(const Error& error, std::string_view line);
  void tell_unknown(const Unknown& unknown);
  /// Whether it is also for the user.
  bool on_control(const Message& message);
  /// Any other message. Whether it is also for the user.
  bool on_message(Message& message);
  /// With the lock held. `settled`: the prompts that the message settles, if it is a result.
  [[nodiscard]] Destination find_destination(const Message& message,
                                             const std::vector<std::string>& settled);
  /// Adds to the batch what was not decoded there. `text` is its line, if it is one of the agent.
  void add(Message message, std::size_t bytes, std::string_view text);
  [[nodiscard]] detail::MessageBatch& batch();
  /// One that takes another message.
  [[nodiscard]] detail::MessageBatch& batch_with_room();
  void on_response(const ControlResponse& response);
  void answer_asked(const std::string& id, Result<RawJson> answer);
  void update_flow();
  /// There is something to take: has it taken, if that is not left to receive().
  void deliver();
  void deliver_messages();
  void tell_ready();
  Result<Message> take_for_delivery();
  /// What the end of the queue means: `end` if the session ended well.
  [[nodiscard]] Error end_of_queue() const;
  void notice(std::function<void(Observer&)> tell);
  void mirror(TranscriptMirror& written);
  void show_stderr(std::string_view bytes);
  /// What stood there without a newline.
  void end_stderr();
  /// Whether nobody is telling of earlier lines, so that tell_stderr() is due.
  bool add_stderr_line(std::string line);
  void tell_stderr();

  // Serving (serving.cpp).
  /// Whether the request is left to the user, who gets it as a line.
  bool serve(const ControlRequest& request);
  /// Whether that is news for the user, who got the request as a line.
  bool cancel(const std::string& request_id);
  void serve_permission(const std::string& id, const control::CanUseTool& ask,
                        const std::stop_token& stop);
  void serve_hook(const std::string& id, const control::HookCallback& call,
                  const std::stop_token& stop);
  [[nodiscard]] std::shared_ptr<detail::McpConnection> connect_server(const McpServer& server);
  void serve_mcp(const std::string& id, const control::McpMessage& message,
                 const std::stop_token& stop);
  void serve_elicitation(const std::string& id, const control::Elicitation& ask,
                         const std::stop_token& stop);
  void serve_dialog(const std::string& id, const control::RequestUserDialog& ask,
                    const std::stop_token& stop);
  [[nodiscard]] std::optional<Asking::Late> late_answer(const ControlBody& request,
                                                        const std::string& about) const;
  /// Sees to it that refuse_late() runs when the next deadline is over. Like that, on the loop's
  /// thread.
  void await_deadline();
  void refuse_late();
  /// Runs a handler on a thread of its own kind; an exception is an error reply.
  void run_handler(const std::string& id, std::function<void()> handler);
  /// Answers, unless the request was answered or cancelled before: false then. Nothing but this
  /// answers.
  bool reply_once(const std::string& id, const Result<RawJson>& answer,
                  std::optional<std::string> error_code = std::nullopt);
  /// The same for those who have nobody to tell.
  void reply(const std::string& id, const Result<RawJson>& answer,
             std::optional<std::string> error_code = std::nullopt);
  /// A Reply that ends in reply(); `encode` makes the wire form of an answer.
  template <class Answer, class Encode>
  Reply<Answer> make_reply(const std::string& id, Encode encode);
  void send_to_agent(const std::string& server, JsonRpcMessage message);

  Options options_;
  MakeTransport make_transport_;
  /// One for each of ToolOptions::in_process. Filled before the transport starts, with the lock
  /// held.
  std::vector<std::shared_ptr<detail::McpConnection>> connections_;
  std::shared_ptr<Loop> loop_;
  std::shared_ptr<detail::StoreWriter> store_;  ///< With TranscriptOptions::store.
  std::unique_ptr<detail::ResumeFolder> resume_folder_;
  std::unique_ptr<Transport> transport_;  ///< Set once, by start(), with the lock held.

  /// Of the queue and of all turns; they count here as long as they live.
  detail::Unread unread_;

  // Of the loop's thread.
  LineFramer framer_;
  std::shared_ptr<detail::MessageBatch> batch_;  ///< What was read and not passed on yet,
  Destination to_;                               ///< and where it goes.
  Destination next_to_;                          ///< Where the message goes that is being read.
  std::vector<std::shared_ptr<detail::TurnState>> finished_;  ///< By that message.
  std::string stderr_line_;
  std::string first_bad_line_;  ///< Its beginning.
  Loop::TimerId initialize_timer_ = 0;
  Loop::TimerId deadline_timer_ = 0;                   ///< For the earliest of asking_.
  std::optional<Clock::time_point> deadline_awaited_;  ///< When it runs; none if it does not.

  detail::MessageQueue queue_;
  std::atomic<bool> paused_{false};    ///< Changed with the lock held.
  std::atomic<bool> launched_{false};  ///< start() was called.
  std::atomic<bool> received_{false};  ///< Somebody takes what belongs to no turn.
  std::atomic<bool> has_turns_{false};
  std::shared_ptr<detail::Dispatcher> handlers_, messages_, notices_, stops_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool running_process_ = false;  ///< The transport has started; `initialize` is on its way.
  bool input_ended_ = false;
  bool closing_ = false;
  bool ended_ = false;
  bool delivering_ = false;  ///< A task for on_message is on its way.
  bool turn_ = false;        ///< The agent works, or is about to.
  std::optional<Error> input_lost_;
  ExitStatus exit_;
  Clock::time_point started_at_;
  std::string initialize_id_;
  std::optional<control::InitializeReply> init_reply_;
  std::optional<Failure> failure_;
  std::optional<ResultMessage> last_result_;
  std::uint64_t results_seen_ = 0;       ///< By the loop's thread.
  std::uint64_t results_delivered_ = 0;  ///< To on_message, or taken by receive_line().
  std::uint64_t next_id_ = 0;
  std::size_t waiting_ = 0;   ///< Threads that wait for something behind the messages.
  std::size_t starving_ = 0;  ///< Threads that wait for a message of a turn.
  std::mutex sending_;        ///< Held before mutex_: prompts are entered in the order of the wire.
  detail::PromptTracker prompts_;
  std::vector<std::shared_ptr<detail::TurnState>> turns_;  ///< That have not ended.
  std::map<std::string, Asked> asked_;
  std::map<std::string, Asking> asking_;
  Ledger ledger_;
  std::string stderr_tail_;
  std::deque<std::string> stderr_lines_;  ///< For on_stderr.
  std::size_t stderr_dropped_ = 0;
};

}  // namespace parley
