#include "agent/permissions/commands/git_commands.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <system_error>

#include "agent/permissions/commands/program_options.hpp"
#include "support/text/text.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;

// Left out on purpose: what writes (--output), runs a program that the caller or the repository
// names
// (--ext-diff, --textconv, --filters, --show-signature, -O), or reads a file elsewhere (--no-index,
// --contents, -S of blame, --exclude-from).
#define PARLEY_GIT_DIFF_NAMES                                                                  \
  "stat shortstat numstat name-only name-status cached staged patch no-patch raw summary "     \
  "no-color minimal patience histogram ignore-all-space ignore-space-change "                  \
  "ignore-space-at-eol ignore-blank-lines no-renames text binary full-index function-context " \
  "exit-code quiet check compact-summary merge-base no-ext-diff no-textconv no-prefix "        \
  "pickaxe-all pickaxe-regex patch-with-stat"
#define PARLEY_GIT_DIFF_VALUED \
  "diff-algorithm diff-filter inter-hunk-context word-diff-regex src-prefix dst-prefix"
#define PARLEY_GIT_DIFF_OPTIONAL \
  "stat unified color word-diff color-words find-renames find-copies relative abbrev dirstat"
#define PARLEY_GIT_LOG_NAMES                                                                   \
  "oneline graph all all-match invert-grep regexp-ignore-case extended-regexp fixed-strings "  \
  "perl-regexp merges no-merges first-parent reverse date-order topo-order author-date-order " \
  "follow full-history simplify-by-decoration abbrev-commit no-abbrev-commit no-decorate "     \
  "source left-right cherry-pick cherry-mark left-only right-only boundary parents children "  \
  "walk-reflogs no-notes count"
#define PARLEY_GIT_LOG_VALUED                                                              \
  "max-count skip since until after before author committer grep date format min-parents " \
  "max-parents"

constexpr OptionTable kDiff = {.letters = "puszRabwtrcmW",
                               .valued_letters = "SG",
                               .names = PARLEY_GIT_DIFF_NAMES " root no-commit-id",
                               .valued_names = PARLEY_GIT_DIFF_VALUED,
                               .optional_names = PARLEY_GIT_DIFF_OPTIONAL,
                               .numbered_letters = "UMC"};
constexpr OptionTable kLog = {
    .letters = "puszRabwtcmigEFPW",
    .valued_letters = "nSGL",
    .names = PARLEY_GIT_DIFF_NAMES " " PARLEY_GIT_LOG_NAMES,
    .valued_names = PARLEY_GIT_DIFF_VALUED " " PARLEY_GIT_LOG_VALUED,
    .optional_names = PARLEY_GIT_DIFF_OPTIONAL " decorate branches tags remotes pretty",
    .numbered_letters = "UMC",
    .number = true};
#undef PARLEY_GIT_DIFF_NAMES
#undef PARLEY_GIT_DIFF_VALUED
#undef PARLEY_GIT_DIFF_OPTIONAL
#undef PARLEY_GIT_LOG_NAMES
#undef PARLEY_GIT_LOG_VALUED

struct Subcommand {
  std::string_view name;
  OptionTable options = {};
  bool operands = true;
};
constexpr std::array kSubcommands = {
    Subcommand{"status",
               {.letters = "sbvz",
                .names = "short branch long verbose column no-column no-renames ahead-behind "
                         "no-ahead-behind show-stash null",
                .optional_names = "porcelain untracked-files ignored ignore-submodules"}},
    Subcommand{"log", kLog},
    Subcommand{"whatchanged", kLog},
    Subcommand{"show", kLog},
    Subcommand{"rev-list", kLog},
    Subcommand{"diff", kDiff},
    Subcommand{"diff-tree", kDiff},
    Subcommand{"blame",
               {.letters = "lwsectfnp",
                .valued_letters = "L",
                .names = "line-porcelain porcelain show-email show-name show-number incremental "
                         "root",
                .valued_names = "date since"}},
    Subcommand{"shortlog", {.letters = "snec", .names = "summary numbered email committer"}},
    Subcommand{"describe",
               {.names = "tags all always long exact-match first-parent contains",
                .valued_names = "match exclude candidates",
                .optional_names = "abbrev dirty"}},
    Subcommand{"rev-parse",
               {.letters = "q",
                .names = "show-toplevel show-prefix show-cdup verify quiet git-dir "
                         "is-inside-work-tree is-inside-git-dir is-bare-repository "
                         "absolute-git-dir git-common-dir symbolic symbolic-full-name all",
                .optional_names = "abbrev-ref short branches tags remotes"}},
    Subcommand{"ls-files",
               {.letters = "cdmoiskuvtz",
                .valued_letters = "x",
                .names = "cached deleted modified others ignored stage unmerged killed "
                         "exclude-standard full-name error-unmatch eol deduplicate",
                .valued_names = "exclude",
                .optional_names = "abbrev"}},
    Subcommand{"ls-tree",
               {.letters = "rdtlz",
                .names = "name-only name-status long full-name full-tree object-only",
                .optional_names = "abbrev"}},
    Subcommand{"merge-base",
               {.letters = "a", .names = "all is-ancestor fork-point octopus independent"}},
    Subcommand{"cat-file", {.letters = "tspe"}},
    Subcommand{"count-objects", {.letters = "vH", .names = "verbose human-readable"}, false},
    Subcommand{"name-rev", {.names = "tags name-only always", .valued_names = "refs exclude"}},
    Subcommand{"show-ref",
               {.letters = "dsq",
                .names = "heads tags dereference head verify quiet",
                .optional_names = "hash abbrev"}},
    Subcommand{
        "for-each-ref",
        {.valued_names = "count sort format points-at", .optional_names = "merged contains"}},
    Subcommand{"branch",
               {.letters = "arv", .names = "all remotes list show-current no-color verbose"},
               false},
    Subcommand{"tag", {.letters = "ln", .names = "list"}, false},
    Subcommand{"remote", {.letters = "v", .names = "verbose"}, false},
};

