// What the model is told of a session: messages in the form that the Messages API accepts. It
// refuses two messages of one role in a row, calls without results, results without calls, and
// messages with nothing in them; a run that was killed leaves all of these behind.
#pragma once

#include <string>
#include <vector>

#include "../../wire/messages/messages.hpp"

namespace parley::agent {

/// Adds a message: equal roles in a row become one message, results of tools first.
void add_to_conversation(std::vector<MessageParam>& messages, MessageParam message);

struct MendedConversation {
  std::vector<MessageParam> messages;   ///< Acceptable once `open_calls` have their results.
  std::vector<std::string> open_calls;  ///< Ids of the calls at the end that were never answered.
};

/// Makes a conversation whole that somebody else wrote down. Calls at its very end are kept, since
/// their results can still be given; everywhere else a call and a result that have no partner go.
[[nodiscard]] MendedConversation mend_conversation(std::vector<MessageParam> messages);

}  // namespace parley::agent
