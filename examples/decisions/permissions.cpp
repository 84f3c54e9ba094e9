// Decides which tool calls run. Commands that delete are refused, `git status` may run from now on
// without asking, and everything else is allowed once.
#include <iostream>
#include <parley/client/handlers/permissions.hpp>
#include <parley/client/session.hpp>
#include <parley/wire/tools/tools.hpp>

namespace {

parley::PermissionAnswer decide(const parley::PermissionAsk& ask) {
  if (ask.tool_name != "Bash") return parley::allow();
  const auto input = ask.input.as<parley::tools::BashInput>();
  if (!input) return parley::deny("I cannot read that command.");
  std::cout << "asked for: " << input->command << std::endl;
  if (input->command.starts_with("rm")) return parley::deny("Nothing is deleted here.");
  if (input->command == "git status") {
    return parley::allow().with_changes(parley::PermissionChanges().add(
        parley::PermissionBehavior::allow, {parley::Rule::match("Bash", "git status")}));
  }
  return parley::allow();
}

}  // namespace

int main() try {
  parley::Options options;
  options.on_permission = decide;
  parley::Session session(options);
  session.connect().value();
  std::cout << session.ask("Clean up.").answer().value() << "\n";
} catch (const parley::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
