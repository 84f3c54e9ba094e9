#include "history/usage/prices.hpp"

#include <algorithm>

#include "wire/json/json.hpp"

namespace parley::history {
namespace {

constexpr double kMillion = 1e6;
constexpr std::int64_t kTierTokens = 200000;
constexpr std::int64_t kLongPromptTokens = 100000;

struct Kind {
  const char* name;
  double Rates::*rate;
};
constexpr Kind kKinds[] = {{"input", &Rates::input},
                           {"output", &Rates::output},
                           {"cache_write_5m", &Rates::cache_write_5m},
                           {"cache_write_1h", &Rates::cache_write_1h},
                           {"cache_read", &Rates::cache_read}};

Result<Rates> parse_rates(const Json& json, const std::string& model) {
  Rates rates;
  for (const Kind& kind : kKinds) {
    const Json& value = json[kind.name];
    if (!value.is_number() || value.as_double() < 0) {
      return Error(ErrorCode::unexpected, "expected a price, a number not below 0",
                   "models." + model + "." + kind.name);
    }
    rates.*kind.rate = value.as_double();
  }
  return rates;
}

/// "-20250929", "-latest" or nothing.
bool is_version_suffix(std::string_view text) {
  if (text.empty() || text == "-latest") return true;
  return text.size() == 9 && text[0] == '-' &&
         std::all_of(text.begin() + 1, text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

Tokens& Tokens::operator+=(const Tokens& other) {
  input += other.input;
  output += other.output;
  cache_write_5m += other.cache_write_5m;
  cache_write_1h += other.cache_write_1h;
  cache_read += other.cache_read;
  return *this;
}

double ModelPrice::cost(const Tokens& tokens, bool served_fast) const {
  const bool long_prompt =
      above_100k_prompt &&
      tokens.input + tokens.cache_write() + tokens.cache_read > kLongPromptTokens;
  const Rates& these = long_prompt ? *above_100k_prompt : rates;
  const auto part = [&](std::int64_t count, double Rates::*rate) {
    const double plain = these.*rate / kMillion;
    if (!above_200k || count <= kTierTokens) return static_cast<double>(count) * plain;
    return static_cast<double>(kTierTokens) * plain +
           static_cast<double>(count - kTierTokens) * (*above_200k.*rate / kMillion);
  };
  const double sum = part(tokens.input, &Rates::input) + part(tokens.output, &Rates::output) +
                     part(tokens.cache_write_5m, &Rates::cache_write_5m) +
                     part(tokens.cache_write_1h, &Rates::cache_write_1h) +
                     part(tokens.cache_read, &Rates::cache_read);
  return served_fast ? sum * fast : sum;
}

Prices Prices::built_in() { return parse(built_in_prices()).value(); }

Result<Prices> Prices::parse(std::string_view text) {
  auto json = Json::parse(text);
  if (!json) return json.error();
  if (!(*json)["models"].is_object()) {
    return Error(ErrorCode::unexpected, "expected an object of models with their prices", "models");
  }
  Prices prices;
  prices.date_ = (*json)["date"].as_string();
  for (const auto& [model, value] : (*json)["models"].members()) {
    ModelPrice price;
    auto rates = parse_rates(value, model);
    if (!rates) return rates.error();
    price.rates = *rates;
    for (const auto& [key, tier] :
         {std::pair{"above_200k", &ModelPrice::above_200k},
          std::pair{"above_100k_prompt", &ModelPrice::above_100k_prompt}}) {
      if (value.find(key) == nullptr) continue;
      auto above = parse_rates(value[key], model + "." + key);
      if (!above) return above.error();
      price.*tier = *above;
    }
    price.fast = value["fast"].as_double(1);
    prices.models_[model] = price;
  }
  return prices;
}

void Prices::extend(const Prices& other) {
  for (const auto& [model, price] : other.models_) models_[model] = price;
  if (!other.date_.empty()) date_ = other.date_;
}

const ModelPrice* Prices::find(std::string_view model) const {
  // Clouds put a provider in front: "anthropic/claude-…", "us.anthropic.claude-…".
  for (const std::string_view mark : {"anthropic/", "anthropic."}) {
    const std::size_t at = model.rfind(mark);
    if (at != std::string_view::npos) model.remove_prefix(at + mark.size());
  }
  if (model.ends_with("[1m]")) model.remove_suffix(4);
  if (const auto exact = models_.find(model); exact != models_.end()) return &exact->second;
  const std::size_t dash = model.rfind('-');
  if (dash == std::string_view::npos || !is_version_suffix(model.substr(dash))) return nullptr;
  const auto dated = models_.find(model.substr(0, dash));
  return dated == models_.end() ? nullptr : &dated->second;
}

}  // namespace parley::history
