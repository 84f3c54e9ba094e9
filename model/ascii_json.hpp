// JSON in ASCII, with a blank behind each comma and colon. This is how the recorded conversations
// were made: patterns of scripts are matched against this text, and tool inputs are streamed in
// pieces of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "../wire/json/json.hpp"

namespace parley::model {

[[nodiscard]] std::string ascii_json(const Json& value);

/// The text in pieces of `size` characters (not bytes); the last one may be shorter.
[[nodiscard]] std::vector<std::string_view> pieces(std::string_view text, std::size_t size);

}  // namespace parley::model
