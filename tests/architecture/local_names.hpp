// Names that two sources of one folder give to different things. Each is invisible outside its
// file, but a release compiles the files of a folder as one (PARLEY_UNITY), where they would clash.
#pragma once

#include <string>
#include <vector>

#include "rules.hpp"

namespace parley::architecture {

/// One sentence per clash, as of check().
std::vector<std::string> check_local_names(const Tree& tree);

}  // namespace parley::architecture
