// The little that the Bash tool itself wants to know about a command line: whether it only sleeps,
// whether it normally says nothing, and what its exit code means. Guesses for display and advice,
// never for permission.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace parley::agent {

/// "sleep 60", if the command is that and nothing else and takes longer than twenty seconds.
[[nodiscard]] std::optional<std::string> standalone_sleep(std::string_view command);

/// A command such as mv that says nothing when all goes well.
[[nodiscard]] bool is_silent_command(std::string_view command);

/// What a non-zero exit code says that is no failure ("No matches found" of grep).
[[nodiscard]] std::optional<std::string> exit_meaning(std::string_view command, int code);

}  // namespace parley::agent
