#include "agent/session/system_prompt.hpp"

#include <sys/utsname.h>

#include <filesystem>
#include <sstream>

#include "support/time.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;

constexpr const char* kInstructions =
    R"(You are a coding agent. You work in a folder on the user's machine and use tools to read, change and run things there.

How to work
- Look before you change: read the files that matter, search for names, find out how the project is built and tested.
- Do what was asked, no more. Keep to the style of the code around you. Add no files, comments or dependencies that nobody wanted.
- Change files with the editing tools, not with shell commands, so that the user can see and approve each change.
- Check your work by building, running or testing it whenever that is possible.
- When several tool calls do not depend on each other, make them at once.
- If a tool call is refused, do not try to get the same by another way. Ask, or do without.
- Never expose keys or passwords. Never commit, push or delete on a large scale unless the user asked for it.

How to answer
- Be short and plain. Say what you did and what you found; leave out what the user can see.
- Name places in files as path:line.
- If something failed or was left out, say so.
- When you need a decision, ask one clear question.
)";

std::string introduced(const std::string& notes) {
  return "Notes that the user keeps for agents. They come before the instructions above where the "
         "two disagree.\n" +
         notes;
}

std::string describe_workplace(const SessionConfig& config, const Permissions& permissions) {
  utsname system{};
  ::uname(&system);
  std::error_code ignored;
  std::ostringstream text;
  text << "Working folder: " << config.cwd << "\n";
  for (const auto& folder : permissions.folders()) {
    if (folder != config.cwd) text << "Also allowed: " << folder.string() << "\n";
  }
  text << "Git repository: " << (fs::exists(fs::path(config.cwd) / ".git", ignored) ? "yes" : "no")
       << "\n"
       << "System: " << system.sysname << " " << system.release << "\n"
       << "Date: " << timestamp().substr(0, 10) << "\n";
  return text.str();
}

}  // namespace

std::vector<std::string> system_prompt(const SessionConfig& config,
                                       const SessionOverrides& overrides,
                                       const Permissions& permissions) {
  std::vector<std::string> blocks;
  if (overrides.system_prompt) {
    if (!overrides.system_prompt->empty()) blocks.push_back(*overrides.system_prompt);
  } else {
    blocks.emplace_back(kInstructions);
    blocks.push_back(describe_workplace(config, permissions));
  }
  if (!config.output_style.text.empty()) {
    blocks.push_back("How the user wants to be answered:\n" + config.output_style.text);
  }
  // Notes count whoever wrote the instructions.
  if (const std::string notes = config.notes + overrides.hook_notes; !notes.empty()) {
    blocks.push_back(introduced(notes));
  }
  if (permissions.mode() == PermissionMode::plan) {
    blocks.emplace_back(
        "Plan mode is on: look and think, but change nothing. Write the plan to " +
        config.plan_file().string() +
        ", the one file that you may write, and keep it up to date. When it is ready, present it "
        "with ExitPlanMode and wait for the user.");
  }
  if (overrides.append_system_prompt) blocks.push_back(*overrides.append_system_prompt);
  return blocks;
}

std::vector<std::string> agent_system_prompt(const SessionConfig& config,
                                             const SessionOverrides& overrides,
                                             const Permissions& permissions,
                                             const std::string& prompt, bool with_notes) {
  std::vector<std::string> blocks;
  if (!prompt.empty()) blocks.push_back(prompt);
  blocks.push_back(describe_workplace(config, permissions));
  const std::string notes = config.notes + overrides.hook_notes;
  if (with_notes && !notes.empty()) blocks.push_back(introduced(notes));
  return blocks;
}

}  // namespace parley::agent
