#include "agent/permissions/commands/file_commands.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "agent/permissions/commands/program_options.hpp"

namespace parley::agent {
namespace {

/// Options that change nothing about which files are touched. In particular nothing here follows
/// links, takes a folder as its value, or keeps copies elsewhere.
struct FileProgram {
  std::string_view name;
  OptionTable options;
};
constexpr std::array kFilePrograms = {
    FileProgram{"mkdir", {.letters = "pv", .names = "parents verbose"}},
    FileProgram{"touch", {.letters = "acm", .names = "no-create"}},
    FileProgram{"rm", {.letters = "rRfvid", .names = "recursive force verbose"}},
    FileProgram{"rmdir", {.letters = "v", .names = "verbose"}},
    FileProgram{
        "cp",
        {.letters = "rRafvpnui", .names = "recursive archive force verbose no-clobber update"}},
    FileProgram{"mv", {.letters = "fvnui", .names = "force verbose no-clobber update"}},
    FileProgram{"tee", {.letters = "ai", .names = "append"}},
};

constexpr OptionTable kSed = {
    .letters = "inErs", .valued_letters = "e", .valued_names = "expression"};

/// A sed command that cannot write elsewhere or run anything: `s` with harmless flags, or lines
/// deleted or printed by number.
bool is_plain_sed_script(std::string_view script) {
  if (script.find('\n') != std::string_view::npos) return false;
  if (script.starts_with('s') && script.size() > 3) {
    const char delimiter = script[1];
    if (std::string_view("/|#,:@!%").find(delimiter) == std::string_view::npos) return false;
    int seen = 0;
    std::size_t i = 1;
    for (; i < script.size() && seen < 3; ++i) {
      if (script[i] == '\\') {
        ++i;
      } else if (script[i] == delimiter) {
        ++seen;
      }
    }
    return seen == 3 && i <= script.size() &&
           script.substr(i).find_first_not_of("gIip0123456789") == std::string_view::npos;
  }
  return !script.empty() && (script.ends_with('d') || script.ends_with('p')) &&
         script.substr(0, script.size() - 1).find_first_not_of("0123456789,$") ==
             std::string_view::npos;
}

void add_file(FileCall& call, const Operand& operand) {
  call.files.emplace_back(*operand.word);
  if (operand.word->pattern && operand.word->fixed == 0 && !operand.behind_dashes)
    call.open_patterns.push_back(operand.word->glob);
}

FileCall sed_in_place_call(const Words& words) {
  FileCall call;
  call.known = true;
  const auto arguments = read_arguments(kSed, words);
  // `-i` takes what is written behind it for the end of a name.
  const bool bundled = std::any_of(words.begin() + 1, words.end(), [](const shell::Word& word) {
    return word.text.starts_with("-") && word.text.find('i') != std::string::npos &&
           word.text != "-i" && !word.text.starts_with("--") && !word.text.starts_with("-e");
  });
  if (!arguments || bundled) return call;
  call.simple = true;
  bool has_script = false;
  for (const auto& value : arguments->values) {
    call.simple &= is_plain_sed_script(value.value);
    has_script = true;
  }
  for (const auto& operand : arguments->operands) {
    if (has_script) {
      add_file(call, operand);
    } else {
      call.simple &= operand.word->literal() && is_plain_sed_script(operand.word->text);
      has_script = true;
    }
  }
  return call;
}

}  // namespace

FileCall file_call(const Words& words) {
  if (words.empty() || !words[0].literal()) return {};
  if (words[0].text == "sed") return sed_in_place_call(words);
  const auto* program =
      std::find_if(kFilePrograms.begin(), kFilePrograms.end(),
                   [&](const FileProgram& each) { return each.name == words[0].text; });
  FileCall call;
  if (program == kFilePrograms.end()) return call;
  call.known = true;
  call.removes = program->name.starts_with("rm");
  call.edits = program->name != "tee";
  call.places_files = program->name == "cp" || program->name == "mv";
  const auto arguments = read_arguments(program->options, words);
  if (!arguments) {
    for (std::size_t i = 1; i < words.size(); ++i) {
      if (!words[i].text.starts_with('-')) call.files.emplace_back(words[i]);
    }
    return call;
  }
  for (const auto* option : {"r", "R", "a", "recursive", "archive"}) {
    call.takes_trees |= program->name == "cp" && arguments->has(option);
  }
  call.takes_trees |= program->name == "mv";
  for (const auto& operand : arguments->operands) add_file(call, operand);
  call.simple = !call.files.empty();
  return call;
}

}  // namespace parley::agent
