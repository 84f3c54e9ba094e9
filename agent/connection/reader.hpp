// The one reader of stdin: prompts into the queue, answers to who waits for them, requests of the
// client to their handlers.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "../session/session.hpp"

namespace parley::agent {

/// Reads until stdin ends or says something that ends the program: then the text for stderr. Runs
/// on a thread of its own. `after_line` is called when a line has been dealt with.
[[nodiscard]] std::optional<std::string> read_stdin(Session& session,
                                                    const std::function<void()>& after_line);

}  // namespace parley::agent
