// One turn of the session's own conversation: prompts in, a result out. Hooks have their say about
// the prompts, the loop answers them, and the client hears of the beginning and the end.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "../session/deferred_call.hpp"
#include "../session/running_turn.hpp"
#include "../session/session_title.hpp"
#include "agent_loop.hpp"
#include "prompt_suggestion.hpp"

namespace parley::agent {

/// What the turns of a session need besides TurnContext, and what one leaves to the next. A
/// subagent has nothing of this: it has no init, no result and no prompts of a client.
struct SessionTurnContext {
  TurnContext& turn;
  Guarded<SessionOverrides>& overrides;
  RunningTurn& running;
  SessionTitle& title;
  PromptReporter& reporter;
  /// Returns when the session knows what it has to offer, or is stopped.
  std::function<SystemInit(const std::stop_token& stop)> init_message;
  AskModel ask_small_model;
  bool drop_unavailable_call = false;  ///< Forget a deferred call whose tool is gone.
  /// Of the earlier run: still to be carried out. Of the turn thread.
  std::optional<DeferredCall> deferred = {};
};

/// Of the turn thread; one object per turn.
class Turn {
 public:
  explicit Turn(SessionTurnContext& session) : session_(session), context_(session.turn) {}

  /// Answers the prompts together, up to the result.
  void run(std::vector<UserMessage> prompts);
  /// Carries out the call that a hook put off in the earlier run, and lets the model go on.
  void run_deferred();

 private:
  /// Whose words a prompt is. The agent's own are not shown, and not what the user said last.
  enum class Author { client, agent };

  void begin();
  void end();
  bool execute_deferred(const DeferredCall& deferred);
  void report_unavailable(const DeferredCall& deferred);
  void submit(std::vector<UserMessage> prompts, Author author);
  void append_prompt(const UserMessage& prompt, Author author);
  void append_queued_prompts();
  void send_result();

  SessionTurnContext& session_;
  TurnContext& context_;
  TurnRecord record_ = TurnRecord::begin();
  std::stop_token stop_;
  std::optional<AgentLoop> loop_;
  std::vector<UserMessage> prompts_;  ///< What the turn answers.
};

}  // namespace parley::agent
