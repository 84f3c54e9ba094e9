// The version of this program, and the one of the real CLI whose behaviour it has.
#pragma once

#include <string>

namespace parley::agent {

inline constexpr const char* kVersion = PARLEY_VERSION;
/// What `claude_code_version` says: clients choose features by it.
inline constexpr const char* kBehavesLike = "2.1.325";

/// Clients read the number in front; the words say who is speaking.
inline std::string version_line() {
  return std::string(kBehavesLike) + " (parley-agent " + kVersion + ")";
}

}  // namespace parley::agent
