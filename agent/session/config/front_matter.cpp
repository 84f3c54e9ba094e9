#include "agent/session/config/front_matter.hpp"

#include <algorithm>

#include "support/text/text.hpp"

namespace parley::agent {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// A value without its quotes, and without a remark behind it.
std::string plain(std::string_view value) {
  value = trimmed(value);
  const bool quoted = value.size() >= 2 && (value.front() == '"' || value.front() == '\'');
  if (quoted && value.back() == value.front()) {
    const char quote = value.front();
    value = value.substr(1, value.size() - 2);
    std::string text;
    for (std::size_t i = 0; i < value.size(); ++i) {
      const bool more = i + 1 < value.size();
      if (quote == '"' && value[i] == '\\' && more) {
        ++i;
        text += value[i] == 'n' ? '\n' : value[i];
      } else {
        if (quote == '\'' && value[i] == '\'' && more && value[i + 1] == '\'') ++i;
        text += value[i];
      }
    }
    return text;
  }
  if (const std::size_t remark = value.find(" #"); remark != std::string_view::npos) {
    value = trimmed(value.substr(0, remark));
  }
  return std::string(value);
}

/// "[a, b]" as lines.
std::string bracket_list(std::string_view value) {
  std::string lines;
  value = value.substr(1, value.size() - 2);
  while (!value.empty()) {
    const std::size_t end = std::min(value.find(','), value.size());
    if (const std::string entry = plain(value.substr(0, end)); !entry.empty())
      lines += entry + "\n";
    value.remove_prefix(std::min(end + 1, value.size()));
  }
  return lines;
}

bool is_indented(std::string_view line) {
  return line.starts_with(' ') || line.starts_with('\t') || line.starts_with('-');
}

/// What stands below a key: a list with dashes, or a text over several lines. `at` moves behind it.
std::string block(const std::vector<std::string_view>& lines, std::size_t& at, bool folded) {
  std::string text;
  for (; at < lines.size() && (is_indented(lines[at]) || trimmed(lines[at]).empty()); ++at) {
    const std::string_view line = trimmed(lines[at]);
    if (line.starts_with("- ")) {
      text += plain(line.substr(2)) + "\n";
    } else {
      text += std::string(line) + (folded ? " " : "\n");
    }
  }
  return std::string(trimmed(text));
}

void read_head(const std::vector<std::string_view>& lines, FrontMatter& matter) {
  for (std::size_t at = 0; at < lines.size();) {
    const std::string_view line = lines[at++];
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || is_indented(line) || line.starts_with('#')) continue;
    const std::string key(trimmed(line.substr(0, colon)));
    const std::string_view value = trimmed(line.substr(colon + 1));
    if (value.empty() || value.starts_with('|') || value.starts_with('>')) {
      matter.values[key] = block(lines, at, value.starts_with('>'));
    } else if (value.front() == '[' && value.back() == ']') {
      matter.values[key] = bracket_list(value);
    } else {
      matter.values[key] = plain(value);
    }
  }
}

}  // namespace

std::string FrontMatter::text(const std::string& key) const {
  const auto found_value = values.find(key);
  return found_value == values.end() ? std::string() : found_value->second;
}

std::vector<std::string> FrontMatter::list(const std::string& key) const {
  std::vector<std::string> entries;
  std::string entry;
  int depth = 0;  // a comma within parentheses belongs to a rule: "Bash(git:*, ls)"
  const auto take = [&] {
    if (const std::string_view one = trimmed(entry); !one.empty()) entries.emplace_back(one);
    entry.clear();
  };
  for (const char c : text(key)) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == '\n' || (c == ',' && depth <= 0)) {
      take();
    } else {
      entry += c;
    }
  }
  take();
  return entries;
}

FrontMatter read_front_matter(std::string_view file) {
  FrontMatter matter;
  if (file.starts_with("\xEF\xBB\xBF")) file.remove_prefix(3);
  std::vector<std::string_view> lines = lines_of(file);
  if (lines.empty() || trimmed(lines.front()) != "---") {
    matter.body = trimmed(file);
    return matter;
  }
  const auto end = std::find_if(lines.begin() + 1, lines.end(),
                                [](std::string_view line) { return trimmed(line) == "---"; });
  if (end == lines.end()) {
    matter.body = trimmed(file);
    return matter;
  }
  matter.found = true;
  read_head({lines.begin() + 1, end}, matter);
  const char* const rest = end->data() + end->size();
  matter.body = trimmed(file.substr(static_cast<std::size_t>(rest - file.data())));
  return matter;
}

}  // namespace parley::agent
