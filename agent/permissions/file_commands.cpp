#include "agent/permissions/file_commands.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace parley::agent {
namespace {

using shell::Word;

/// Bundled letters and long names that change nothing about which files are touched. In particular
/// nothing here follows links, takes a folder as its value, or keeps copies elsewhere.
struct FileProgram {
  std::string_view name;
  std::string_view letters;
  std::string_view long_options;
};
constexpr std::array kPrograms = {
    FileProgram{"mkdir", "pv", " --parents --verbose "},
    FileProgram{"touch", "acm", " --no-create "},
    FileProgram{"rm", "rRfvid", " --recursive --force --verbose "},
    FileProgram{"rmdir", "v", " --verbose "},
    FileProgram{"cp", "rRafvpnui",
                " --recursive --archive --force --verbose --no-clobber --update "},
    FileProgram{"mv", "fvnui", " --force --verbose --no-clobber --update "},
    FileProgram{"tee", "ai", " --append "},
};

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

FileCall sed_call(const Words& words) {
  FileCall call;
  call.known = true;
  call.simple = true;
  bool script = false;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto& text = words[i].text;
    if (text == "-e" || text == "--expression") {
      call.simple &= i + 1 < words.size() && is_plain_sed_script(words[i + 1].text);
      script = true;
      ++i;
    } else if (text.starts_with('-') && text.size() > 1) {
      call.simple &= text == "-i" || text == "-n" || text == "-E" || text == "-r" || text == "-s";
    } else if (!script) {
      call.simple &= is_plain_sed_script(text);
      script = true;
    } else {
      call.files.push_back({words[i], text});
    }
  }
  return call;
}

}  // namespace

FileCall file_call(const Words& words) {
  if (words.empty() || !words[0].literal()) return {};
  if (words[0].text == "sed") return sed_call(words);
  const auto program =
      std::find_if(kPrograms.begin(), kPrograms.end(),
                   [&](const FileProgram& each) { return each.name == words[0].text; });
  FileCall call;
  if (program == kPrograms.end()) return call;
  call.known = true;
  call.simple = true;
  call.removes = program->name.starts_with("rm");
  call.edits = program->name != "tee";
  bool options = true;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto& text = words[i].text;
    if (options && text == "--") {
      options = false;
    } else if (options && text.starts_with("--")) {
      call.simple &= program->long_options.find(" " + text + " ") != std::string_view::npos;
    } else if (options && text.size() > 1 && text[0] == '-') {
      call.simple &= text.find_first_not_of(program->letters, 1) == std::string::npos;
    } else {
      call.files.push_back({words[i], text});
    }
  }
  call.simple &= !call.files.empty();
  return call;
}

}  // namespace parley::agent
