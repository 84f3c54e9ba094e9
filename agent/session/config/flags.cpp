#include "agent/session/config/flags.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <sstream>

#include "agent/version.hpp"
#include "support/files/io.hpp"
#include "wire/ids.hpp"

namespace parley::agent {
namespace {

CommandLine::End refuse(const std::string& text) { return {"", text + "\n", 1}; }

/// How a flag takes its value.
enum class Takes { nothing, value, optional, list };

/// Thrown while the flags are read, caught by parse_command_line.
struct Refused {
  std::string text;
};

struct Option {
  const char* name;   ///< Without the dashes.
  const char* shape;  ///< As help and errors show it: "--model <model>".
  Takes takes;
  const char* help;  ///< Empty: not shown.
  std::function<void(Flags&, const std::string&)> set;
  char letter = 0;
  bool has_effect = true;
};

std::vector<std::string> split(const std::string& text) {
  // Commas and spaces separate tools, but not inside the parentheses of a rule.
  std::vector<std::string> parts;
  std::string part;
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth <= 0 && (c == ',' || c == ' ')) {
      if (!part.empty()) parts.push_back(std::move(part));
      part.clear();
    } else {
      part += c;
    }
  }
  if (!part.empty()) parts.push_back(std::move(part));
  return parts;
}

void append(std::vector<std::string>& to, const std::string& text) {
  for (std::string& part : split(text)) to.push_back(std::move(part));
}

template <class T>
T number(const char* shape, const std::string& text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value <= 0) {
    throw Refused{"error: option '" + std::string(shape) + "' argument '" + text +
                  "' is invalid. It must be a positive number."};
  }
  return value;
}

std::string choice(const char* shape, const std::string& text,
                   std::initializer_list<const char*> choices) {
  std::string list;
  for (const char* one : choices) {
    if (text == one) return text;
    list += (list.empty() ? "" : ", ") + std::string(one);
  }
  throw Refused{"error: option '" + std::string(shape) + "' argument '" + text +
                "' is invalid. Allowed choices are " + list + "."};
}

std::string file_text(const std::string& path) {
  auto text = read_file(path);
  if (!text) throw Refused{"Error: System prompt file not found: " + path};
  return *std::move(text);
}

Enum<PermissionMode> mode(const std::string& text) {
  if (text == "manual" || text == "default") return PermissionMode::default_;
  return Enum<PermissionMode>(
      choice("--permission-mode <mode>", text,
             {"acceptEdits", "auto", "bypassPermissions", "manual", "dontAsk", "plan"}));
}

