// Lets the agent plan first, reads the plan, and only then lets it work.
#include <iostream>
#include <parley/client/handlers/questions.hpp>
#include <parley/client/session.hpp>

int main() try {
  parley::Options options;
  options.permissions.mode = parley::PermissionMode::plan;
  options.on_plan = [](const parley::PlanAsk& ask) {
    // Newer CLIs send no plan along: there it is what the agent has said before.
    std::cout << "The plan: " << ask.plan << std::endl;
    if (!ask.plan.empty() && ask.plan.find("tests") == std::string::npos) {
      return parley::reject_plan("Add tests to the plan.");
    }
    return parley::approve_plan(parley::PermissionMode::acceptEdits);
  };
  parley::Session session(options);
  session.connect().value();
  std::cout << session.ask("Add a --verbose flag.").answer().value() << "\n";
} catch (const parley::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
