// What a conversation costs: per turn, per model and in total, with a limit that ends it.
#include <iostream>
#include <parley/client/ledger/ledger.hpp>
#include <parley/client/session.hpp>

int main() try {
  parley::Options options;
  options.limits.max_budget_usd = 2.0;
  parley::Session session(options);
  session.connect().value();
  session.ask("Summarise README.md.").result().value();
  session.ask("Shorter, please.").result().value();
  const parley::Spending spent = session.spending();
  std::cout << "last turn: $" << spent.last_turn_cost_usd << "\n";
  for (const auto& [model, usage] : spent.by_model) {
    std::cout << model << ": " << usage.outputTokens.value_or(0) << " tokens written\n";
  }
  std::cout << "total: $" << spent.total_cost_usd << " in " << spent.turns << " turns\n";
} catch (const parley::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