const std::vector<Option>& options() {
  using F = Flags;
  using S = const std::string&;
  static const auto later = [](const char* name, const char* shape, Takes takes) {
    return Option{name,
                  shape,
                  takes,
                  "",
                  [name](F& f, S) { f.without_effect.push_back("--" + std::string(name)); },
                  0,
                  false};
  };
  static const std::vector<Option> table = {
      {"print", "-p, --print", Takes::nothing, "Print the answer and end.",
       [](F& f, S) { f.print = true; }, 'p'},
      {"output-format", "--output-format <format>", Takes::value,
       "text (default), json (one result) or stream-json.",
       [](F& f, S v) {
         choice("--output-format <format>", v, {"text", "json", "stream-json"});
         f.output = v == "text" ? Format::text : v == "json" ? Format::json : Format::stream_json;
       }},
      {"input-format", "--input-format <format>", Takes::value, "text (default) or stream-json.",
       [](F& f, S v) {
         choice("--input-format <format>", v, {"text", "stream-json"});
         f.input = v == "text" ? Format::text : Format::stream_json;
       }},
      {"verbose", "--verbose", Takes::nothing, "All messages; stream-json needs it.",
       [](F& f, S) { f.verbose = true; }},
      {"include-partial-messages", "--include-partial-messages", Takes::nothing,
       "Stream answers as they are written.", [](F& f, S) { f.partial_messages = true; }},
      {"replay-user-messages", "--replay-user-messages", Takes::nothing,
       "Echo the messages of the client.", [](F& f, S) { f.replay_user_messages = true; }},
      {"include-hook-events", "--include-hook-events", Takes::nothing,
       "Show the hooks of settings files as they run.", [](F& f, S) { f.hook_events = true; }},
      {"model", "--model <model>", Takes::value, "The model, by name or alias.",
       [](F& f, S v) { f.model = v; }},
      {"fallback-model", "--fallback-model <model>", Takes::value,
       "Taken when the model is overloaded.", [](F& f, S v) { f.fallback_model = v; }},
      {"system-prompt", "--system-prompt <prompt>", Takes::value, "In place of the system prompt.",
       [](F& f, S v) { f.system_prompt = v; }},
      {"system-prompt-file", "--system-prompt-file <file>", Takes::value, "The same from a file.",
       [](F& f, S v) { f.system_prompt = file_text(v); }},
      {"append-system-prompt", "--append-system-prompt <prompt>", Takes::value,
       "Behind the system prompt.", [](F& f, S v) { f.append_system_prompt = v; }},
      {"append-system-prompt-file", "--append-system-prompt-file <file>", Takes::value,
       "The same from a file.", [](F& f, S v) { f.append_system_prompt = file_text(v); }},
      {"max-turns", "--max-turns <turns>", Takes::value, "End a prompt after so many answers.",
       [](F& f, S v) { f.max_turns = number<std::int64_t>("--max-turns <turns>", v); }},
      {"max-budget-usd", "--max-budget-usd <amount>", Takes::value,
       "End a prompt when this is spent.",
       [](F& f, S v) { f.max_budget_usd = number<double>("--max-budget-usd <amount>", v); }},
      {"max-thinking-tokens", "--max-thinking-tokens <tokens>", Takes::value,
       "The budget for thinking.",
       [](F& f, S v) {
         f.max_thinking_tokens =
             v == "0" ? 0 : number<std::int64_t>("--max-thinking-tokens <tokens>", v);
       }},
      {"thinking", "--thinking <mode>", Takes::value, "adaptive, enabled or disabled.",
       [](F& f, S v) {
         f.thinking = choice("--thinking <mode>", v, {"enabled", "adaptive", "disabled"});
       }},
      {"effort", "--effort <level>", Takes::value, "low, medium, high, xhigh or max.",
       [](F& f, S v) {
         f.effort = choice("--effort <level>", v, {"low", "medium", "high", "xhigh", "max"});
       }},
      {"betas", "--betas <betas...>", Takes::list, "Beta headers for the API.",
       [](F& f, S v) { append(f.betas, v); }},
      {"json-schema", "--json-schema <schema>", Takes::value,
       "The answer must be JSON of this schema.", [](F& f, S v) { f.json_schema = v; }},
      {"allowedTools", "--allowedTools, --allowed-tools <tools...>", Takes::list,
       "Run without asking, e.g. \"Bash(git:*) Edit\".",
       [](F& f, S v) { append(f.allowed_tools, v); }},
      {"allowed-tools", "--allowedTools, --allowed-tools <tools...>", Takes::list, "",
       [](F& f, S v) { append(f.allowed_tools, v); }},
      {"disallowedTools", "--disallowedTools, --disallowed-tools <tools...>", Takes::list,
       "Never run.", [](F& f, S v) { append(f.disallowed_tools, v); }},
      {"disallowed-tools", "--disallowedTools, --disallowed-tools <tools...>", Takes::list, "",
       [](F& f, S v) { append(f.disallowed_tools, v); }},
      {"tools", "--tools <tools...>", Takes::list,
       "The tools there are: \"\" for none, \"default\", or names.",
       [](F& f, S v) {
         if (!f.tools) f.tools.emplace();
         append(*f.tools, v);
       }},
      {"permission-mode", "--permission-mode <mode>", Takes::value,
       "default, acceptEdits, plan, dontAsk or bypassPermissions.",
       [](F& f, S v) { f.permission_mode = mode(v); }},
      {"dangerously-skip-permissions", "--dangerously-skip-permissions", Takes::nothing,
       "Ask nothing. Only in a sandbox.", [](F& f, S) { f.skip_permissions = true; }},
      {"allow-dangerously-skip-permissions", "--allow-dangerously-skip-permissions", Takes::nothing,
       "Let a client switch to that mode later.", [](F& f, S) { f.allow_skip_permissions = true; }},
      {"permission-prompt-tool", "--permission-prompt-tool <tool>", Takes::value,
       "stdio: ask the client; else a tool of an MCP server.",
       [](F& f, S v) { f.permission_prompt_tool = v; }},
      {"permission-prompts", "--permission-prompts <host>", Takes::value, "",
       [](F& f, S v) {
         if (v == "host") f.permission_prompt_tool = "stdio";
       }},
      {"add-dir", "--add-dir <directories...>", Takes::list, "More folders to work in.",
       [](F& f, S v) { f.add_dirs.push_back(v); }},
      {"settings", "--settings <file-or-json>", Takes::value, "More settings.",
       [](F& f, S v) { f.settings = v; }},
      {"setting-sources", "--setting-sources <sources>", Takes::value,
       "Which settings files count: user, project, local.",
       [](F& f, S v) {
         f.setting_sources = split(v);
         for (const std::string& source : *f.setting_sources) {
           if (source != "user" && source != "project" && source != "local") {
             throw Refused{"Error processing --setting-sources: Invalid setting source: " + source +
                           ". Valid options are: user, project, local"};
           }
         }
       }},
      {"mcp-config", "--mcp-config <configs...>", Takes::list, "MCP servers, from files or JSON.",
       [](F& f, S v) { f.mcp_configs.push_back(v); }},
      {"strict-mcp-config", "--strict-mcp-config", Takes::nothing,
       "No MCP servers but those of --mcp-config.", [](F& f, S) { f.strict_mcp_config = true; }},
      {"session-id", "--session-id <uuid>", Takes::value, "The id of the session.",
       [](F& f, S v) { f.session_id = v; }},
      {"resume", "-r, --resume [value]", Takes::optional, "Go on with a session.",
       [](F& f, S v) { f.resume = v; }, 'r'},
      {"continue", "-c, --continue", Takes::nothing, "Go on with the latest session here.",
       [](F& f, S) { f.continue_latest = true; }, 'c'},
      {"fork-session", "--fork-session", Takes::nothing, "Go on under a new id.",
       [](F& f, S) { f.fork_session = true; }},
      {"resume-session-at", "--resume-session-at <message id>", Takes::value,
       "Go on from this message.", [](F& f, S v) { f.resume_session_at = v; }},
      {"no-session-persistence", "--no-session-persistence", Takes::nothing, "Write no transcript.",
       [](F& f, S) { f.no_session_persistence = true; }},
      {"name", "-n, --name <name>", Takes::value, "A title for the session.",
       [](F& f, S v) { f.name = v; }, 'n'},
      {"prompt-suggestions", "--prompt-suggestions [value]", Takes::optional,
       "Guess after each turn what the user will say next.",
       [](F& f, S v) { f.prompt_suggestions = v != "false"; }},
      {"session-mirror", "--session-mirror", Takes::nothing,
       "Show every line of the transcript on stdout, too.",
       [](F& f, S) { f.session_mirror = true; }},
      {"disable-slash-commands", "--disable-slash-commands", Takes::nothing,
       "Take slash commands as plain text.", [](F& f, S) { f.disable_slash_commands = true; }},
      {"debug", "-d, --debug [filter]", Takes::optional, "Say on stderr what is going on.",
       [](F& f, S) { f.debug = true; }, 'd'},
      {"debug-file", "--debug-file <path>", Takes::value, "The same into a file.",
       [](F& f, S v) {
         f.debug = true;
         f.debug_file = v;
       }},
      {"agents", "--agents <json>", Takes::value,
       "Agents by name: {\"reviewer\": {\"description\": ..., \"prompt\": ...}}.",
       [](F& f, S v) { f.agents = v; }},
      later("agent", "--agent <agent>", Takes::value),
      later("plugin-dir", "--plugin-dir <path>", Takes::list),
      later("plugin-dir-no-mcp", "--plugin-dir-no-mcp <path>", Takes::list),
      later("autocompact", "--autocompact <window>", Takes::value),
      {"forward-subagent-text", "--forward-subagent-text", Takes::nothing,
       "Show what subagents say, not only what they do.",
       [](F& f, S) { f.forward_subagent_text = true; }},
      later("await-initialize", "--await-initialize", Takes::nothing),
      later("managed-settings", "--managed-settings <json>", Takes::value),
      later("managed-settings-in-initialize", "--managed-settings-in-initialize", Takes::nothing),
      later("project-config-root", "--project-config-root <path>", Takes::value),
      later("resume-drops-turn", "--resume-drops-turn <id>", Takes::value),
      later("task-budget", "--task-budget <tokens>", Takes::value),
      later("thinking-display", "--thinking-display <display>", Takes::value),
      later("exclude-dynamic-system-prompt-sections", "--exclude-dynamic-system-prompt-sections",
            Takes::nothing),
      later("from-pr", "--from-pr [value]", Takes::optional),
      later("worktree", "-w, --worktree [name]", Takes::optional),
      later("ide", "--ide", Takes::nothing),
      later("chrome", "--chrome", Takes::nothing),
      later("no-chrome", "--no-chrome", Takes::nothing),
      later("safe-mode", "--safe-mode", Takes::nothing),
      later("bare", "--bare", Takes::nothing),
      later("file", "--file <specs...>", Takes::list),
      later("mcp-debug", "--mcp-debug", Takes::nothing),
  };
  return table;
}

