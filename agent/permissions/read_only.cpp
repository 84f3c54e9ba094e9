#include "agent/permissions/read_only.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace parley::agent {
namespace {

using shell::Word;
using Names = std::span<const std::string_view>;

/// One program. Options that write, run something, or read a list of names from a file are named;
/// a long one is met by every shortening of it, a short one by every bundle that holds it.
struct Program {
  std::string_view name;
  std::string_view short_options = {};  ///< Letters that make it more than a look.
  std::string_view long_options = {};   ///< Names, each with a blank in front.
  enum class Operands { kFiles, kText, kNone } operands = Operands::kFiles;
  std::size_t most_operands = 1000;
};

using enum Program::Operands;

constexpr std::array kPrograms = {
    Program{"cat"},
    Program{"head"},
    Program{"tail"},
    Program{"wc", "", " files0-from"},
    Program{"ls"},
    Program{"stat"},
    Program{"file", "Cmf", " compile magic-file files-from"},
    Program{"du", "LX", " dereference files0-from exclude-from"},
    Program{"df"},
    Program{"diff"},
    Program{"cmp"},
    Program{"comm"},
    Program{"paste"},
    Program{"cut"},
    Program{"nl"},
    Program{"tac"},
    Program{"rev"},
    Program{"fold"},
    Program{"expand"},
    Program{"unexpand"},
    Program{"column"},
    Program{"od"},
    Program{"hexdump", "f", ""},
    Program{"strings"},
    Program{"md5sum", "c", " check"},
    Program{"sha1sum", "c", " check"},
    Program{"sha224sum", "c", " check"},
    Program{"sha256sum", "c", " check"},
    Program{"sha384sum", "c", " check"},
    Program{"sha512sum", "c", " check"},
    Program{"base64"},
    Program{"readlink"},
    Program{"realpath"},
    Program{"sort", "oT", " output compress-program temporary-directory files0-from"},
    Program{"uniq", "", "", kFiles, 1},
    Program{"grep", "Rf", " dereference-recursive file exclude-from"},
    Program{"egrep", "Rf", " dereference-recursive file exclude-from"},
    Program{"fgrep", "Rf", " dereference-recursive file exclude-from"},
    Program{"rg", "Lzf", " pre pre-glob search-zip follow file ignore-file hostname-bin"},
    Program{"tree", "oRl", " output fromfile fromtabfile infofile"},
    Program{"fd", "xXL", " exec exec-batch follow ignore-file"},
    Program{"jq", "fL", " from-file rawfile slurpfile argfile"},
    Program{"tr", "", "", kText},
    Program{"echo", "", "", kText},
    Program{"printf", "v", "", kText},
    Program{"true", "", "", kText},
    Program{"false", "", "", kText},
    Program{":", "", "", kText},
    Program{"pwd", "", "", kText},
    Program{"whoami", "", "", kNone},
    Program{"id", "", "", kText},
    Program{"groups", "", "", kText},
    Program{"uname", "", "", kNone},
    Program{"uptime", "", "", kNone},
    Program{"nproc", "", "", kNone},
    Program{"free", "", "", kText},
    Program{"arch", "", "", kNone},
    Program{"hostname", "bF", " boot file", kNone},
    Program{"sleep", "", "", kText},
    Program{"seq", "", "", kText},
    Program{"basename", "", "", kText},
    Program{"dirname", "", "", kText},
    Program{"which", "", "", kText},
    Program{"type", "", "", kText},
    Program{"cal", "", "", kText},
    Program{"help", "", "", kText},
    Program{"ps", "", "", kText},
    Program{"pgrep", "F", " pidfile", kText},
    Program{"test", "vR", "", kText},
    Program{"[", "vR", "", kText},
    Program{"[[", "", "", kText},
    Program{"cd", "", ""},
};

bool is_any(std::string_view text, Names list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}
bool is_any(std::string_view text, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

/// Whether the option is, or may be a shortening of, one of the names.
bool names_long_option(std::string_view option, std::string_view names) {
  option.remove_prefix(2);
  option = option.substr(0, option.find('='));
  return !option.empty() && names.find(" " + std::string(option)) != std::string_view::npos;
}

bool has_forbidden_option(const Program& program, const Words& words) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto& text = words[i].text;
    if (text == "--") continue;
    if (text.starts_with("--")) {
      if (names_long_option(text, program.long_options)) return true;
    } else if (text.size() > 1 && text[0] == '-') {
      if (text.find_first_of(program.short_options, 1) != std::string::npos) return true;
    }
  }
  return false;
}

