// Every setting of a session. A value: fill in what matters, leave the rest.
//
//   parley::Options options{.model = "opus", .permissions = {.mode = PermissionMode::plan}};
//   options.tools.allowed = {"Read"};
//
// What most programs set stands in Options itself. The rest is in groups, one header each in
// options/, with a paragraph on every member: what it does, its default, and what it cannot go
// together with. Such conflicts are errors of connect() that name the member. Where a member
// becomes a flag of the CLI, its paragraph names it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "../wire/messages/catalog.hpp"
#include "handlers/declarations.hpp"
#include "options/agents.hpp"
#include "options/delivery.hpp"
#include "options/limits.hpp"
#include "options/model.hpp"
#include "options/permissions.hpp"
#include "options/process.hpp"
#include "options/resume.hpp"
#include "options/settings.hpp"
#include "options/tools.hpp"
#include "options/transcript.hpp"
#include "process/discovery.hpp"

namespace parley {

struct Options {
  // ---- the program and its model ----

  /// Which CLI to start. By default `claude` is looked for; see discovery.hpp for the order of the
  /// search.
  CliSearch cli;

  /// The working folder of the agent; empty: that of this process.
  std::filesystem::path cwd;

  /// The model, by name or alias (`--model`). Empty: the CLI's default. Session::set_model()
  /// changes it later.
  std::string model;

  /// Used when the model is overloaded (`--fallback-model`). Must differ from `model`.
  std::string fallback_model;

  /// How hard the model tries (`--effort`). Nothing: the CLI's default.
  std::optional<Effort> effort;

  /// Whether it thinks before it answers, and how much.
  Thinking thinking;

  /// What it is told about itself and its work.
  SystemPrompt system_prompt;

  /// The answer must be JSON of this schema (`--json-schema`), which is a JSON object; see
  /// ResultMessage::structured_output.
  std::optional<RawJson> output_schema;

  /// Features of the model's interface that are not for everybody yet (`--betas`).
  std::vector<std::string> betas;

  // ---- what the agent asks this program ----

  /// May a tool run? Without a handler the agent decides by rules and mode alone, and refuses what
  /// they leave open. Not together with PermissionOptions::prompt_tool.
  PermissionHandler on_permission;

  /// Answers AskUserQuestion. Without one, on_permission sees it as any other tool.
  QuestionHandler on_question;

  /// Approves plans (ExitPlanMode). Without one, on_permission sees it.
  PlanHandler on_plan;

  /// Fills in forms of MCP servers. Without one, they are declined.
  ElicitationHandler on_elicitation;

  /// Shows dialogs of the kinds in `dialog_kinds`. Without one, they are cancelled.
  DialogHandler on_dialog;

  /// The kinds that on_dialog can show; the agent asks for no others. An on_dialog without them is
  /// an error.
  std::vector<std::string> dialog_kinds;

  /// Callbacks at certain points of the agent's work (handlers/hooks.hpp).
  Hooks hooks;

  // ---- groups ----

  /// The environment, user and flags of the CLI's process.
  ProcessOptions process;

  /// What the agent may do unasked, and who is asked.
  PermissionOptions permissions;

  /// The tools there are, built in or by MCP servers.
  ToolOptions tools;

  /// Types of agents.
  AgentOptions agents;

  /// Where the CLI's settings, plugins and skills come from.
  SettingsOptions settings;

  /// The conversation to go on with.
  ResumeOptions resume;

  /// What is kept of the conversation.
  TranscriptOptions transcript;

  /// What the program gets to hear, and by which way.
  DeliveryOptions delivery;

  /// Turns, money and threads.
  Limits limits;

  /// Memory.
  Buffers buffers;

  /// Time.
  Deadlines deadlines;
};

}  // namespace parley
