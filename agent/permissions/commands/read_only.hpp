// Commands that only look. Which they are, and which files they look at.
#pragma once

#include <string>
#include <vector>

#include "invocation.hpp"

namespace parley::agent {

/// A word of a command that may name a file.
struct FileWord {
  shell::Word word;
  std::string text;  ///< The part that is the path (`/x` of `--file=/x`).
  std::string glob;  ///< The same part as a pattern, see Word::glob.

  FileWord() = default;
  explicit FileWord(const shell::Word& whole) : word(whole), text(whole.text), glob(whole.glob) {}
};

struct ReadOnlyCall {
  bool read_only = false;
  /// Looks at more files than it names: all below a folder, or earlier contents of them.
  bool wide = false;
  /// What a folder among its files makes it read cannot be told (diff follows links in it).
  bool files_only = false;
  bool uses_repository = false;  ///< Runs what the configuration of a git repository says.
  std::vector<FileWord> files;   ///< What it may read; each must lie where reading is allowed.
  /// Patterns (Word::glob) in places where a name that begins with a dash would be an option.
  std::vector<std::string> open_patterns;
  std::string refusal;  ///< Why no rule for the program may cover this call; mostly empty.
};

/// The words from `from` on that may name files, values of options included.
[[nodiscard]] std::vector<FileWord> file_words(const Words& words, std::size_t from);

/// `words` without wrappers. A name with a folder ("./ls", "/tmp/ls") is never one of them.
[[nodiscard]] ReadOnlyCall read_only_call(const Words& words);

/// Whether the program is one that can be used to look only, in whatever way it is used here.
[[nodiscard]] bool is_read_only_program(std::string_view name);

}  // namespace parley::agent
