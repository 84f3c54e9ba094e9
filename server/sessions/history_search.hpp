// Finds a text in everything that was said in all sessions, from the transcripts that agents leave.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "wire/error.hpp"

namespace parley::server {

struct FoundText {
  std::string agent_session;
  std::string kind;  ///< "user", "assistant", "thinking", "call", "result" or "system".
  std::string timestamp;
  std::string before, match, after;  ///< The line that it stands in, cut where that is long.
};

struct FoundTexts {
  std::vector<FoundText> hits;  ///< The session that was changed last comes first.
  std::size_t count = 0;        ///< All of them, also those that are left out.
};

/// Without regard to case. Reads every transcript, on all processors: not on a loop.
[[nodiscard]] Result<FoundTexts> search_history(const std::vector<std::string>& roots,
                                                std::string_view text);

}  // namespace parley::server
