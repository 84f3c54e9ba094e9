// Where a path really leads, and whether that is a place where the agent may work. Looks at the
// file system, changes nothing.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace parley::agent {

/// A path as it was named and as the links on its way make it.
struct Place {
  std::filesystem::path named;  ///< Absolute, `.` and `..` resolved by text.
  std::filesystem::path real;   ///< Every link followed, also a last one that leads to nothing yet.
};

/// Nothing if the path cannot be resolved (a loop of links, a folder that may not be read); such a
/// path is inside nowhere.
[[nodiscard]] std::optional<Place> locate(const std::filesystem::path& absolute);

/// Whether a `..` in the path leads elsewhere than the text says, because of a link in front of it;
/// also if that cannot be told.
[[nodiscard]] bool leads_elsewhere(const std::filesystem::path& absolute);

/// `text` against `folder`, without looking at the disk. `~` and `~/...` stand for `home`.
[[nodiscard]] std::filesystem::path absolute_path(std::string_view text,
                                                  const std::filesystem::path& folder,
                                                  const std::filesystem::path& home);

/// Whether `path` is `folder` or below it, by text.
[[nodiscard]] bool is_within(const std::filesystem::path& path,
                             const std::filesystem::path& folder);
/// Whether the place is in one of the folders, both as named or both as they really are: a link
/// that leads out of the folders is outside.
[[nodiscard]] bool is_within(const Place& place, const std::vector<Place>& folders);

/// Files that decide what later runs: editing them is asked in every mode but bypassPermissions.
enum class Protection {
  none,
  sensitive,  ///< Version control, shell start files, editor and agent configuration.
  settings,   ///< The agent's own settings files.
};
[[nodiscard]] Protection protection(const Place& place);

}  // namespace parley::agent
