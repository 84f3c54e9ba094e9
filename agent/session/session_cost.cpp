#include "agent/session/session_cost.hpp"

#include "wire/codec/codec.hpp"

namespace parley::agent {

void SessionCost::add(const std::string& model, const Usage& usage) {
  all_.add(model, usage);
  const std::lock_guard lock(mutex_);
  unreported_->add(model, usage);
}

Map<ModelUsage> SessionCost::take_unreported() {
  const std::lock_guard lock(mutex_);
  Map<ModelUsage> models = unreported_->by_model();
  unreported_ = std::make_unique<CostLedger>();
  return models;
}

Json SessionCost::line() const {
  Json models = Json::object();
  for (const auto& [model, usage] : all_.by_model()) {
    models.set(model, RawJson(encode(usage)).json().value());
  }
  return Json::object(
      {{"type", "cost-state"}, {"totalCostUSD", all_.total()}, {"modelUsage", std::move(models)}});
}

void SessionCost::restore(const Json& line) {
  Map<ModelUsage> models;
  for (const auto& [model, usage] : line["modelUsage"].members()) {
    if (auto decoded = RawJson(usage.dump()).as<ModelUsage>()) models[model] = *decoded;
  }
  all_.restore(models, line["totalCostUSD"].as_double());
}

}  // namespace parley::agent
