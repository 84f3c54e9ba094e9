// The command line of the agent: the flags of the real CLI, with its checks and its words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "../../../wire/control/permissions.hpp"

namespace parley::agent {

enum class Format { text, json, stream_json };

struct Flags {
  bool print = false;  ///< -p, or implied by --input-format stream-json.
  Format output = Format::text;
  Format input = Format::text;  ///< `text` or `stream_json`.
  bool verbose = false;
  bool partial_messages = false;
  bool replay_user_messages = false;
  bool hook_events = false;
  bool prompt_suggestions = false;
  bool session_mirror = false;
  bool forward_subagent_text = false;
  std::optional<std::string> agents;  ///< JSON.

  std::optional<std::string> model, fallback_model;
  std::optional<std::string> system_prompt, append_system_prompt;
  std::optional<std::int64_t> max_turns;
  std::optional<double> max_budget_usd;
  std::optional<std::int64_t> max_thinking_tokens;
  std::optional<std::string> thinking;  ///< "adaptive", "enabled" or "disabled".
  std::optional<std::string> effort;
  std::vector<std::string> betas;
  std::optional<std::string> json_schema;

  std::vector<std::string> allowed_tools, disallowed_tools;
  std::optional<std::vector<std::string>> tools;  ///< Set but empty: none.
  std::optional<Enum<PermissionMode>> permission_mode;
  bool skip_permissions = false;
  bool allow_skip_permissions = false;
  std::optional<std::string> permission_prompt_tool;
  std::vector<std::string> add_dirs;
  std::optional<std::string> settings;
  std::optional<std::vector<std::string>> setting_sources;

  std::vector<std::string> mcp_configs;  ///< Files or JSON objects.
  bool strict_mcp_config = false;        ///< No servers but those.

  std::optional<std::string> session_id, resume, resume_session_at, name;
  bool continue_latest = false;
  bool fork_session = false;
  bool no_session_persistence = false;
  bool disable_slash_commands = false;
  bool debug = false;
  std::optional<std::string> debug_file;

  std::optional<std::string> prompt;
  std::vector<std::string> without_effect;  ///< Accepted, for parts that come later.
};

/// What the command line asks for: to run, or to print something and end.
struct CommandLine {
  Flags flags;
  struct End {
    std::string out, err;  ///< With newlines.
    int code = 0;
  };
  std::optional<End> end;
};

[[nodiscard]] CommandLine parse_command_line(const std::vector<std::string>& arguments);

}  // namespace parley::agent
