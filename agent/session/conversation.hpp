// What the model is told of a session: messages in the form that the Messages API accepts. It
// refuses two messages of one role in a row, calls without results, results without calls, and
// messages with nothing in them; a run that was killed leaves all of these behind.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "../../wire/messages/messages.hpp"

namespace parley::agent {

/// Adds a message: equal roles in a row become one message, results of tools first.
void add_to_conversation(std::vector<MessageParam>& messages, MessageParam message);

/// The conversation that the model is asked to go on with. The thread that runs its turns is the
/// only one that adds to it, and reads it without a lock; others use read().
class Conversation {
 public:
  /// Begins with what an earlier run said. Before the first turn.
  void restore(std::vector<MessageParam> messages);
  /// Of the turn thread.
  void append(MessageParam message);
  /// Of the turn thread.
  [[nodiscard]] const std::vector<MessageParam>& messages() const { return messages_; }
  /// Calls `read` with the messages, under the lock. Of any thread.
  template <class F>
  void read(const F& read) const {
    const std::lock_guard lock(mutex_);
    read(messages_);
  }

  /// The words of the user's last prompt; empty before there is one. Of the turn thread.
  [[nodiscard]] const std::string& last_prompt() const { return last_prompt_; }
  void set_last_prompt(std::string words) { last_prompt_ = std::move(words); }

 private:
  mutable std::mutex mutex_;
  std::vector<MessageParam> messages_;
  std::string last_prompt_;
};

struct MendedConversation {
  std::vector<MessageParam> messages;   ///< Acceptable once `open_calls` have their results.
  std::vector<std::string> open_calls;  ///< Ids of the calls at the end that were never answered.
};

/// Makes a conversation whole that somebody else wrote down. Calls at its very end are kept, since
/// their results can still be given; everywhere else a call and a result that have no partner go.
[[nodiscard]] MendedConversation mend_conversation(std::vector<MessageParam> messages);

}  // namespace parley::agent
