#include "agent/tools/files/replacement.hpp"

#include <array>
#include <optional>
#include <vector>

namespace parley::agent {
namespace {

struct Quote {
  std::string_view curly;
  char plain;
};
constexpr std::array<Quote, 4> kQuotes{Quote{"\u2018", '\''}, Quote{"\u2019", '\''},
                                       Quote{"\u201C", '"'}, Quote{"\u201D", '"'}};

/// The text with plain quotes, and for every byte of it where it came from.
struct Plain {
  std::string text;
  std::vector<std::size_t> from;
};

Plain with_plain_quotes(std::string_view text) {
  Plain plain;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t length = 1;
    char put = text[i];
    for (const Quote& quote : kQuotes) {
      if (text.substr(i).starts_with(quote.curly)) length = quote.curly.size(), put = quote.plain;
    }
    plain.text += put;
    plain.from.push_back(i);
    i += length;
  }
  plain.from.push_back(text.size());
  return plain;
}

/// What stands in `text` for `wanted`; nothing if it is not there.
std::optional<std::string> standing(const std::string& text, const std::string& wanted) {
  if (text.find(wanted) != std::string::npos) return wanted;
  const Plain plain = with_plain_quotes(text);
  const std::string plain_wanted = with_plain_quotes(wanted).text;
  const std::size_t at = plain.text.find(plain_wanted);
  if (at == std::string::npos) return std::nullopt;
  const std::size_t begin = plain.from[at], end = plain.from[at + plain_wanted.size()];
  return text.substr(begin, end - begin);
}

/// Plain quotes made curly: the opening form after a blank, bracket or the beginning.
std::string with_curly_quotes(std::string_view text, bool single, bool both) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool opens =
        i == 0 || std::string_view(" \t\n([{").find(text[i - 1]) != std::string_view::npos;
    if (c == '"' && both) {
      out += opens ? "\u201C" : "\u201D";
    } else if (c == '\'' && single) {
      out += opens ? "\u2018" : "\u2019";
    } else {
      out += c;
    }
  }
  return out;
}

std::string in_the_style_of(const std::string& found, const std::string& old_string,
                            const std::string& new_string) {
  if (found == old_string) return new_string;
  const bool single =
      found.find("\u2018") != std::string::npos || found.find("\u2019") != std::string::npos;
  const bool both =
      found.find("\u201C") != std::string::npos || found.find("\u201D") != std::string::npos;
  return with_curly_quotes(new_string, single, both);
}

}  // namespace

Result<ReplacedText> replace_text(const std::string& text, const std::string& old_string,
                                  const std::string& new_string, bool all) {
  const std::optional<std::string> found =
      old_string.empty() ? std::nullopt : standing(text, old_string);
  if (!found) {
    return Error(ErrorCode::not_found,
                 "String to replace not found in file.\nString: " + old_string);
  }
  std::size_t count = 0;
  for (std::size_t at = text.find(*found); at != std::string::npos;
       at = text.find(*found, at + found->size())) {
    ++count;
  }
  if (count > 1 && !all) {
    return Error(ErrorCode::invalid,
                 "Found " + std::to_string(count) +
                     " matches of the string to replace, but replace_all is false. To replace all "
                     "occurrences, set replace_all to true. To replace only one occurrence, please "
                     "provide more context to uniquely identify the instance.\nString: " +
                     old_string);
  }
  const std::string put = in_the_style_of(*found, old_string, new_string);
  // Who deletes a whole line without its end does not want an empty one in its place.
  std::string taken = *found;
  if (put.empty() && !taken.ends_with('\n') && text.find(taken + "\n") != std::string::npos) {
    taken += '\n';
  }
  ReplacedText result;
  result.found = *found;
  std::size_t from = 0;
  for (std::size_t at = text.find(taken); at != std::string::npos; at = text.find(taken, from)) {
    result.text.append(text, from, at - from);
    result.text += put;
    from = at + taken.size();
    if (!all) break;
  }
  result.text.append(text, from);
  return result;
}

std::string without_trailing_blanks(std::string_view text) {
  std::string out;
  while (true) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    const bool carriage = line.ends_with('\r');
    const std::size_t last = line.find_last_not_of(" \t\r\f\v");
    line = line.substr(0, last == std::string_view::npos ? 0 : last + 1);
    out += line;
    if (carriage) out += '\r';
    if (end == std::string_view::npos) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

}  // namespace parley::agent
