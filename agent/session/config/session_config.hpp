// Everything about a session that is known when it starts and does not change afterwards: flags,
// environment, folders, settings, notes. Changes that a client asks for later are SessionOverrides.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../../mcp/config/server_entry.hpp"
#include "../../settings/settings.hpp"
#include "flags.hpp"
#include "notes.hpp"
#include "output_styles.hpp"

namespace parley::agent {

class Tool;

using Environment = std::map<std::string, std::string>;

/// A value. load() fills it in; from then on every thread reads it.
struct SessionConfig {
  SessionConfig(Flags flags, Environment environment, std::string cwd);

  /// Reads settings and notes, and finds the session that is to be resumed. An error ends the
  /// program: it is what a result says then.
  Result<void> load();

  Flags flags;
  Environment environment;  ///< Of the process.
  Environment variables;    ///< The same with those of the settings, for what the agent starts.
  std::string cwd, home, config_folder, entrypoint;
  std::string session_id;
  std::optional<std::string> resumed_id;  ///< Of the session that this one goes on with.
  Settings::Sources setting_sources;
  Settings settings;
  std::string notes;  ///< CLAUDE.md and its like.
  std::vector<NoteFile> note_files;
  OutputStyle output_style;
  McpEntries mcp_servers;                         ///< Those that the session starts with.
  std::shared_ptr<const Tool> structured_output;  ///< Of --json-schema; null without it.

  /// Whether there is somebody to ask for permission.
  [[nodiscard]] bool can_ask() const { return flags.permission_prompt_tool.has_value(); }
  /// The tool of an MCP server that is asked instead of the client, if there is one.
  [[nodiscard]] std::optional<std::string> prompt_tool() const {
    return flags.permission_prompt_tool == "stdio" ? std::nullopt : flags.permission_prompt_tool;
  }
  /// Whether a variable of the environment says yes.
  [[nodiscard]] bool is_switched_on(const std::string& name) const;
  /// A variable of the environment that is a whole number above 0.
  [[nodiscard]] std::optional<std::int64_t> number_in(const std::string& name) const;

  [[nodiscard]] Enum<PermissionMode> first_mode() const;
  /// Whether the mode bypassPermissions is on from the start, or may be switched on later: these
  /// are all its doors.
  [[nodiscard]] bool may_bypass() const;

  /// For long results of tools: beside the transcript, in the folder of the session.
  [[nodiscard]] std::filesystem::path results_folder() const;
  /// For the output of commands.
  [[nodiscard]] std::filesystem::path scratch_folder() const;
  /// Where the plan of the session is or would be.
  [[nodiscard]] std::filesystem::path plan_file() const;

 private:
  Result<void> load_settings();
  Result<void> load_mcp_servers();
  [[nodiscard]] Result<std::optional<std::string>> find_earlier_session() const;
};

/// A variable, or `fallback` if it is missing or empty.
[[nodiscard]] std::string variable(const Environment& environment, const std::string& name,
                                   const std::string& fallback = {});

}  // namespace parley::agent
