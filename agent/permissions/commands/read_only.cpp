#include "agent/permissions/commands/read_only.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "agent/permissions/commands/git_commands.hpp"
#include "agent/permissions/commands/read_only_programs.hpp"
#include "support/text/text.hpp"

namespace parley::agent {
namespace {

using shell::Word;

bool is_fixed(const Words& words) {
  return std::all_of(words.begin(), words.end(), [](const Word& word) { return word.literal(); });
}

// ---- programs whose arguments are a language of their own ----

struct FindTest {
  std::string_view name;
  bool has_value = false;
};
constexpr std::array kFindTests = {
    FindTest{"-name", true},
    FindTest{"-iname", true},
    FindTest{"-path", true},
    FindTest{"-ipath", true},
    FindTest{"-wholename", true},
    FindTest{"-iwholename", true},
    FindTest{"-regex", true},
    FindTest{"-iregex", true},
    FindTest{"-regextype", true},
    FindTest{"-type", true},
    FindTest{"-xtype", true},
    FindTest{"-maxdepth", true},
    FindTest{"-mindepth", true},
    FindTest{"-size", true},
    FindTest{"-mtime", true},
    FindTest{"-mmin", true},
    FindTest{"-atime", true},
    FindTest{"-amin", true},
    FindTest{"-ctime", true},
    FindTest{"-cmin", true},
    FindTest{"-perm", true},
    FindTest{"-user", true},
    FindTest{"-group", true},
    FindTest{"-uid", true},
    FindTest{"-gid", true},
    FindTest{"-links", true},
    FindTest{"-inum", true},
    FindTest{"-lname", true},
    FindTest{"-ilname", true},
    FindTest{"-printf", true},
    FindTest{"-empty"},
    FindTest{"-not"},
    FindTest{"-o"},
    FindTest{"-a"},
    FindTest{"-or"},
    FindTest{"-and"},
    FindTest{"-print"},
    FindTest{"-print0"},
    FindTest{"-ls"},
    FindTest{"-prune"},
    FindTest{"-quit"},
    FindTest{"-depth"},
    FindTest{"-xdev"},
    FindTest{"-mount"},
    FindTest{"-P"},
    FindTest{"-true"},
    FindTest{"-false"},
    FindTest{"-readable"},
    FindTest{"-writable"},
    FindTest{"-executable"},
    FindTest{"-daystart"},
    FindTest{"-nouser"},
    FindTest{"-nogroup"},
    FindTest{"-noleaf"},
};

ReadOnlyCall find_call(const Words& words) {
  ReadOnlyCall call;
  for (const auto& word : words) {
    if (is_one_of(word.text, {"-delete", "-exec", "-execdir", "-ok", "-okdir", "-fprint",
                              "-fprint0", "-fls", "-fprintf"})) {
      call.refusal = "find with '" + word.text +
                     "' executes commands or modifies files — cannot be auto-allowed by a "
                     "Bash(find:*) prefix rule";
      return call;
    }
  }
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto& word = words[i];
    if (word.variable || word.substitution) return call;
    if (word.pattern && word.fixed == 0) call.open_patterns.push_back(word.glob);
    if (is_one_of(word.text, {"(", ")", "!", ","})) continue;
    if (!word.text.starts_with('-')) {
      call.files.emplace_back(word);
      continue;
    }
    const auto* test = std::find_if(kFindTests.begin(), kFindTests.end(),
                                    [&](const FindTest& each) { return each.name == word.text; });
    if (test == kFindTests.end() || word.pattern) return call;
    if (!test->has_value) continue;
    if (++i == words.size() || words[i].variable || words[i].substitution) return call;
    if (!words[i].pattern) continue;
    if (words[i].text.starts_with('-')) return call;  // May become several words.
    call.files.emplace_back(words[i]);
    if (words[i].fixed == 0) call.open_patterns.push_back(words[i].glob);
  }
  call.read_only = true;
  return call;
}

/// `sed -n 5p`, `sed -n 1,20p`, `sed -n '$p'`: prints lines. Everything else in sed's language can
/// write files or run commands.
ReadOnlyCall sed_call(const Words& words) {
  ReadOnlyCall call;
  if (words.size() < 3 || words[1].text != "-n" || !words[1].literal() || !words[2].literal())
    return call;
  const std::string_view script = words[2].text;
  if (!script.ends_with('p') ||
      script.find_first_not_of("0123456789,$p;") != std::string_view::npos) {
    return call;
  }
  const auto arguments = read_arguments({}, words, 3);
  if (!arguments) return call;
  for (const auto& operand : arguments->operands) {
    call.files.emplace_back(*operand.word);
    if (operand.word->pattern && !operand.behind_dashes && operand.word->fixed == 0)
      call.open_patterns.push_back(operand.word->glob);
  }
  call.read_only = true;
  return call;
}

ReadOnlyCall date_call(const Words& words) {
  ReadOnlyCall call;
  const auto arguments = read_arguments({.letters = "uRI",
                                         .valued_letters = "d",
                                         .names = "utc universal rfc-email",
                                         .valued_names = "date",
                                         .optional_names = "iso-8601 rfc-3339"},
                                        words);
  // An operand without a plus sets the clock.
  call.read_only =
      arguments && is_fixed(words) &&
      std::all_of(arguments->operands.begin(), arguments->operands.end(),
                  [](const Operand& each) { return each.word->text.starts_with('+'); });
  if (words.size() == 2 && words[1].text == "-Iseconds") call.read_only = true;
  return call;
}

/// Only ways to ask that never show the environments of other programs, as `ps e` does; which
/// letters do depends on the others.
ReadOnlyCall ps_call(const Words& words) {
  ReadOnlyCall call;
  if (!is_fixed(words)) return call;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string_view text = words[i].text;
    const bool known =
        is_one_of(text, {"-e",       "-f",           "-ef",  "-A",   "-a",  "-x",  "-aux", "-ax",
                         "-eF",      "-el",          "-ely", "-F",   "-w",  "-ww", "-H",   "-efH",
                         "--forest", "--no-headers", "a",    "u",    "x",   "au",  "ax",   "aux",
                         "auxw",     "auxww",        "axf",  "auxf", "axu", "xa",  "ux"});
    if (known) continue;
    const bool valued =
        is_one_of(text, {"-o", "-eo", "-p", "-C", "-q", "-axo", "--sort", "--pid", "--ppid", "-O"});
    const bool inline_value =
        text.starts_with("--sort=") || text.starts_with("--pid=") || text.starts_with("--ppid=");
    if (valued && i + 1 < words.size() && !words[i + 1].text.starts_with('-') &&
        words[i + 1].text.find("env") == std::string::npos) {
      ++i;
    } else if (!inline_value) {
      return call;
    }
  }
  call.read_only = true;
  return call;
}

