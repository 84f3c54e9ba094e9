#include "agent/permissions/shell/lines.hpp"

#include <utility>

namespace parley::agent::shell {
namespace {

bool begins_word(const std::string& before) {
  return before.empty() ||
         std::string_view(" \t\n;&|<>()").find(before.back()) != std::string::npos;
}

}  // namespace

std::string join_lines(std::string_view text) {
  if (text.find("\\\n") == std::string_view::npos) return std::string(text);
  enum class In { plain, single_quotes, double_quotes, comment } in = In::plain;
  std::string out;
  out.reserve(text.size());
  // Whether the last character was escaped, so that it is not what it looks like.
  bool escaped = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    const bool after_escape = std::exchange(escaped, false);
    if ((in == In::plain || in == In::double_quotes) && c == '\\') {
      ++i;
      escaped = after_escape;  // A joined line leaves the characters around it as neighbours.
      if (next == '\n') continue;
      out += c;
      if (i < text.size()) out += next;
      escaped = true;
      continue;
    }
    // What is quoted in a substitution does not follow from the quotes around it.
    const bool substitution = c == '`' || (in == In::double_quotes && c == '(' && !after_escape &&
                                           !out.empty() && out.back() == '$');
    if (substitution && in != In::single_quotes && in != In::comment) return std::string(text);
    switch (in) {
      case In::plain:
        if (!after_escape && !out.empty()) {
          if (c == '\'' && out.back() == '$') return std::string(text);
          if (c == '<' && out.back() == '<') return std::string(text);
        }
        if (c == '\'') in = In::single_quotes;
        if (c == '"') in = In::double_quotes;
        if (c == '#' && !after_escape && begins_word(out)) in = In::comment;
        break;
      case In::single_quotes:
        if (c == '\'') in = In::plain;
        break;
      case In::double_quotes:
        if (c == '"') in = In::plain;
        break;
      case In::comment:
        if (c == '\n') in = In::plain;
        break;
    }
    out += c;
  }
  return out;
}

}  // namespace parley::agent::shell