/// `%G?` and its like; between the sign and the letter may stand what git does about blanks
/// (`%+G?`).
bool shows_signature(std::string_view format) {
  for (auto at = format.find('%'); at != std::string_view::npos; at = format.find('%', at + 1)) {
    const auto letter = format.find_first_not_of("+- ", at + 1);
    if (letter != std::string_view::npos && format[letter] == 'G') return true;
  }
  return format.find("signature") != std::string_view::npos;
}

/// Formats that have signatures checked run the program that the configuration names for it.
bool checks_signatures(const Arguments& arguments) {
  return std::any_of(arguments.values.begin(), arguments.values.end(),
                     [](const auto& each) { return shows_signature(each.value); });
}

/// `stash list`, `worktree list`, `reflog` and their like: a fixed form each.
bool is_listing(const Words& words) {
  const auto is = [&](std::initializer_list<std::string_view> texts) {
    return words.size() == texts.size() + 1 &&
           std::equal(texts.begin(), texts.end(), words.begin() + 1,
                      [](std::string_view text, const shell::Word& word) {
                        return word.literal() && word.text == text;
                      });
  };
  return is({"stash", "list"}) || is({"stash", "show"}) || is({"worktree", "list"}) ||
         is({"reflog"}) || is({"reflog", "show"});
}

/// A setting that names no program, no file and no other repository.
bool is_harmless_setting(std::string_view name, std::string_view value) {
  const std::string key = lower(name);
  for (const std::string_view section : {"user.", "author.", "committer.", "color.", "advice.",
                                         "column.", "status.", "push.", "pull."}) {
    if (key.starts_with(section)) return true;
  }
  if (has_word("core.pager core.editor sequence.editor", key)) {
    return value.empty() || has_word("cat true false :", value);
  }
  return has_word(
      "core.quotepath core.autocrlf core.safecrlf core.eol core.abbrev core.filemode "
      "core.ignorecase core.whitespace init.defaultbranch commit.gpgsign tag.gpgsign fetch.prune "
      "merge.ff merge.conflictstyle merge.renames rebase.autostash rebase.autosquash "
      "rerere.enabled diff.renames diff.renamelimit diff.algorithm diff.mnemonicprefix "
      "diff.noprefix diff.colormoved diff.context log.date log.decorate blame.date gc.auto "
      "protocol.version",
      key);
}

constexpr std::string_view kHarmlessGlobal =
    "-p -P -v -h --paginate --no-pager --no-optional-locks --literal-pathspecs --glob-pathspecs "
    "--noglob-pathspecs --icase-pathspecs --no-replace-objects --no-lazy-fetch --no-advice "
    "--version --help --html-path --man-path --info-path --exec-path";

/// The place of the subcommand: behind the options that all of them share.
std::size_t subcommand_at(const Words& words) {
  std::size_t at = 1;
  while (at < words.size() && words[at].text.starts_with('-')) {
    at += has_word(
              "-C -c --git-dir --work-tree --namespace --config-env --super-prefix --attr-source",
              words[at].text)
              ? 2U
              : 1U;
  }
  return std::min(at, words.size());
}

