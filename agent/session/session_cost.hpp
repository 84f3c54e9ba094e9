// What the model has cost: in all, and since the last result. Everything that asks the model adds
// to the same one, subagents too.
#pragma once

#include <memory>
#include <mutex>

#include "../../wire/json/json.hpp"
#include "../api/cost_ledger.hpp"

namespace parley::agent {

/// Thread-safe.
class SessionCost {
 public:
  void add(const std::string& model, const Usage& usage);
  [[nodiscard]] double total() const { return all_.total(); }
  [[nodiscard]] Map<ModelUsage> by_model() const { return all_.by_model(); }
  /// Costs that no result has reported yet; now they are reported.
  [[nodiscard]] Map<ModelUsage> take_unreported();

  /// The line of a transcript that says what was spent, for who resumes it, and back.
  [[nodiscard]] Json line() const;
  void restore(const Json& line);

 private:
  CostLedger all_;
  std::mutex mutex_;
  std::unique_ptr<CostLedger> unreported_ = std::make_unique<CostLedger>();
};

}  // namespace parley::agent