/// `-v` and `-R` evaluate the subscript of the variable that they are given.
bool is_plain_test(const Words& words) {
  return std::none_of(words.begin(), words.end(),
                      [](const Word& word) { return word.text == "-v" || word.text == "-R"; });
}

/// What the filter can reach besides its files: variables of the environment and other filters.
bool is_plain_jq_filter(std::string_view filter) {
  const auto is_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  for (const std::string_view reach : {"import", "include", "env", "ENV", "input_filename",
                                       "modulemeta", "get_search_list", "__loc__", "__prog_args"}) {
    for (auto at = filter.find(reach); at != std::string_view::npos;
         at = filter.find(reach, at + 1)) {
      const auto end = at + reach.size();
      const bool begins = at == 0 || (!is_name(filter[at - 1]) && filter[at - 1] != '.');
      const bool ends = end == filter.size() || !is_name(filter[end]);
      if (begins && ends) return false;
    }
  }
  return true;
}

/// A pattern makes the shell look into folders, whatever the program does with the names.
ReadOnlyCall text_call(const Words& words, bool dashes_matter) {
  ReadOnlyCall call;
  call.read_only = true;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (!words[i].pattern) continue;
    call.files.emplace_back(words[i]);
    if (dashes_matter && words[i].fixed == 0) call.open_patterns.push_back(words[i].glob);
  }
  return call;
}