/// A pattern makes the shell look into folders, whatever the program does with the names.
void add_patterns(const Words& words, std::vector<FileWord>& out) {
  for (const auto& word : words) {
    if (word.pattern) out.push_back({word, word.text});
  }
}

std::size_t operand_count(const Words& words) {
  return static_cast<std::size_t>(std::count_if(
      words.begin() + 1, words.end(),
      [](const Word& word) { return !word.text.starts_with('-') || word.text == "-"; }));
}

bool is_recursive(const Word& word) {
  return word.text.starts_with("--r") || word.text.starts_with("--d") ||
         (word.text.starts_with('-') && !word.text.starts_with("--") &&
          word.text.find_first_of("rRd") != std::string::npos);
}

ReadOnlyCall find_call(const Words& words) {
  static constexpr auto kTests = std::to_array<std::string_view>(
      {"-name",      "-iname",      "-path",     "-ipath",     "-wholename", "-regex",
       "-iregex",    "-type",       "-maxdepth", "-mindepth",  "-size",      "-mtime",
       "-mmin",      "-atime",      "-amin",     "-ctime",     "-cmin",      "-newer",
       "-empty",     "-not",        "-o",        "-a",         "-or",        "-and",
       "-print",     "-print0",     "-ls",       "-prune",     "-perm",      "-user",
       "-group",     "-quit",       "-depth",    "-xdev",      "-mount",     "-printf",
       "-H",         "-P",          "-true",     "-false",     "-links",     "-readable",
       "-writable",  "-executable", "-daystart", "-regextype", "-inum",      "-nouser",
       "-nogroup",   "-noleaf",     "-xtype",    "-lname",     "-ilname",    "-samefile",
       "-iwholename"});
  static constexpr auto kActions = std::to_array<std::string_view>(
      {"-delete", "-exec", "-execdir", "-ok", "-okdir", "-fprint", "-fprint0", "-fls", "-fprintf"});
  ReadOnlyCall call;
  for (const auto& word : words) {
    if (is_any(word.text, kActions)) {
      call.refusal = "find with '" + word.text +
                     "' executes commands or modifies files — cannot be auto-allowed by a "
                     "Bash(find:*) prefix rule";
      return call;
    }
  }
  bool previous_takes_text = false;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto& text = words[i].text;
    const bool option = text.starts_with('-') && text.size() > 1 && !previous_takes_text;
    const bool number = text.find_first_not_of("+-0123456789ckMGwb") == std::string::npos;
    if (option && !number && !is_any(text, kTests)) return call;
    if (!option && !previous_takes_text && !is_any(text, {"(", ")", "!", ","})) {
      call.files.push_back({words[i], text});
    }
    previous_takes_text =
        option && is_any(text, {"-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename",
                                "-regex", "-iregex", "-printf", "-lname", "-ilname"});
    if (words[i].pattern && (previous_takes_text || !option))
      call.files.push_back({words[i], text});
  }
  call.read_only = true;
  return call;
}

/// The parts of git that look at the repository. Options that write, or that run a program that the
/// repository or the caller names, are left out.
ReadOnlyCall git_call(const Words& words) {
  ReadOnlyCall call;
  if (words.size() < 2) return call;
  const auto& command = words[1].text;
  for (std::size_t i = 2; i < words.size(); ++i) {
    const auto& text = words[i].text;
    if (text.starts_with("--") &&
        names_long_option(text,
                          " output ext-diff textconv no-index open-files-in-pager exec "
                          "upload-pack receive-pack config-env filters batch")) {
      return call;
    }
    if (text.starts_with("-O")) return call;
  }
  const auto flags_only = [&](std::initializer_list<std::string_view> flags) {
    return std::all_of(words.begin() + 2, words.end(),
                       [&](const Word& word) { return is_any(word.text, flags); });
  };
  const std::string_view second = words.size() > 2 ? std::string_view(words[2].text) : "";
  if (is_any(command,
             {"status", "log", "diff", "show", "blame", "shortlog", "describe", "rev-parse",
              "rev-list", "ls-files", "ls-tree", "merge-base", "cat-file", "count-objects",
              "name-rev", "whatchanged", "show-ref", "for-each-ref", "diff-tree"})) {
    call.read_only = true;
  } else if (command == "branch") {
    call.read_only = flags_only({"-a", "-r", "-v", "-vv", "--all", "--remotes", "--list",
                                 "--show-current", "--no-color", "--verbose"});
  } else if (command == "tag") {
    call.read_only = flags_only({"-l", "--list", "-n"});
  } else if (command == "remote") {
    call.read_only = flags_only({"-v", "--verbose"});
  } else if (command == "stash") {
    call.read_only = words.size() == 3 && (second == "list" || second == "show");
  } else if (command == "worktree") {
    call.read_only = words.size() == 3 && second == "list";
  } else if (command == "reflog") {
    call.read_only = words.size() == 2 || second == "show";
  }
  if (call.read_only) call.files = file_words(words, 2);
  call.wide = true;
  return call;
}

