// What tokens cost. The prices are data (prices.json, compiled in, with its date) and can be
// replaced or extended by a file of the same shape; a model that is not in it is named, never
// guessed.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "../../wire/error.hpp"

namespace parley::history {

/// Tokens of one message, or a sum of them.
struct Tokens {
  std::int64_t input = 0;
  std::int64_t output = 0;
  std::int64_t cache_write_5m = 0;
  std::int64_t cache_write_1h = 0;
  std::int64_t cache_read = 0;

  [[nodiscard]] std::int64_t cache_write() const { return cache_write_5m + cache_write_1h; }
  [[nodiscard]] std::int64_t total() const { return input + output + cache_write() + cache_read; }
  Tokens& operator+=(const Tokens& other);

  bool operator==(const Tokens&) const = default;
};

/// US dollars for one million tokens of each kind.
struct Rates {
  double input = 0;
  double output = 0;
  double cache_write_5m = 0;
  double cache_write_1h = 0;
  double cache_read = 0;

  bool operator==(const Rates&) const = default;
};

struct ModelPrice {
  Rates rates;
  std::optional<Rates> above_200k;  ///< For the tokens of one kind beyond 200,000 in one message.
  std::optional<Rates> above_100k_prompt;  ///< For a message with a prompt of over 100,000 tokens.
  double fast = 1;                         ///< Factor for messages served at speed "fast".

  /// The cost of one message in US dollars.
  [[nodiscard]] double cost(const Tokens& tokens, bool served_fast) const;

  bool operator==(const ModelPrice&) const = default;
};

/// A value.
class Prices {
 public:
  /// Those compiled in.
  static Prices built_in();
  /// From JSON of the shape of prices.json.
  static Result<Prices> parse(std::string_view text);

  /// Adds the models of `other`, which win over equal ones here; its date counts.
  void extend(const Prices& other);
  [[nodiscard]] const ModelPrice* find(std::string_view model) const;
  /// When the prices were true: "2026-11-15".
  [[nodiscard]] const std::string& date() const { return date_; }

 private:
  std::map<std::string, ModelPrice, std::less<>> models_;
  std::string date_;
};

/// The text of prices.json.
[[nodiscard]] std::string_view built_in_prices();

}  // namespace parley::history
