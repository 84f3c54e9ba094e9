#include "client/mcp/uri_template.hpp"

#include <charconv>

namespace parley::detail {
namespace {

constexpr std::string_view kVariableCharacters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.";

std::string percent_decoded(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    unsigned char byte = 0;
    if (text.front() == '%' && text.size() >= 3 &&
        std::from_chars(text.data() + 1, text.data() + 3, byte, 16).ptr == text.data() + 3) {
      out += static_cast<char>(byte);
      text.remove_prefix(3);
    } else {
      out += text.front();
      text.remove_prefix(1);
    }
  }
  return out;
}

}  // namespace

Result<std::vector<UriTemplatePart>> parse_uri_template(std::string_view text) {
  std::vector<UriTemplatePart> parts;
  for (std::string_view rest = text;;) {
    const std::size_t open = rest.find('{');
    UriTemplatePart& part = parts.emplace_back();
    part.text = rest.substr(0, open);
    if (open == std::string_view::npos) return parts;
    const std::size_t close = rest.find('}', open);
    if (close == std::string_view::npos) {
      return Error(ErrorCode::invalid, "a variable has no end", std::string(text));
    }
    std::string_view name = rest.substr(open + 1, close - open - 1);
    part.reserved = name.starts_with('+');
    if (part.reserved) name.remove_prefix(1);
    if (name.empty() || name.find_first_not_of(kVariableCharacters) != std::string_view::npos) {
      return Error(ErrorCode::invalid, "a variable is {name} or {+name}", std::string(text));
    }
    // Where the one ends and the other begins, nobody could tell.
    if (parts.size() > 1 && part.text.empty()) {
      return Error(ErrorCode::invalid, "two variables stand side by side", std::string(text));
    }
    part.variable = name;
    rest.remove_prefix(close + 1);
  }
}

std::optional<std::vector<std::pair<std::string, std::string>>> match_uri_template(
    std::string_view text, std::string_view uri) {
  const auto parts = parse_uri_template(text);
  if (!parts || !uri.starts_with(parts->front().text)) return std::nullopt;
  uri.remove_prefix(parts->front().text.size());
  std::vector<std::pair<std::string, std::string>> variables;
  for (std::size_t i = 0; i + 1 < parts->size(); ++i) {
    const std::string& behind = (*parts)[i + 1].text;
    const bool last = i + 2 == parts->size();
    std::size_t end = uri.size();
    if (!last) {
      end = uri.find(behind, 1);
    } else if (uri.ends_with(behind)) {
      end -= behind.size();
    } else {
      return std::nullopt;
    }
    if (end == std::string_view::npos || end == 0) return std::nullopt;
    const std::string_view value = uri.substr(0, end);
    if (!(*parts)[i].reserved && value.find_first_of("/?#") != std::string_view::npos) {
      return std::nullopt;
    }
    variables.emplace_back((*parts)[i].variable, percent_decoded(value));
    uri.remove_prefix(end + behind.size());
  }
  if (!uri.empty()) return std::nullopt;
  return variables;
}

}  // namespace parley::detail
