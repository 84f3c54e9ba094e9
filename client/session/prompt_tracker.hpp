// Which prompts wait for their result, and which of them a result answers. Internal to client/.
//
// There are two kinds of agents. Those that name prompts (2.1.325, parley-agent) tell by
// `command_lifecycle` what becomes of each, and a result says which ones it answers: several if
// they were merged into one turn, none of ours if the agent began the turn itself. Others (2.1.38,
// dialects) name nothing, and there the oldest prompt is the one that a result answers.
#pragma once

#include <deque>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "../../wire/messages/messages.hpp"

namespace parley::detail {

/// Not for several threads at once.
class PromptTracker {
 public:
  /// Prompts that wait no more: the result that was seen answers them, or, with an error, nothing
  /// ever will.
  struct Settled {
    std::vector<std::string> uuids;
    std::optional<Error> error;
  };

  /// A prompt is about to be written.
  void sent(const std::string& uuid);
  /// It was not written, or was withdrawn.
  void forget(const std::string& uuid);
  /// Takes in what a message says about prompts.
  Settled see(const Message& message);
  /// The prompts that the agent works on: several if it merged them into one turn, none between
  /// turns and in turns that it began itself.
  [[nodiscard]] std::vector<std::string> running() const;

 private:
  struct Waiting {
    std::string uuid;
    bool queued = false;   ///< The agent has it.
    bool started = false;  ///< The agent works on it.
    bool folded = false;   ///< May have been taken into the running turn, along with a tool result.
  };

  Settled on_lifecycle(const CommandLifecycle& told);
  Settled on_result(const ResultMessage& result);
  void on_init();
  void on_user(const UserMessage& message);
  Waiting* find(const std::string& uuid);

  std::deque<Waiting> waiting_;     ///< Oldest first.
  std::set<std::string> answered_;  ///< By who names nothing: a repeated uuid is not run again.
  bool names_prompts_ = false;      ///< The agent tells what becomes of prompts.
  bool init_per_turn_ = false;      ///< The agent tells when a turn begins.
  bool own_turn_ = false;           ///< The agent runs a turn that answers no prompt.
};

}  // namespace parley::detail
