// Does again what the client of a recording did, through the SDK: against a replay of the CLI that
// was recorded, sends the same prompts and requests at the same points and answers what it is
// asked.
#pragma once

#include <string>
#include <vector>

#include "transport/transport.hpp"
#include "wire/json/json.hpp"

namespace parley::test {

/// How a run ended, as its client could see it.
struct RunEnd {
  std::vector<std::string> messages;  ///< "system/init", "assistant", …, without control traffic.
  std::vector<std::string> results;   ///< The subtypes of the result messages.
  ExitStatus exit;
  std::string stuck;  ///< What was waited for in vain; empty if all went well.
  bool operator==(const RunEnd&) const = default;
};

/// The end that the recording itself tells of.
RunEnd recorded_end(const std::vector<Json>& events);
/// The end that the SDK reaches. `events` are those of one run.
RunEnd replayed_end(const std::vector<Json>& events);

}  // namespace parley::test
