// Makes transcripts like those that agents write, as large as wanted and the same every time.
#pragma once

#include <cstdint>
#include <string>

namespace parley::bench {

/// A word that stands in about one message of every thousand.
inline constexpr const char* kRareWord = "chrysoprase";

/// Who wrote the transcripts.
enum class TreeStyle {
  current,
  older_version,  ///< Other keys, in another order: no entrypoint, no gitBranch.
  other_writer,   ///< Blanks behind colons and commas, the type first.
  long_lines,     ///< Results of megabytes.
  non_ascii,      ///< Hardly a byte of ASCII in the texts.
  short_lines,    ///< 2,000 lines in half a megabyte.
};

struct TreeShape {
  int sessions = 600;
  std::uint64_t bytes = 700'000'000;  ///< In all, roughly.
  TreeStyle style = TreeStyle::current;
};

/// Fills <root>/projects; sessions differ in size by a factor of about ten. Returns the bytes
/// written.
std::uint64_t make_tree(const std::string& root, const TreeShape& shape);

/// One session of the given size; returns its id.
std::string make_session(const std::string& root, std::uint64_t bytes);

}  // namespace parley::bench
