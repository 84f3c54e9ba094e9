// Commands that make, change or remove files and do nothing else: mkdir, touch, cp, mv, rm, rmdir,
// and sed as long as its script only edits.
#pragma once

#include <vector>

#include "read_only.hpp"

namespace parley::agent {

struct FileCall {
  bool known = false;           ///< One of these commands.
  bool simple = false;          ///< Used in a way that is read: `files` is then all it touches.
  bool removes = false;         ///< rm, rmdir.
  bool edits = true;            ///< May run in acceptEdits.
  std::vector<FileWord> files;  ///< Read or written.
};

[[nodiscard]] FileCall file_call(const Words& words);

}  // namespace parley::agent
