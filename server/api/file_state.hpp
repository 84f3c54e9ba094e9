// What lies at a path that a tool would write to: nothing, a file of so many lines, or something
// else; and the text of a file. Only within one folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "wire/error.hpp"

namespace parley::server {

struct FileState {
  enum class Kind { none, file, folder, other };
  Kind kind = Kind::none;
  std::uint64_t bytes = 0;             ///< Of a file.
  std::optional<std::uint64_t> lines;  ///< Of a file that is not too long to be counted.
};

/// Files beyond this many bytes are not counted.
inline constexpr std::uint64_t kMostCounted = std::uint64_t{16} << 20;

/// Looks at `path`, which may be relative to `folder`. Links are resolved first: `permission` if it
/// leads out of the folder, whatever lies there. Reads the file, so not on a loop.
[[nodiscard]] Result<FileState> file_state(const std::string& folder, const std::string& path);

/// Longer files are not shown.
inline constexpr std::uint64_t kMostShownText = std::uint64_t{1} << 20;

/// The text of a file, with the same rules. `not_found` if there is none, `too_large`, or
/// `unexpected` if it is no UTF-8.
[[nodiscard]] Result<std::string> file_text(const std::string& folder, const std::string& path);

}  // namespace parley::server
