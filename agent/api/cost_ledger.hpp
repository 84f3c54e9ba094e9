// Tokens and money of a process, by model: what `modelUsage` and `total_cost_usd` of a result say.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "../../history/usage/prices.hpp"
#include "../../wire/messages/usage.hpp"

namespace parley::agent {

/// Thread-safe: the main loop and subagents add to the same ledger.
class CostLedger {
 public:
  /// The prices compiled in, read when first needed.
  CostLedger() = default;
  explicit CostLedger(history::Prices prices);

  /// The usage of one API message; returns its cost in US dollars. A model without a price is
  /// counted at those of the default model, and its entry says so (`costBasis`).
  double add(const std::string& model, const Usage& usage);

  /// Begins with what an earlier run of the session has spent.
  void restore(const Map<ModelUsage>& models, double total);

  [[nodiscard]] double total() const;
  /// In the order in which the models were first used.
  [[nodiscard]] Map<ModelUsage> by_model() const;

 private:
  const history::Prices& prices();

  mutable std::mutex mutex_;
  std::optional<history::Prices> prices_;
  Map<ModelUsage> models_;
  double total_ = 0;
};

}  // namespace parley::agent
