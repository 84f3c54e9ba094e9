// From the transcript that an agent has left elsewhere to a log of the hub.
#pragma once

#include <memory>

#include "history/listing/session_info.hpp"
#include "server/events/session_state.hpp"
#include "server/log/log.hpp"

namespace parley::server {

/// What a session of elsewhere becomes.
struct Adopted {
  std::unique_ptr<SessionLog> log;
  SessionState state;
};

/// Writes the log: the end of the conversation, and what is missing from it. On any thread, because
/// nobody else knows of it yet. After an error the store may have a part of it.
[[nodiscard]] Result<Adopted> adopt_conversation(LogStore& store, const history::SessionInfo& info);

}  // namespace parley::server
