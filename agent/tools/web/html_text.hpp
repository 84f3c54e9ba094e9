// The words of a web page.
#pragma once

#include <string>
#include <string_view>

namespace parley::agent {

/// Tags taken out, headings, lists and links kept in Markdown, entities resolved. Any bytes will
/// do: what is no HTML comes out much as it went in.
[[nodiscard]] std::string html_text(std::string_view html);

}  // namespace parley::agent
