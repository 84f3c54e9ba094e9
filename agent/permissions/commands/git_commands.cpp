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

/// Formats that have signatures checked run the program that the configuration names for it.
bool checks_signatures(const Arguments& arguments) {
  return std::any_of(arguments.values.begin(), arguments.values.end(), [](const auto& each) {
    return each.value.find("%G") != std::string_view::npos ||
           each.value.find("signature") != std::string_view::npos;
  });
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

/// The folder that a file such as .git or commondir names, from `folder`.
fs::path named_in(const fs::path& file, const fs::path& folder) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  if (line.starts_with("gitdir: ")) line.erase(0, 8);
  return folder / line;
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
    const auto hooks = lowered.find("hookspath");
    if (hooks == std::string::npos) continue;
    const auto value = line.find_first_not_of(" \t=", hooks + 9);
    if (value == std::string::npos || line.find_first_of("\\\"#;") != std::string::npos)
      return true;
    const auto path = folder / line.substr(value);
    if (protection(Place{path, path}) == Protection::kNone) return true;
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
    if (type == fs::file_type::regular) {
      // Names the real folder, which is protected only if it is called .git as well.
      const auto real = locate(named_in(folder / ".git", folder));
      if (!real || (inside(real->real) && protection(*real) == Protection::kNone)) return false;
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
