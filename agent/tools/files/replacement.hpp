// One piece of text put in place of another, as Edit and MultiEdit do it.
#pragma once

#include <string>
#include <string_view>

#include "../../../wire/error.hpp"

namespace parley::agent {

struct ReplacedText {
  std::string text;   ///< The whole, after it.
  std::string found;  ///< What stood there: `old_string`, or the same with other quotes.
};

/// Errors are for the model: not found, or found more than once without `all`. A text that has
/// curly quotes where `old_string` has straight ones counts as found, and keeps its style.
[[nodiscard]] Result<ReplacedText> replace_text(const std::string& text,
                                                const std::string& old_string,
                                                const std::string& new_string, bool all);

/// The text without blanks at the ends of its lines, which models add by accident.
[[nodiscard]] std::string without_trailing_blanks(std::string_view text);

}  // namespace parley::agent
