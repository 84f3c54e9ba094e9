#include "agent/permissions/commands/invocation.hpp"

#include <algorithm>

#include "support/text/text.hpp"

namespace parley::agent {
namespace {

using shell::Word;

bool is_duration(std::string_view text) {
  const auto end = text.find_first_not_of("0123456789.");
  return !text.empty() && end != 0 &&
         (end == std::string_view::npos ||
          (end + 1 == text.size() && is_one_of(text.substr(end), {"s", "m", "h", "d"})));
}

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// How many words belong to the wrapper at the front; 0 if there is none or it is not read.
std::size_t wrapper_length(const Words& words) {
  const auto text = [&](std::size_t i) -> std::string_view {
    return i < words.size() && words[i].literal() ? std::string_view(words[i].text)
                                                  : std::string_view("-?");
  };
  std::size_t at = 1;
  const auto name = text(0);
  if (name == "nohup") {
  } else if (name == "time") {
    if (text(at) == "-p") ++at;
    if (text(at) == "!") ++at;  // `time` is a word of the shell's grammar, and so is this.
  } else if (name == "command") {
    if (text(at) == "-p") return 0;
  } else if (name == "timeout") {
    while (text(at).starts_with('-')) {
      if (is_one_of(text(at), {"--foreground", "--preserve-status", "-v", "--verbose"})) {
        ++at;
      } else if (is_one_of(text(at), {"-k", "-s"})) {
        at += 2;
      } else {
        return 0;
      }
    }
    if (!is_duration(text(at))) return 0;
    ++at;
  } else if (name == "nice") {
    if (text(at) == "-n") at += 2;
  } else if (name == "stdbuf") {
    while (text(at).starts_with("-i") || text(at).starts_with("-o") || text(at).starts_with("-e")) {
      if (text(at).size() == 2) return 0;
      ++at;
    }
  } else {
    return 0;
  }
  if (text(at) == "--") ++at;
  // A pattern among its own words could become several, and the command another one.
  const bool fixed = at < words.size() &&
                     std::all_of(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(at),
                                 [](const Word& word) { return word.literal(); });
  return fixed && !text(at).starts_with('-') ? at : 0;
}

/// Programs whose arguments hold a command.
bool runs_arguments(const Words& words) {
  const auto name = base_name(words[0].text);
  const std::string_view second = words.size() > 1 ? std::string_view(words[1].text) : "";
  if (is_one_of(name, {"npm", "yarn", "pnpm", "bun"}))
    return is_one_of(second, {"exec", "x", "dlx"});
  if (is_one_of(name,
                {"poetry", "pipenv", "uv", "bundle", "conda", "mise", "pdm", "rye", "hatch"})) {
    return is_one_of(second, {"run", "exec"});
  }
  return name.starts_with("ld-linux") || name.starts_with("ld.so") ||
         is_one_of(name, {"timeout",  "nohup",     "nice",        "time",
                          "stdbuf",   "command",   "builtin",     "env",
                          "sudo",     "doas",      "su",          "exec",
                          "xargs",    "parallel",  "find",        "fd",
                          "setsid",   "ionice",    "chrt",        "taskset",
                          "unshare",  "nsenter",   "chroot",      "strace",
                          "ltrace",   "gdb",       "watch",       "flock",
                          "busybox",  "toybox",    "script",      "runuser",
                          "setarch",  "numactl",   "systemd-run", "eatmydata",
                          "linux64",  "linux32",   "i386",        "x86_64",
                          "uname26",  "catchsegv", "prlimit",     "choom",
                          "entr",     "npx",       "bunx",        "coproc",
                          "cpulimit", "unbuffer",  "rlwrap",      "proxychains",
                          "torsocks", "firejail",  "bwrap",       "dbus-run-session",
                          "faketime", "setpriv",   "capsh",       "pkexec",
                          "valgrind", "perf",      "fakeroot",    "proot",
                          "xvfb-run", "ssh-agent", "tini",        "start-stop-daemon",
                          "gosu",     "su-exec",   "setuidgid",   "dumb-init",
                          "chpst",    "hyperfine", "watchexec",   "direnv",
                          "tmux",     "screen",    "openvt",      "cgexec",
                          "chronic",  "ifne"});
}

Words tail(const Words& words, std::size_t from) {
  return {words.begin() + static_cast<std::ptrdiff_t>(from), words.end()};
}

/// `git -C folder -c a=b push` is `git push`.
Words without_git_options(const Words& words) {
  std::size_t at = 1;
  while (at < words.size() && words[at].text.starts_with('-')) {
    const bool has_value =
        is_one_of(words[at].text, {"-C", "-c", "--git-dir", "--work-tree", "--namespace",
                                   "--config-env", "--exec-path", "--super-prefix"});
    at += has_value ? 2U : 1U;
  }
  Words out{words[0]};
  for (; at < words.size(); ++at) out.push_back(words[at]);
  return out;
}

bool is_safe_variable(std::string_view name) {
  return name.starts_with("LC_") || is_one_of(name, {"LANG",
                                                     "LANGUAGE",
                                                     "TZ",
                                                     "TERM",
                                                     "COLUMNS",
                                                     "LINES",
                                                     "NO_COLOR",
                                                     "FORCE_COLOR",
                                                     "CLICOLOR",
                                                     "CLICOLOR_FORCE",
                                                     "COLORTERM",
                                                     "CHARSET",
                                                     "NODE_ENV",
                                                     "RUST_LOG",
                                                     "RUST_BACKTRACE",
                                                     "PYTHONUNBUFFERED",
                                                     "PYTHONDONTWRITEBYTECODE",
                                                     "CI",
                                                     "DEBUG",
                                                     "VERBOSE",
                                                     "GOOS",
                                                     "GOARCH",
                                                     "CGO_ENABLED",
                                                     "TIME_STYLE",
                                                     "BLOCK_SIZE",
                                                     "BLOCKSIZE"});
}

void add_reading(const Words& words, std::vector<Words>& out) {
  out.push_back(words);
  Words named = words;
  named[0].text = base_name(words[0].text);
  if (named[0].text != words[0].text) out.push_back(named);
  if (named[0].text == "git" && words.size() > 1 && words[1].text.starts_with('-')) {
    out.push_back(without_git_options(named));
  }
}

}  // namespace

std::string command_text(const Words& words) {
  std::string out;
  for (const auto& word : words) {
    if (!out.empty()) out += ' ';
    const bool plain = word.literal() && !word.text.empty() &&
                       word.text.find_first_of(" \t\n'\"\\;&|<>()$`") == std::string::npos;
    out += plain || word.source.empty() ? word.text : word.source;
  }
  return out;
}

Words without_wrappers(const Words& words) {
  constexpr int kMost = 10;  // More are no use, and each is a copy of all words.
  Words out = words;
  for (int i = 0; i < kMost; ++i) {
    const auto length = wrapper_length(out);
    if (length == 0) break;
    out = tail(out, length);
  }
  return out;
}

std::vector<Words> all_readings(const Words& words) {
  std::vector<Words> out;
  if (words.empty()) return out;
  add_reading(words, out);
  if (!runs_arguments(words) || has_too_many_readings(words)) return out;
  // Which options take a value differs from program to program and version to version; so every
  // word may be where the command begins.
  for (std::size_t i = 1; i < words.size(); ++i) add_reading(tail(words, i), out);
  return out;
}

bool has_too_many_readings(const Words& words) {
  return words.size() > 64 && runs_arguments(words);
}

bool is_shell(const Words& words) {
  return !words.empty() &&
         is_one_of(base_name(words[0].text), {"sh", "bash", "dash", "zsh", "ksh", "ash", "fish",
                                              "rbash", "mksh", "csh", "tcsh"});
}

std::vector<std::string> inner_scripts(const Words& words) {
  std::vector<std::string> out;
  if (words.empty()) return out;
  if (words[0].text == "eval") {
    std::string all;
    for (const auto& word : tail(words, 1)) all += word.text + ' ';
    out.push_back(std::move(all));
  } else if (is_shell(words) ||
             is_one_of(base_name(words[0].text),
                       {"su", "script", "watch", "env", "parallel", "flock", "trap", "runuser",
                        "capsh", "hyperfine", "tmux", "screen", "pee", "nix-shell"})) {
    const bool splits = base_name(words[0].text) == "env";
    for (const auto& word : tail(words, 1)) {
      const bool blank = word.text.find_first_of(" \t\n;|&") != std::string::npos;
      // `bash -c curl` has no blank in its script, and which word is the script depends on the
      // others.
      if (blank || (!splits && !word.text.starts_with('-'))) out.push_back(word.text);
      if (splits && word.text.starts_with('-')) {
        // `env -S"rm x"`, `env -iS'rm x'`, `env --split-string='rm x'`
        const auto at = word.text.find_first_of("S=");
        if (at != std::string::npos) out.push_back(word.text.substr(at + 1));
      } else if (word.text.starts_with('-')) {
        // `su -c'rm x'`, `script -qc'rm x'`, `su --command='rm x'`
        const auto equals = word.text.find('=');
        if (equals != std::string::npos) out.push_back(word.text.substr(equals + 1));
        for (std::size_t at = 2; at < std::min<std::size_t>(word.text.size(), 6); ++at)
          out.push_back(word.text.substr(at));
      }
    }
  } else if (is_one_of(base_name(words[0].text),
                       {"tar", "split", "sort", "rg", "man", "rsync", "ssh"})) {
    // `tar --to-command='rm x'`, `rg --pre rm`, `tar -I 'rm x'`
    for (std::size_t i = 1; i < words.size(); ++i) {
      const auto& text = words[i].text;
      const bool value = is_one_of(words[i - 1].text, {"--pre", "--compress-program", "--filter",
                                                       "--to-command", "--use-compress-program"});
      if (value || text.find(' ') != std::string::npos) out.push_back(text);
      // At most `--checkpoint-action=exec=rm`.
      auto at = text.find('=');
      for (int level = 0; level < 2 && at != std::string::npos;
           ++level, at = text.find('=', at + 1))
        out.push_back(text.substr(at + 1));
    }
  }
  return out;
}

bool runs_input(const Words& words) {
  const auto name = words.empty() ? std::string_view() : base_name(words[0].text);
  const auto is_input = [](std::string_view text) {
    return is_one_of(text, {"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"});
  };
  if (is_one_of(name, {"su", "sudo", "doas", "at", "batch"})) return true;
  if (name == "source" || name == ".") {
    return std::any_of(words.begin() + 1, words.end(),
                       [&](const Word& word) { return is_input(word.text); });
  }
  if (!is_shell(words)) return false;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string_view text = words[i].text;
    if (is_one_of(text, {"--version", "--help"})) return false;
    if (is_input(text)) return true;
    if (is_one_of(text, {"-O", "+O", "-o", "+o", "--rcfile", "--init-file"})) {
      ++i;
    } else if (!text.starts_with('-') && !text.starts_with('+')) {
      return false;
    } else if (!text.starts_with("--") && text.find('s') != std::string_view::npos) {
      return true;
    }
  }
  return true;
}

