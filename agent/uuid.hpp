// Random ids and the time, as the wire and transcripts write them.
#pragma once

#include <string>

namespace parley::agent {

/// A version 4 UUID.
[[nodiscard]] std::string make_uuid();
/// Now, as "2026-11-15T08:46:51.641Z".
[[nodiscard]] std::string timestamp();

}  // namespace parley::agent
