// Expressions and texts are both hostile: an expression is refused with a reason, or it searches
// whatever text. Before the first line break is an expression, behind it a text.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "tests/fuzz/require.hpp"
#include "support/regex/regex.hpp"

namespace {

std::string lower(std::string_view text) {
  std::string all(text);
  std::transform(all.begin(), all.end(), all.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return all;
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<signed char>(c) >= 0; });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace parley;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string_view expression = input.substr(0, input.find('\n'));
  const std::string_view text =
      input.substr(std::min(expression.size() + 1, input.size())).substr(0, 2000);
  for (const RegexOptions options :
       {RegexOptions{}, RegexOptions{.ignore_case = true}, RegexOptions{.lines = true}}) {
    std::string why;
    const auto regex = Regex::compile(expression, options, why);
    require(regex.has_value() == why.empty());
    if (!regex) continue;
    const std::string required = regex->required_text();
    std::size_t from = 0;
    auto match = regex->find(text);
    require(match.has_value() == regex->found_in(text));
    for (int matches = 0; match && matches < 20; ++matches) {
      require(match->begin >= from && match->begin <= match->end && match->end <= text.size());
      const std::string_view found = text.substr(match->begin, match->end - match->begin);
      // Without case, some letters of ASCII stand for others beyond it.
      if (is_ascii(required) && is_ascii(found)) {
        require(lower(found).find(required) != std::string::npos);
      }
      from = std::max(match->end, match->begin + 1);
      match = regex->find(text, from);
    }
  }
  return 0;
}