bool runs_what_xargs_reads(const Words& words) {
  if (words.empty() || base_name(words[0].text) != "xargs") return false;
  std::string_view replaced;
  std::size_t at = 1;
  for (; at < words.size() && words[at].text.starts_with('-'); ++at) {
    const std::string_view text = words[at].text;
    const auto letter = text.substr(0, 2);
    if (letter == "-I" || letter == "-i" || text.starts_with("--replace")) {
      replaced = text.starts_with("--") ? text.substr(std::min(text.find('=') + 1, text.size()))
                                        : text.substr(2);
      if (text.starts_with("--") && text.find('=') == std::string_view::npos) replaced = "{}";
      if (letter == "-i" && replaced.empty()) replaced = "{}";
    }
    if (text.size() != 2 || !is_one_of(letter, {"-I", "-n", "-L", "-P", "-s", "-d", "-a", "-E"}))
      continue;
    if (++at < words.size() && letter == "-I") replaced = words[at].text;
  }
  const auto is_replaced = [&](const Word& word) {
    return !replaced.empty() && word.text.find(replaced) != std::string::npos;
  };
  for (; at < words.size(); ++at) {
    const Words rest = tail(words, at);
    if (is_replaced(rest[0])) return true;
    if (is_shell(rest)) {
      const auto script = std::find_if(rest.begin() + 1, rest.end(), [](const Word& word) {
        return !word.text.starts_with('-');
      });
      return script == rest.end() || is_replaced(*script);
    }
    if (!runs_arguments(rest)) return false;
    // Options and settings of a program that runs another one.
    while (at + 1 < words.size() &&
           (words[at + 1].text.starts_with('-') ||
            words[at + 1].text.find('=') != std::string::npos || is_duration(words[at + 1].text))) {
      ++at;
    }
    if (at + 1 == words.size()) return true;
  }
  return false;
}

