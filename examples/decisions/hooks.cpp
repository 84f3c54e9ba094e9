// Watches every tool call, and keeps the agent from editing a file that others own.
#include <iostream>
#include <parley/client/handlers/hooks.hpp>
#include <parley/client/session.hpp>

namespace hooks = parley::hooks;

int main() try {
  parley::Options options;
  parley::HookFilter edits;
  edits.matcher = "Edit|Write";
  options.hooks.on<hooks::PreToolUse>(edits, [](const hooks::PreToolUse& call) {
    hooks::PreToolUseOutput output;
    if (call.tool_input.text.find("LICENSE") != std::string::npos) {
      output.permissionDecision = hooks::PermissionDecision::deny;
      output.permissionDecisionReason = "The licence is not ours to change.";
    }
    return output;
  });
  options.hooks.on<hooks::PostToolUse>([](const hooks::PostToolUse& call) {
    std::cout << "ran " << call.tool_name << std::endl;
    return parley::no_opinion();
  });
  parley::Session session(options);
  session.connect().value();
  std::cout << session.ask("Update the year everywhere.").answer().value() << "\n";
} catch (const parley::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
