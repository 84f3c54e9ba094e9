// Makes a message out of its line in the transcript.
#pragma once

#include <optional>
#include <string_view>

#include "conversation.hpp"
#include "transcript.hpp"

namespace parley::history {

/// Where a subagent's messages belong.
struct Parentage {
  std::optional<std::string> tool_use_id;
  std::optional<std::string> agent_id;
};

/// No value if the line is malformed: then it changed since its node was read.
[[nodiscard]] std::optional<Message> make_message(std::string_view line, const Step& step,
                                                  const Parentage& parentage = {});

}  // namespace parley::history