const Option* find_option(const std::string& name) {
  for (const Option& option : options()) {
    if (name == option.name) return &option;
  }
  return nullptr;
}

const Option* find_letter(char letter) {
  for (const Option& option : options()) {
    if (option.letter == letter) return &option;
  }
  return nullptr;
}

std::string help() {
  std::ostringstream out;
  out << "Usage: parley-agent [options] [prompt]\n\n"
         "An agent behind the stream-json protocol. It works with any endpoint that speaks the\n"
         "Messages API: ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY.\n\nOptions:\n";
  for (const Option& option : options()) {
    if (*option.help == '\0') continue;
    std::string shape = option.shape;
    shape.resize(std::max<std::size_t>(shape.size() + 2, 42), ' ');
    out << "  " << shape << option.help << "\n";
  }
  out << "  -v, --version                             Print the version.\n"
         "  -h, --help                                Print this.\n";
  std::string later;
  for (const Option& option : options()) {
    if (!option.has_effect)
      later += (later.empty() ? "" : ", ") + ("--" + std::string(option.name));
  }
  out << "\nAccepted and without effect so far:\n  " << later << "\n";
  return out.str();
}

/// One walk over the arguments, setting flags as they come.
class Reader {
 public:
  Reader(const std::vector<std::string>& arguments, Flags& flags)
      : arguments_(arguments), flags_(flags) {}

