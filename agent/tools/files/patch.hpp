// What an edit changed, as the hunks of a unified diff.
#pragma once

#include <string_view>

#include "../../../wire/json/json.hpp"

namespace parley::agent {

/// `structuredPatch` of the results: an array of hunks with three lines around each change.
[[nodiscard]] Json structured_patch(std::string_view before, std::string_view after);

}  // namespace parley::agent