bool asks_version(const Words& words) {
  return words.size() == 2 && words[1].literal() &&
         (words[1].text == "--version" ||
          (words[1].text == "-v" && is_one_of(words[0].text, {"node", "npm"}))) &&
         is_one_of(words[0].text, {"node", "npm", "python", "python3", "git", "gcc", "g++", "clang",
                                   "cmake", "make", "ruby", "java", "pip", "pip3"});
}

/// Options by which a program that looks runs other programs, or leaves the folders that it names.
/// Who allows the program by a rule does not mean them.
struct WiderReach {
  std::string_view program;
  std::string_view letters;
  std::string_view names;  ///< Each with a blank in front; every shortening counts.
};
constexpr std::array kWiderReach = {
    WiderReach{"find", "LH", " follow files0-from"},
    WiderReach{"grep", "R", " dereference-recursive"},
    WiderReach{"egrep", "R", " dereference-recursive"},
    WiderReach{"fgrep", "R", " dereference-recursive"},
    WiderReach{"rg", "Lz", " follow pre pre-glob hostname-bin search-zip"},
    WiderReach{"fd", "LxX", " follow exec exec-batch"},
    WiderReach{"du", "LDH", " dereference dereference-args files0-from"},
    WiderReach{"wc", "", " files0-from"},
    WiderReach{"file", "fz", " files-from uncompress"},
    WiderReach{"tree", "l", " fromfile fromtabfile"},
    WiderReach{"sort", "", " compress-program files0-from"},
    WiderReach{"split", "", " filter"},
    WiderReach{"git", "O",
               " output ext-diff textconv open-files-in-pager exec upload-pack receive-pack "
               "no-index"},
};

std::string_view option_with_wider_reach(const Words& words) {
  const auto* reach =
      std::find_if(kWiderReach.begin(), kWiderReach.end(),
                   [&](const WiderReach& each) { return each.program == words[0].text; });
  if (reach == kWiderReach.end()) return {};
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string_view text = words[i].text;
    if (text.size() < 2 || text[0] != '-') continue;
    const bool single = reach->program == "find";
    if (text[1] == '-' || single) {
      const auto name = text.substr(single ? 1 : 2, text.find('=') - (single ? 1 : 2));
      if (!name.empty() && name != "text" &&
          reach->names.find(" " + std::string(name)) != std::string_view::npos) {
        return text;
      }
      if (!single || text.size() > 2) continue;
    }
    // The letters of git differ from command to command, and messages may be among them.
    const bool first_only = reach->program == "git";
    const auto at = text.find_first_of(reach->letters, 1);
    if (first_only ? at == 1 : at != std::string_view::npos) return text;
  }
  return {};
}

// ---- programs that the table describes ----

