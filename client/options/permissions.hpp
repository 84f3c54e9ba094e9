// Options::permissions: what the agent may do unasked, and who is asked.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "../../wire/messages/catalog.hpp"

namespace parley {

/// Who shows permission prompts: the program that hosts the agent, or nobody.
PARLEY_ENUM(PermissionPrompts, host, none)
/// What the previews of answers to a question are written in.
PARLEY_ENUM(QuestionPreview, markdown, html)

/// The rules of the game before anybody is asked. Options::on_permission answers what they leave
/// open, ToolOptions::allowed and disallowed are rules for single tools, and
/// Session::set_permission_mode() changes the mode later.
struct PermissionOptions {
  /// How much is asked about (`--permission-mode`): `default_` asks, `acceptEdits` edits files
  /// unasked, `plan` only looks, `dontAsk` refuses instead of asking, `bypassPermissions` does
  /// everything. Nothing: what the settings say. In the last two, on_permission is hardly ever
  /// called, which the observer is warned of.
  std::optional<PermissionMode> mode;

  /// Makes the mode `bypassPermissions` possible (`--allow-dangerously-skip-permissions`), now by
  /// `mode` or later. Without it the CLI refuses that mode.
  bool allow_bypass = false;

  /// An MCP tool that decides, by its full name: "mcp__server__tool"
  /// (`--permission-prompt-tool`). Not together with Options::on_permission.
  std::string prompt_tool;

  /// Who shows prompts (`--permission-prompts`). Nothing: as the CLI likes. Only newer CLIs know
  /// it.
  std::optional<PermissionPrompts> prompts;

  /// Folders beyond the working folder that tools may use (`--add-dir`).
  std::vector<std::filesystem::path> additional_directories;

  /// Replaces what the model is told about its work in plan mode. Empty: the CLI's own text.
  std::string plan_instructions;

  /// Asks the model for previews of the answers to AskUserQuestion, in this form. Nothing: no
  /// previews.
  std::optional<QuestionPreview> question_preview;
};

}  // namespace parley
