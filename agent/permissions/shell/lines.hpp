// What bash does before all else: a backslash at the end of a line joins it with the next one, also
// in the middle of an operator, a name or an expansion. Whoever reads a text without that step
// reads another text than bash does.
#pragma once

#include <string>
#include <string_view>

namespace parley::agent::shell {

/// The text with its continued lines joined where bash joins them: everywhere but in single quotes
/// and comments. Where that depends on more than quotes (here-documents, $'...', substitutions in
/// quotes) the text is given back as it is, and the parser refuses the continued lines that are
/// left.
[[nodiscard]] std::string join_lines(std::string_view text);

}  // namespace parley::agent::shell
