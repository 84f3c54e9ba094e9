// The rules on what may include what, and on the size of files, as functions over a source tree in
// memory: the test runs them on the real tree, and on small made-up ones to see that they bite.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace parley::architecture {

/// Path relative to the root, with forward slashes -> content.
using Tree = std::map<std::string, std::string>;

/// One sentence per violation, starting with "path:line: ". Empty if all is well.
std::vector<std::string> check(const Tree& tree);

inline constexpr int kMostLines = 800;

}  // namespace parley::architecture
