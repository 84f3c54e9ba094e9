#include "agent/tools/shell/command_words.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

namespace parley::agent {
namespace {

constexpr double kShortSleepSeconds = 20;

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t begin = text.find_first_not_of(" \t\n");
    if (begin == std::string_view::npos) return words;
    text.remove_prefix(begin);
    const std::size_t length = std::min(text.find_first_of(" \t\n"), text.size());
    words.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
}

/// The last command of a pipeline or list decides the exit code.
std::string_view last_command(std::string_view command) {
  const std::size_t cut = command.find_last_of("|;&\n");
  return cut == std::string_view::npos ? command : command.substr(cut + 1);
}

std::string_view program_of(std::string_view command) {
  for (const std::string_view word : words_of(command)) {
    if (word.find('=') != std::string_view::npos) continue;  // NAME=value before it
    const std::size_t slash = word.rfind('/');
    return slash == std::string_view::npos ? word : word.substr(slash + 1);
  }
  return {};
}

}  // namespace

std::optional<std::string> standalone_sleep(std::string_view command) {
  const std::vector<std::string_view> words = words_of(command);
  if (words.size() != 2 || words[0] != "sleep") return std::nullopt;
  double seconds = 0;
  const auto [end, problem] =
      std::from_chars(words[1].data(), words[1].data() + words[1].size(), seconds);
  if (problem != std::errc() || end != words[1].data() + words[1].size()) return std::nullopt;
  if (seconds <= kShortSleepSeconds) return std::nullopt;
  return "sleep " + std::string(words[1]);
}

bool is_silent_command(std::string_view command) {
  if (command.find_first_of("|;&\n") != std::string_view::npos) return false;
  static constexpr std::array<std::string_view, 12> kSilent{
      "mv", "cp", "rm", "mkdir", "rmdir", "chmod", "chown", "chgrp", "touch", "ln", "cd", "export"};
  return std::find(kSilent.begin(), kSilent.end(), program_of(command)) != kSilent.end();
}

std::optional<std::string> exit_meaning(std::string_view command, int code) {
  if (code != 1) return std::nullopt;
  const std::string_view program = program_of(last_command(command));
  if (program == "grep" || program == "rg" || program == "egrep" || program == "fgrep") {
    return "No matches found";
  }
  if (program == "diff") return "Files differ";
  if (program == "find") return "Some directories were inaccessible";
  if (program == "test" || program == "[") return "Condition is false";
  return std::nullopt;
}

}  // namespace parley::agent
