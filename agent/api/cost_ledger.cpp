#include "agent/api/cost_ledger.hpp"

#include <algorithm>

#include "agent/api/models.hpp"

namespace parley::agent {
namespace {

history::Tokens tokens_of(const Usage& usage) {
  history::Tokens tokens;
  tokens.input = usage.input_tokens.value_or(0);
  tokens.output = usage.output_tokens.value_or(0);
  tokens.cache_read = usage.cache_read_input_tokens.value_or(0);
  if (usage.cache_creation) {
    tokens.cache_write_1h = usage.cache_creation->ephemeral_1h_input_tokens.value_or(0);
  }
  // What no lifetime is given for has the short one.
  tokens.cache_write_5m = std::max<std::int64_t>(
      0, usage.cache_creation_input_tokens.value_or(0) - tokens.cache_write_1h);
  return tokens;
}

ModelUsage first_entry(const std::string& model, bool has_price) {
  const ModelInfo info = model_info(model);
  ModelUsage entry;
  entry.inputTokens = entry.outputTokens = entry.cacheReadInputTokens = 0;
  entry.cacheCreationInputTokens = entry.webSearchRequests = 0;
  entry.costUSD = 0;
  entry.contextWindow = info.context_window;
  entry.maxOutputTokens = info.max_output_tokens;
  entry.thinkingTokens = 0;
  entry.cacheCreationEphemeral5mInputTokens = entry.cacheCreationEphemeral1hInputTokens = 0;
  entry.canonicalModel = info.known() ? std::string(info.canonical) : model;
  entry.provider = "firstParty";
  entry.costBasis = has_price ? "list" : "unknown";
  return entry;
}

template <class T>
void add_to(std::optional<T>& sum, const std::optional<T>& more) {
  *sum += more.value_or(0);
}

}  // namespace

CostLedger::CostLedger(history::Prices prices) : prices_(std::move(prices)) {}

const history::Prices& CostLedger::prices() {
  if (!prices_) prices_ = history::Prices::built_in();
  return *prices_;
}

double CostLedger::add(const std::string& model, const Usage& usage) {
  const std::lock_guard lock(mutex_);
  const history::ModelPrice* price = prices().find(model);
  const bool has_price = price != nullptr;
  if (!has_price) price = prices().find(kDefaultModel);
  const double cost = price == nullptr ? 0 : price->cost(tokens_of(usage), usage.speed == "fast");

  if (models_.find(model) == nullptr) models_[model] = first_entry(model, has_price);
  ModelUsage& entry = models_[model];
  add_to(entry.inputTokens, usage.input_tokens);
  add_to(entry.outputTokens, usage.output_tokens);
  add_to(entry.cacheReadInputTokens, usage.cache_read_input_tokens);
  add_to(entry.cacheCreationInputTokens, usage.cache_creation_input_tokens);
  if (usage.server_tool_use) {
    add_to(entry.webSearchRequests, usage.server_tool_use->web_search_requests);
  }
  if (usage.output_tokens_details) {
    add_to(entry.thinkingTokens, usage.output_tokens_details->thinking_tokens);
  }
  if (usage.cache_creation) {
    add_to(entry.cacheCreationEphemeral5mInputTokens,
           usage.cache_creation->ephemeral_5m_input_tokens);
    add_to(entry.cacheCreationEphemeral1hInputTokens,
           usage.cache_creation->ephemeral_1h_input_tokens);
  }
  *entry.costUSD += cost;
  total_ += cost;
  return cost;
}

void CostLedger::restore(const Map<ModelUsage>& models, double total) {
  const std::lock_guard lock(mutex_);
  for (const auto& [model, spent] : models) {
    ModelUsage entry = first_entry(model, prices().find(model) != nullptr);
    add_to(entry.inputTokens, spent.inputTokens);
    add_to(entry.outputTokens, spent.outputTokens);
    add_to(entry.cacheReadInputTokens, spent.cacheReadInputTokens);
    add_to(entry.cacheCreationInputTokens, spent.cacheCreationInputTokens);
    add_to(entry.webSearchRequests, spent.webSearchRequests);
    add_to(entry.thinkingTokens, spent.thinkingTokens);
    add_to(entry.cacheCreationEphemeral5mInputTokens, spent.cacheCreationEphemeral5mInputTokens);
    add_to(entry.cacheCreationEphemeral1hInputTokens, spent.cacheCreationEphemeral1hInputTokens);
    add_to(entry.costUSD, spent.costUSD);
    models_[model] = std::move(entry);
  }
  total_ = total;
}

double CostLedger::total() const {
  const std::lock_guard lock(mutex_);
  return total_;
}

Map<ModelUsage> CostLedger::by_model() const {
  const std::lock_guard lock(mutex_);
  return models_;
}

}  // namespace parley::agent