  void read() {
    while (at_ < arguments_.size()) {
      const std::string& argument = arguments_[at_++];
      if (only_words_ || argument.size() < 2 || argument[0] != '-') {
        word(argument);
      } else if (argument == "--") {
        only_words_ = true;
      } else if (argument[1] == '-') {
        long_option(argument);
      } else {
        short_option(argument);
      }
    }
  }

 private:
  void word(const std::string& text) {
    // Further words are refused by nobody and read by nobody, as in the real one.
    if (!flags_.prompt) flags_.prompt = text;
  }

  void long_option(const std::string& argument) {
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(2, equals == std::string::npos ? equals : equals - 2);
    const Option* option = find_option(name);
    if (option == nullptr) throw Refused{"error: unknown option '--" + name + "'"};
    if (equals == std::string::npos) return take(*option);
    option->set(flags_, argument.substr(equals + 1));
  }

  void short_option(const std::string& argument) {
    const Option* option = find_letter(argument[1]);
    if (option == nullptr) throw Refused{"error: unknown option '" + argument + "'"};
    if (argument.size() == 2) return take(*option);
    if (option->takes == Takes::nothing) {
      option->set(flags_, "");
      return short_option("-" + argument.substr(2));
    }
    option->set(flags_, argument.substr(2));
  }