ReadOnlyCall table_call(const ReadOnlyProgram& program, const Words& words) {
  using Operands = ReadOnlyProgram::Operands;
  ReadOnlyCall call;
  const auto arguments = read_arguments(program.options, words);
  if (!arguments || arguments->operands.size() > program.most_operands) return call;
  const bool text_is_option = arguments->has("e") || arguments->has("regexp") ||
                              (program.name == "rg" && arguments->has("files"));
  std::size_t texts = program.operands == Operands::text              ? arguments->operands.size()
                      : program.operands == Operands::text_then_files ? (text_is_option ? 0 : 1)
                                                                      : 0;
  // With jq, -e means something else.
  if (program.name == "jq") texts = 1;
  for (const auto& operand : arguments->operands) {
    const Word& word = *operand.word;
    const bool text = texts > 0;
    if (text) --texts;
    // One pattern may become several words, so that nothing is where it seems to be.
    if (word.pattern && (program.most_operands < 100 || (text && program.name == "jq")))
      return call;
    if (word.pattern && word.fixed == 0 && !operand.behind_dashes)
      call.open_patterns.push_back(word.glob);
    if (text && program.name == "jq" && !is_plain_jq_filter(word.text)) return call;
    if (text && !word.pattern) continue;
    // Some programs read their options from the file behind an @.
    if (word.text.starts_with('@')) return call;
    if (word.text != "-") call.files.emplace_back(word);
  }
  call.read_only = true;
  call.files_only = program.name == "diff";
  call.wide = program.name == "rg" || arguments->has("r") || arguments->has("recursive");
  return call;
}

}  // namespace

std::vector<FileWord> file_words(const Words& words, std::size_t from) {
  std::vector<FileWord> out;
  for (std::size_t i = from; i < words.size(); ++i) {
    FileWord file(words[i]);
    if (file.text == "-" || file.text == "--") continue;
    if (file.text.starts_with('-') && !file.text.starts_with("--")) {
      // `-ox`, `-rox`: any end of it may be the value.
      for (std::size_t at = 2; at < std::min<std::size_t>(file.text.size(), 40); ++at) {
        if (file.word.pattern) break;
        FileWord value(words[i]);
        value.text.erase(0, at);
        out.push_back(std::move(value));
      }
    }
    if (file.text.starts_with('-')) {
      // The value of an option may be a file: `--file=/x`, `-f/x`, `-f../x`.
      auto at = file.text.find('=');
      at = at == std::string::npos ? file.text.find_first_of("/.~", 1) : at + 1;
      if (at == std::string::npos) continue;
      file.text = file.text.substr(at);
      // A pattern in front of the value leaves open what the value is.
      const bool open = file.word.pattern && file.word.fixed < at;
      file.glob = open ? "*" : file.glob.substr(std::min(at, file.glob.size()));
    }
    out.push_back(std::move(file));
  }
  return out;
}

bool is_read_only_program(std::string_view name) {
  return find_read_only_program(name) != nullptr || is_one_of(name, {"find", "sed", "date", "ps"});
}

ReadOnlyCall read_only_call(const Words& words) {
  ReadOnlyCall call;
  if (words.empty() || !words[0].literal() || words[0].tilde) return call;
  const std::string_view name = words[0].text;
  if (const auto option = option_with_wider_reach(words); !option.empty()) {
    call.refusal = std::string(name) + " with '" + std::string(option) +
                   "' runs programs or follows links to other folders: a rule for " +
                   std::string(name) + " does not cover that";
    return call;
  }
  if (const auto word = name == "git" ? git_runs(words) : std::string_view(); !word.empty()) {
    call.refusal = "git with '" + std::string(word) +
                   "' runs programs or takes settings from elsewhere: a rule for git does not "
                   "cover that";
    return call;
  }
  if (name == "find") return find_call(words);
  call.read_only = asks_version(words);
  if (call.read_only) return call;
  if (name == "git") return git_call(words);
  if (name == "sed") return sed_call(words);
  if (name == "date") return date_call(words);
  if (name == "command" && words.size() == 3 && words[1].text == "-v") {
    call.read_only = is_fixed(words);
    return call;
  }
  if (name == "ps") return ps_call(words);
  if (is_one_of(name, {"echo", "true", "false", ":", "[["})) return text_call(words, false);
  if (name == "printf") return is_plain_printf(words) ? text_call(words, false) : call;
  if (name == "test" || name == "[") return is_plain_test(words) ? text_call(words, true) : call;
  const auto* program = find_read_only_program(name);
  return program ? table_call(*program, words) : call;
}

}  // namespace parley::agent