/// Whether `git config` sets something that may name a program.
bool sets_program(const Words& words, std::size_t from) {
  std::vector<std::string_view> operands;
  for (std::size_t i = from; i < words.size(); ++i) {
    const std::string_view text = words[i].text;
    if (has_word("-l --list --get --get-all --get-regexp --get-urlmatch --unset --unset-all "
                 "--remove-section",
                 text)) {
      return false;
    }
    if (!text.starts_with('-') || text.size() < 2) operands.push_back(text);
    if (has_word("--global --local --system --worktree --add --replace-all --bool --int", text))
      continue;
    if (text.starts_with('-')) return true;
  }
  if (!operands.empty() && has_word("get list unset", operands[0])) return false;
  if (!operands.empty() && operands[0] == "set") operands.erase(operands.begin());
  return operands.size() > 1 && !is_harmless_setting(operands[0], operands[1]);
}

/// The folder that a file such as .git or commondir names, from `folder`.
fs::path named_in(const fs::path& file, const fs::path& folder) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  if (line.starts_with("gitdir: ")) line.erase(0, 8);
  return folder / line;
}

/// Whether a line of configuration, in small letters, gives a key a command: diff.external, drivers
/// for merging, aliases and helpers that are run by a shell.
bool sets_command(std::string_view line) {
  const auto equals = line.find('=');
  if (equals == std::string_view::npos) return false;
  auto key = line.substr(0, equals);
  key = key.substr(0, key.find_last_not_of(" \t") + 1);
  const auto value =
      line.substr(std::min(line.find_first_not_of(" \t\"", equals + 1), line.size()));
  const auto ends = [&](std::initializer_list<std::string_view> names) {
    return std::any_of(names.begin(), names.end(),
                       [&](std::string_view name) { return key.ends_with(name); });
  };
  if (value.starts_with('!') || value.ends_with('\\')) return true;
  if (ends({"external", "driver", "cmd", "askpass", "uploadpack", "receivepack", "gitproxy",
            "packobjectshook", "difffilter"})) {
    return true;
  }
  // Found by PATH unless there is a folder in front.
  return ends({"helper", "editor", "pager"}) && value.find('/') != std::string_view::npos;
}

/// Whether a file of configuration names a program or another such file. Hooks in a folder that is
/// protected are no news.
bool names_programs_in(const fs::path& config, const fs::path& folder) {
  std::error_code error;
  std::ifstream file(config);
  if (!file) return fs::exists(config, error);
  for (std::string line; std::getline(file, line);) {
    const std::string lowered = lower(line);
    for (const auto* key : {"fsmonitor", "textconv", "command", "[filter", "[include", "[gpg",
                            "program", "attributesfile"}) {
      if (lowered.find(key) != std::string::npos) return true;
    }
    if (sets_command(lowered)) return true;
    const auto hooks = lowered.find("hookspath");
    if (hooks == std::string::npos) continue;
    const auto value = line.find_first_not_of(" \t=", hooks + 9);
    if (value == std::string::npos || line.find_first_of("\\\"#;") != std::string::npos)
      return true;
    const auto path = folder / line.substr(value);
    if (protection(Place{path, path}) == Protection::none) return true;
  }
  return false;
}

bool looks_bare(const fs::path& folder) {
  std::error_code error;
  const auto is_there = [&](const char* name) {
    return fs::exists(fs::symlink_status(folder / name, error));
  };
  return is_there("HEAD") && (is_there("objects") || is_there("refs") || is_there("commondir"));
}

}  // namespace

ReadOnlyCall git_call(const Words& all_words) {
  ReadOnlyCall call;
  call.uses_repository = true;
  call.wide = true;
  Words words = all_words;
  if (words.size() > 2 && words[1].literal() && words[1].text == "--no-pager") {
    words.erase(words.begin() + 1);
  }
  if (words.size() < 2 || !words[1].literal()) return call;
  if (is_listing(words)) {
    call.read_only = true;
    return call;
  }
  const auto* command =
      std::find_if(kSubcommands.begin(), kSubcommands.end(),
                   [&](const Subcommand& each) { return each.name == words[1].text; });
  if (command == kSubcommands.end()) return call;
  const auto arguments = read_arguments(command->options, words, 2);
  if (!arguments || checks_signatures(*arguments)) return call;
  if (!command->operands && !arguments->operands.empty()) return call;
  // Versions differ in which options take the next word; where one does not, it is an operand.
  for (const auto* value : arguments->separate_values) call.files.emplace_back(*value);
  for (const auto& operand : arguments->operands) {
    call.files.emplace_back(*operand.word);
    if (operand.word->pattern && operand.word->fixed == 0 && !operand.behind_dashes)
      call.open_patterns.push_back(operand.word->glob);
  }
  call.read_only = true;
  return call;
}

