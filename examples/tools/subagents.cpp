// Defines a kind of subagent, and shows what each one did and how much it used.
#include <iostream>
#include <parley/client/ledger/ledger.hpp>
#include <parley/client/session.hpp>

int main() try {
  parley::AgentDefinition reviewer;
  reviewer.description = "Reviews code for mistakes";
  reviewer.prompt = "You review code. Be brief.";
  reviewer.tools = {"Read", "Grep"};

  parley::Options options;
  options.agents.types["reviewer"] = reviewer;
  parley::Session session(options);
  session.connect().value();
  session.ask("Have the reviewer look at main.cpp.").result().value();

  for (const auto& [id, agent] : session.ledger().subagents) {
    std::cout << agent.type << ": " << agent.description << ", " << agent.messages.size()
              << " message(s)" << (agent.state == parley::Subagent::State::done ? ", done" : "")
              << "\n";
  }
} catch (const parley::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
