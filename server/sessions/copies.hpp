// Copies of what an agent has on record of a session: another session that goes on from a point of
// it, and texts for other eyes. All of it reads and writes files: not on a loop.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "history/listing/session_info.hpp"
#include "wire/error.hpp"

namespace parley::server {

/// A new session with the conversation up to the message `up_to`, all of it if that is empty.
[[nodiscard]] Result<history::SessionInfo> fork_record(const std::vector<std::string>& roots,
                                                       const std::string& agent_session,
                                                       const std::string& up_to);

/// `format`: "markdown", "html" or "jsonl". `too_large` beyond 64 MiB.
[[nodiscard]] Result<std::string> export_record(const std::vector<std::string>& roots,
                                                const std::string& agent_session,
                                                std::string_view format);

}  // namespace parley::server