/// `sed -n 5p`, `sed -n 1,20p`, `sed -n '$p'`: prints lines. Everything else in sed's language can
/// write files or run commands.
ReadOnlyCall sed_call(const Words& words) {
  ReadOnlyCall call;
  if (words.size() < 3 || words[1].text != "-n") return call;
  std::string_view script = words[2].text;
  if (!script.ends_with('p') ||
      script.find_first_not_of("0123456789,$p;") != std::string_view::npos) {
    return call;
  }
  for (std::size_t i = 3; i < words.size(); ++i) {
    if (words[i].text.starts_with('-')) return call;
  }
  call.read_only = true;
  call.files = file_words(words, 3);
  return call;
}

ReadOnlyCall date_call(const Words& words) {
  ReadOnlyCall call;
  call.read_only = std::all_of(words.begin() + 1, words.end(), [](const Word& word) {
    return word.text.starts_with('+') ||
           is_any(word.text, {"-u", "--utc", "-R", "-I", "-Iseconds"});
  });
  return call;
}

bool asks_version(const Words& words) {
  return words.size() == 2 &&
         (words[1].text == "--version" ||
          (words[1].text == "-v" && is_any(words[0].text, {"node", "npm"}))) &&
         is_any(words[0].text, {"node", "npm", "python", "python3", "git", "gcc", "g++", "clang",
                                "cmake", "make", "cargo", "rustc", "ruby", "java", "pip", "pip3"});
}

}  // namespace

std::vector<FileWord> file_words(const Words& words, std::size_t from) {
  std::vector<FileWord> out;
  for (std::size_t i = from; i < words.size(); ++i) {
    const auto& word = words[i];
    std::string text = word.text;
    if (text == "-" || text == "--") continue;
    if (text.starts_with('-')) {
      // The value of an option may be a file: `--file=/x`, `-f/x`, `-f../x`.
      auto at = text.find('=');
      if (at == std::string::npos) {
        at = text.find_first_of("/.~", 1);
      } else {
        ++at;
      }
      if (at == std::string::npos) continue;
      text = text.substr(at);
    }
    out.push_back({word, std::move(text)});
  }
  return out;
}

ReadOnlyCall read_only_call(const Words& words) {
  ReadOnlyCall call;
  if (words.empty() || !words[0].literal()) return call;
  const std::string_view name = words[0].text;
  if (name == "find") return find_call(words);
  call.read_only = asks_version(words);
  if (call.read_only) return call;
  if (name == "git") return git_call(words);
  if (name == "sed") return sed_call(words);
  if (name == "date") return date_call(words);
  const auto program = std::find_if(kPrograms.begin(), kPrograms.end(),
                                    [&](const Program& each) { return each.name == name; });
  if (program == kPrograms.end() || has_forbidden_option(*program, words)) return call;
  const auto operands = operand_count(words);
  if (operands > program->most_operands || (program->operands == kNone && operands > 0))
    return call;
  for (const auto& word : words) {
    // Some programs read their options from the file behind an @.
    if (program->operands == kFiles && word.text.starts_with('@')) return call;
    // `ps e` shows the environments of other programs.
    if (name == "ps" && !word.text.starts_with('-') && word.text.find('e') != std::string::npos) {
      return call;
    }
  }
  if (name == "jq") {
    for (const auto& word : words) {
      for (const auto* reach : {"import", "include", "env", "ENV", "input_filename"}) {
        if (word.text.find(reach) != std::string::npos) return call;
      }
    }
  }
  if (program->operands == kFiles) {
    call.files = file_words(words, 1);
  } else {
    add_patterns(words, call.files);
  }
  call.read_only = true;
  call.wide = name == "rg" || ((name.ends_with("grep") || name == "diff") &&
                               std::any_of(words.begin() + 1, words.end(), is_recursive));
  return call;
}

}  // namespace parley::agent
