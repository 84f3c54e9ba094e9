// What a pattern of the shell may stand for: never less than what the shell makes of it, now and
// then more. Looks at the file system, changes nothing.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace parley::agent::shell {

struct GlobMatches {
  std::vector<std::filesystem::path> paths;
  /// The folders that the shell reads to find them, the first one included.
  std::vector<std::filesystem::path> searched;
};
/// The paths below `folder` that `glob` (Word::glob) may match. Nothing if it reaches too far to be
/// looked at, or into a folder that cannot be read.
[[nodiscard]] std::optional<GlobMatches> possible_matches(const std::filesystem::path& folder,
                                                          std::string_view glob);

/// The folder in which the first part of the pattern is looked for.
[[nodiscard]] std::filesystem::path searched_folder(const std::filesystem::path& folder,
                                                    std::string_view glob);

/// Whether something in `folder` may turn the pattern into a word that begins with a dash, which a
/// program takes for an option. True if that cannot be told.
[[nodiscard]] bool may_match_option(const std::filesystem::path& folder, std::string_view glob);

}  // namespace parley::agent::shell
