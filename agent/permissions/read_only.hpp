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
};

struct ReadOnlyCall {
  bool read_only = false;
  /// Looks at more files than it names: all below a folder, or earlier contents of them.
  bool wide = false;
  std::vector<FileWord> files;  ///< What it may read; each must lie where reading is allowed.
  std::string refusal;          ///< Why no rule for the program may cover this call; mostly empty.
};

/// The words from `from` on that may name files, values of options included.
[[nodiscard]] std::vector<FileWord> file_words(const Words& words, std::size_t from);

/// `words` without wrappers. A name with a folder ("./ls", "/tmp/ls") is never one of them.
[[nodiscard]] ReadOnlyCall read_only_call(const Words& words);

}  // namespace parley::agent
