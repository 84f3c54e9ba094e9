// What an agent has on disk of a session, and what it says if it has nothing. Files are only read,
// and only those of the roots that are given: an agent may keep its record elsewhere, so that
// nothing is proven by what is not found.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wire/messages/messages.hpp"

namespace parley::server {

struct AgentRecord {
  bool found = false;                ///< There is a transcript with something in it.
  std::vector<std::string> prompts;  ///< Those of the prompts in question that are in it.
};

/// Looks for prompts, by their uuids, in the transcript of an agent's session. Reads all of it: not
/// on the hub's loop.
[[nodiscard]] AgentRecord read_agent_record(const std::vector<std::string>& roots,
                                            const std::string& agent_session,
                                            const std::vector<std::string>& prompts);

/// Whether a result says that the session that was to be resumed does not exist. Any other failure
/// leaves open whether it can be resumed later.
[[nodiscard]] bool has_no_conversation(const ResultMessage& result);
/// Whether the words on stderr say that a new session has the id of an old one.
[[nodiscard]] bool is_session_in_use(std::string_view words);

}  // namespace parley::server
