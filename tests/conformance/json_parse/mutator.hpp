// Makes texts that are JSON, or nearly. Deterministic: one seed gives one sequence, on any machine.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace parley::test {

/// Small texts that between them use every corner of the grammar.
std::vector<std::string> small_seeds();
/// Lines of the recordings, about `count`, none of them long.
std::vector<std::string> recorded_seeds(std::size_t count);

class Mutator {
 public:
  Mutator(std::uint64_t seed, std::vector<std::string> seeds)
      : random_(seed), seeds_(std::move(seeds)) {}

  /// The next text: a seed with up to four changes, a number, or a random value.
  std::string next();

 private:
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(random_() % limit); }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <class List>
  const auto& pick(const List& list) {
    return list[below(std::size(list))];
  }

  std::string number();
  std::string value(int depth);
  std::string string_token();
  void mutate(std::string& text);
  void mutate_number(std::string& text);
  void mutate_escape(std::string& text);

  std::mt19937_64 random_;
  std::vector<std::string> seeds_;
};

}  // namespace parley::test
