// Two engines behind Grep: ripgrep where it is installed, else our own. Both give the lines that
// ripgrep would print.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "../../../wire/tools/inputs.hpp"
#include "../tool.hpp"

namespace parley::agent {

/// How long a search may take; then what was found counts.
inline constexpr std::chrono::seconds kSearchTime{20};

struct TextSearch {
  const tools::GrepInput& input;
  std::filesystem::path target;  ///< An existing file or folder.
  bool is_file = false;
  /// Files below the target that must be passed over; empty if none.
  std::function<bool(const std::filesystem::path&)> hidden;
};

/// What was found: files, or lines, or counts ("a.txt:3"), by `input.output_mode`. Names are
/// absolute, and left out where the target is a file.
using FoundLines = std::vector<std::string>;

/// Errors: `invalid` for a pattern, glob or type that cannot be used; the text is for the model.
[[nodiscard]] Result<FoundLines> search_with_ripgrep(const TextSearch& search, const ToolCall& call,
                                                     const std::filesystem::path& program);
[[nodiscard]] Result<FoundLines> search_ourselves(const TextSearch& search, const ToolCall& call);

}  // namespace parley::agent