std::string_view git_runs(const Words& words) {
  const auto at = subcommand_at(words);
  for (std::size_t i = 1; i < at; ++i) {
    const std::string_view text = words[i].text;
    if (has_word(kHarmlessGlobal, text)) continue;
    if (text == "-C") {
      ++i;
      continue;
    }
    if (text != "-c" || i + 1 >= at) return text;
    const std::string_view setting = words[++i].text;
    const auto equals = std::min(setting.find('='), setting.size());
    const auto value = setting.substr(std::min(equals + 1, setting.size()));
    if (!is_harmless_setting(setting.substr(0, equals), value)) return setting;
  }
  if (at == words.size()) return {};
  const std::string_view command = words[at].text;
  if (has_word("filter-branch for-each-repo remote-ext remote-fd daemon instaweb", command))
    return command;
  if (command == "config") return sets_program(words, at + 1) ? command : std::string_view();
  // Letters that take a command, and words that announce one.
  const std::string_view letters = command == "rebase" || command == "difftool" ? "x"
                                   : command == "clone"                         ? "uc"
                                   : command == "grep"                          ? "O"
                                                                                : "";
  const std::string_view names = command == "difftool"                     ? "--extcmd"
                                 : command == "clone" || command == "init" ? "--template --config"
                                                                           : "";
  for (std::size_t i = at + 1; i < words.size(); ++i) {
    const std::string_view text = words[i].text;
    if (text == "--") break;
    if ((command == "bisect" && text == "run") || (command == "submodule" && text == "foreach"))
      return text;
    const auto name = text.substr(0, text.find('='));
    if (name.size() > 3 && name.starts_with("--") && names.find(name) != std::string_view::npos)
      return text;
    if (text.size() > 1 && text[0] == '-' && text[1] != '-' &&
        text.find_first_of(letters, 1) != std::string_view::npos) {
      return text;
    }
  }
  return {};
}

bool git_looks(const Words& words) {
  const auto at = subcommand_at(words);
  if (at == words.size()) return false;
  const auto& name = words[at].text;
  return has_word("grep diff-files diff-index", name) ||
         std::any_of(kSubcommands.begin(), kSubcommands.end(),
                     [&](const Subcommand& each) { return each.operands && each.name == name; });
}

std::optional<fs::path> git_folder(const Words& words, const fs::path& folder,
                                   const fs::path& home) {
  fs::path out = folder;
  const auto at = subcommand_at(words);
  for (std::size_t i = 1; i + 1 < at; ++i) {
    if (words[i].text != "-C") continue;
    const auto& word = words[++i];
    if (!word.literal() || (word.tilde && word.text != "~" && !word.text.starts_with("~/")))
      return std::nullopt;
    out = word.tilde ? absolute_path(word.text, out, home) : out / word.text;
  }
  return out;
}

bool is_opened_repository(const fs::path& cwd, const std::vector<Place>& folders) {
  const auto place = locate(cwd);
  if (!place) return false;
  std::error_code error;
  const auto inside = [&](const fs::path& path) {
    return std::any_of(folders.begin(), folders.end(),
                       [&](const Place& each) { return is_within(path, each.real); });
  };
  // Beyond the first repository, too: whether git takes that one depends on what is in it.
  for (fs::path folder = place->real;; folder = folder.parent_path()) {
    // Above the working folders nothing was written by the agent.
    if (!inside(folder)) {
      return std::any_of(folders.begin(), folders.end(),
                         [&](const Place& each) { return is_within(each.real, folder); });
    }
    if (looks_bare(folder)) return false;
    const auto type = fs::symlink_status(folder / ".git", error).type();
    const bool opened = std::any_of(folders.begin(), folders.end(),
                                    [&](const Place& each) { return each.real == folder; });
    if (!opened && type != fs::file_type::not_found) return false;
    if (type == fs::file_type::regular || type == fs::file_type::symlink) {
      // Names the real folder, which is protected only if it is called .git as well.
      const auto real = locate(type == fs::file_type::regular ? named_in(folder / ".git", folder)
                                                              : folder / ".git");
      if (!real ||
          (inside(real->real) && protection(Place{real->real, real->real}) == Protection::none)) {
        return false;
      }
    }
    if (!folder.has_relative_path()) return true;
  }
}

bool names_programs(const fs::path& cwd) {
  const auto place = locate(cwd);
  if (!place) return true;
  std::error_code error;
  for (fs::path folder = place->real;; folder = folder.parent_path()) {
    auto git = folder / ".git";
    const auto type = fs::status(git, error).type();
    if (type == fs::file_type::not_found) {
      if (!folder.has_relative_path()) return false;
      continue;
    }
    if (type == fs::file_type::regular) git = named_in(git, folder);
    if (fs::exists(git / "commondir", error)) git = named_in(git / "commondir", git);
    return names_programs_in(git / "config", folder) ||
           names_programs_in(git / "config.worktree", folder);
  }
}

}  // namespace parley::agent
