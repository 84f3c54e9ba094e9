// Lines out of a file of any size: only those asked for are ever in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>

#include "../../../wire/error.hpp"

namespace parley::agent {

struct LineRange {
  std::int64_t first = 1;             ///< Counted from 1.
  std::optional<std::int64_t> count;  ///< All that follow if not set.
  std::uint64_t most_bytes = 0;       ///< Of the lines together.
  bool cut = false;                   ///< Cut there instead of failing.
};

struct Lines {
  std::string text;        ///< Joined with \n, none at the end unless the file's own last one.
  std::int64_t count = 0;  ///< What follows the last \n counts as a line, also if it is empty.
  std::int64_t total = 0;  ///< Of the whole file.
  bool was_cut = false;
};

/// Errors: `too_large` with the size of the file in the context; `unexpected` for a file that is no
/// text; else those of read_bytes().
[[nodiscard]] Result<Lines> read_lines(const std::filesystem::path& file, const LineRange& range,
                                       const std::stop_token& stop);

}  // namespace parley::agent
