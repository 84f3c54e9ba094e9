// Commands that make, change or remove files and do nothing else: mkdir, touch, cp, mv, rm, rmdir,
// and sed as long as its script only edits.
#pragma once

#include <string>
#include <vector>

#include "read_only.hpp"

namespace parley::agent {

struct FileCall {
  bool known = false;    ///< One of these commands.
  bool simple = false;   ///< Used in a way that is read: `files` is then all it touches.
  bool removes = false;  ///< rm, rmdir.
  bool edits = true;     ///< May run in acceptEdits.
  /// Puts what it finds in its first files into the last one (cp, mv).
  bool places_files = false;
  bool takes_trees = false;     ///< ... with all that is in a folder, links as links.
  std::vector<FileWord> files;  ///< Read or written.
  /// Patterns (Word::glob) in places where a name that begins with a dash would be an option.
  std::vector<std::string> open_patterns;
};

[[nodiscard]] FileCall file_call(const Words& words);

}  // namespace parley::agent
