// What is known of a session, as a fold over its events: the same events always give the same
// state, before and after a restart. No I/O, no threads.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wire/json/json.hpp"
#include "wire/messages/messages.hpp"

namespace parley::server {

/// What happens to the agent's process. What people see is made from it, see SessionState::name().
enum class Life { starting, alive, ended, failed, stored };

/// A prompt that was accepted.
struct SentPrompt {
  std::string client_id;  ///< A UUID, also the uuid of the message on the wire.
  std::uint64_t seq = 0;
  bool begun = false;       ///< The process that runs, or ran last, has begun with it.
  bool begun_once = false;  ///< That one, or one before it.
  bool delivered = false;   ///< It is in the agent's own record: no agent can lose it any more.
  bool withdrawn = false;   ///< The user took it back before an agent had begun with it.
  Json content;             ///< Kept until it is delivered, to be sent again to a resumed agent.

  /// An agent has still to prove that it has it.
  [[nodiscard]] bool owed() const { return !delivered && !withdrawn; }
};

class SessionState {
 public:
  /// A new session; `id` is the hub's, which a new agent gets as its own.
  explicit SessionState(std::string id) : id_(std::move(id)) {}
  /// From snapshot(). An error if it was made by something else.
  static Result<SessionState> restore(const std::string& id, std::string_view snapshot);
  [[nodiscard]] std::string snapshot() const;

  /// One event of the log. What it does not know, it steps over.
  void apply(std::uint64_t seq, std::int64_t time, std::string_view event);
  /// The same for an agent event that is decoded already.
  void apply_message(std::uint64_t seq, std::int64_t time, const Message& message);

  [[nodiscard]] const std::string& id() const { return id_; }
  /// "starting", "idle", "running", "waiting", "ended", "failed" or "stored".
  [[nodiscard]] std::string_view name() const;
  [[nodiscard]] Life life() const { return life_; }
  [[nodiscard]] bool alive() const { return life_ == Life::starting || life_ == Life::alive; }
  /// What GET /api/sessions shows.
  [[nodiscard]] Json summary() const;
  /// The part of it that is worth telling: all but the numbers that change with every event.
  [[nodiscard]] std::string headline() const;

  [[nodiscard]] const std::string& cwd() const { return cwd_; }
  [[nodiscard]] const std::string& model() const { return model_; }
  [[nodiscard]] const std::string& mode() const { return mode_; }
  [[nodiscard]] const std::string& title() const { return title_; }
  /// What whoever made it calls that, so that asking again makes no second one; may be empty.
  [[nodiscard]] const std::string& client_id() const { return client_id_; }
  [[nodiscard]] std::int64_t updated() const { return updated_; }
  [[nodiscard]] std::uint64_t last_seq() const { return last_seq_; }
  /// What to resume; empty if the agent never said its session id, or has no record of it any more.
  [[nodiscard]] const std::string& agent_session() const { return agent_session_; }
  /// What an agent that has nothing to resume calls its session.
  [[nodiscard]] const std::string& new_agent_session() const {
    return new_agent_session_.empty() ? id_ : new_agent_session_;
  }
  /// Something was said by the agent that would have to be resumed.
  [[nodiscard]] bool answered() const { return answered_; }
  /// Requests that wait for an answer, by id, with the event that asked.
  [[nodiscard]] const std::map<std::string, std::uint64_t>& pending() const { return pending_; }
  /// Null if it was never accepted, or too long ago to be remembered.
  [[nodiscard]] const SentPrompt* find_prompt(std::string_view client_id) const;
  /// Accepted and not begun by the process that runs, in order.
  [[nodiscard]] std::vector<const SentPrompt*> waiting_prompts() const;
  /// Accepted and not proven to be in the agent's own record, in order.
  [[nodiscard]] std::vector<const SentPrompt*> owed_prompts() const;

 private:
  void touch(std::uint64_t seq, std::int64_t time);
  /// Somebody did something: what only follows from the end of a server is nothing of that kind.
  void note_activity(std::int64_t time) { updated_ = time; }
  void on_prompt(std::uint64_t seq, const Json& event);
  void on_state(const Json& event);
  void on_settings(const Json& event);
  void mark_begun(std::string_view client_id);
  void mark_delivered(std::string_view client_id);
  void on_turn_over();
  void forget_old_prompts();

  std::string id_;
  std::string cwd_, title_, model_, mode_, agent_session_, new_agent_session_, client_id_;
  Life life_ = Life::starting;
  bool busy_ = false;
  bool confirms_ = false;  ///< The agent says which prompts it takes up.
  bool answered_ = false;
  std::int64_t created_ = 0, updated_ = 0;
  std::int64_t prompted_ = 0;     ///< When a person last said something.
  std::uint64_t background_ = 0;  ///< Tasks that run beside the conversation.
  std::uint64_t last_seq_ = 0;
  double cost_before_ = 0;  ///< Of the processes that have ended.
  double cost_ = 0;         ///< Of the one that runs, which counts from zero.
  std::map<std::string, std::uint64_t> pending_;
  std::deque<SentPrompt> prompts_;
};

/// How many prompts are remembered, so that a repeated one is recognised.
inline constexpr std::size_t kRememberedPrompts = 1000;

}  // namespace parley::server
