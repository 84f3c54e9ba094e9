#include "agent/permissions/shell/shell.hpp"

#include "agent/permissions/shell/lines.hpp"
#include "agent/permissions/shell/parser.hpp"

namespace parley::agent::shell {
namespace {

constexpr std::size_t kMaxText = 64 * 1024;

/// Whether HOME is only ever read in the text, and its value stays one word without quotes.
bool home_is_kept(std::string_view text, std::string_view home) {
  if (home.find_first_of(" \t\n*?[]{}\\'\"$`~") != std::string_view::npos) return false;
  for (auto at = text.find("HOME"); at != std::string_view::npos; at = text.find("HOME", at + 1)) {
    const auto before = text.substr(0, at);
    if (!before.ends_with('$') && !before.ends_with("${")) return false;
  }
  return true;
}

}  // namespace

Script analyse(std::string_view text, std::string_view home) {
  Script script;
  const auto refuse = [&](const char* why) {
    script.obstacle = Obstacle::not_read;
    script.not_read = why;
    return script;
  };
  if (text.size() > kMaxText) return refuse("it is too long");
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\t' && c != '\n') || byte == 0x7f) {
      return refuse("it holds a control character");
    }
  }
  const std::string joined = join_lines(text);
  Parser(joined, script, home_is_kept(joined, home) ? home : std::string_view(), 0, false).script();
  return script;
}

}  // namespace parley::agent::shell