bool is_plain_printf(const Words& words) {
  std::size_t at = 1;
  if (at < words.size() && words[at].text == "--") ++at;
  if (at >= words.size() || !words[at].literal() || (at == 1 && words[at].text.starts_with('-')))
    return false;
  const std::string_view format = words[at].text;
  for (auto i = format.find('%'); i != std::string_view::npos; i = format.find('%', i + 1)) {
    i = format.find_first_not_of("#-+ 0123456789.*", i + 1);
    if (i == std::string_view::npos ||
        std::string_view("diouxXeEfFgGaAcsbqQ%").find(format[i]) == std::string_view::npos) {
      return false;
    }
  }
  return true;
}

std::string_view evaluator(const Words& words) {
  if (words.empty()) return {};
  // A name of a variable may have a subscript, and a subscript may run commands.
  const auto has = [&](std::initializer_list<std::string_view> options) {
    return std::any_of(words.begin() + 1, words.end(), [&](const Word& word) {
      return (word.pattern && (word.fixed == 0 || word.text[0] == '-')) ||
             is_one_of(word.text, options);
    });
  };
  const std::string_view name = words[0].text;
  if (is_one_of(name, {"test", "["}) && has({"-v", "-R"})) return name;
  if (name == "wait" && has({"-p"})) return name;
  if (name == "printf" && !is_plain_printf(words)) return name;
  return is_one_of(name,
                   {"eval",   "exec",    "source",  ".",        "alias",   "trap",     "hash",
                    "enable", "builtin", "bind",    "complete", "compgen", "mapfile",  "readarray",
                    "fc",     "let",     "declare", "typeset",  "local",   "readonly", "shopt",
                    "coproc", "unset",   "export",  "read",     "getopts"})
             ? name
             : std::string_view();
}

bool is_safe_assignment(const shell::Assignment& assignment) {
  const std::string_view value = assignment.value.text;
  if (!is_safe_variable(assignment.name) || !assignment.value.literal()) return false;
  // Bash changes its locale at once, and in some of them a backslash is part of a character.
  if (assignment.name == "LANG" || assignment.name.starts_with("LC_"))
    return is_plain_locale(value);
  return value.find_first_not_of(
             "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.,:+@%-") ==
         std::string::npos;
}

bool is_plain_locale(std::string_view name) {
  const auto charset = name.substr(std::min(name.find('.'), name.size()));
  return is_one_of(name, {"", "C", "POSIX"}) ||
         is_one_of(charset, {".UTF-8", ".utf8", ".utf-8", ".UTF8"});
}

}  // namespace parley::agent