  void take(const Option& option) {
    const auto is_value = [&] {
      return at_ < arguments_.size() && (arguments_[at_].empty() || arguments_[at_][0] != '-');
    };
    switch (option.takes) {
      case Takes::nothing: return option.set(flags_, "");
      case Takes::optional: return option.set(flags_, is_value() ? arguments_[at_++] : "");
      case Takes::value:
        if (at_ >= arguments_.size()) missing(option);
        return option.set(flags_, arguments_[at_++]);
      case Takes::list:
        if (!is_value()) missing(option);
        while (is_value()) option.set(flags_, arguments_[at_++]);
    }
  }

  [[noreturn]] static void missing(const Option& option) {
    throw Refused{"error: option '" + std::string(option.shape) + "' argument missing"};
  }

  const std::vector<std::string>& arguments_;
  Flags& flags_;
  std::size_t at_ = 0;
  bool only_words_ = false;
};

/// What does not go together.
std::optional<std::string> contradiction(const Flags& flags) {
  if (flags.input == Format::stream_json && flags.output != Format::stream_json) {
    return "Error: --input-format=stream-json requires output-format=stream-json.";
  }
  if (flags.partial_messages && (!flags.print || flags.output != Format::stream_json)) {
    return "Error: --include-partial-messages requires --print and --output-format=stream-json.";
  }
  if (flags.replay_user_messages && flags.input != Format::stream_json) {
    return "Error: --replay-user-messages requires both --input-format=stream-json and "
           "--output-format=stream-json.";
  }
  if (flags.output == Format::stream_json && !flags.verbose) {
    return "Error: When using --print, --output-format=stream-json requires --verbose";
  }
  if (flags.session_id) {
    if (!is_session_id(*flags.session_id)) {
      return "Error: Invalid session ID. Must be a valid UUID.";
    }
    if ((flags.resume || flags.continue_latest) && !flags.fork_session) {
      return "Error: --session-id can only be used with --continue or --resume if --fork-session "
             "is also specified.";
    }
  }
  if (flags.fallback_model && flags.fallback_model == flags.model) {
    return "Error: Fallback model cannot be the same as the main model. Please specify a different "
           "model for --fallback-model.";
  }
  return std::nullopt;
}

}  // namespace

CommandLine parse_command_line(const std::vector<std::string>& arguments) {
  CommandLine line;
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    if (argument == "--version" || argument == "-v") {
      line.end = CommandLine::End{version_line() + "\n", "", 0};
      return line;
    }
    if (argument == "--help" || argument == "-h") {
      line.end = CommandLine::End{help(), "", 0};
      return line;
    }
  }
  try {
    Reader(arguments, line.flags).read();
  } catch (const Refused& refused) {
    line.end = refuse(refused.text);
    return line;
  }
  // stream-json both ways is a conversation without a terminal, with or without -p.
  if (line.flags.input == Format::stream_json || line.flags.output == Format::stream_json) {
    line.flags.print = true;
  }
  if (const auto text = contradiction(line.flags)) line.end = refuse(*text);
  return line;
}

}  // namespace parley::agent
