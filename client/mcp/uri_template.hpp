// Finds what stands for the variables of a template of addresses (RFC 6570, `{name}` and
// `{+name}`). Internal to client/.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../wire/error.hpp"

namespace parley::detail {

/// A text, and the variable behind it; the last part has none.
struct UriTemplatePart {
  std::string text;
  std::string variable;
  bool reserved = false;  ///< It may hold any character, `/` too.
};

[[nodiscard]] Result<std::vector<UriTemplatePart>> parse_uri_template(std::string_view text);

/// The variables in their order, percent-decoded; nothing if the address does not fit. A variable
/// ends where the text behind it first occurs.
[[nodiscard]] std::optional<std::vector<std::pair<std::string, std::string>>> match_uri_template(
    std::string_view text, std::string_view uri);

}  // namespace parley::detail
