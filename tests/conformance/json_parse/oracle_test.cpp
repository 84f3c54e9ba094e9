// Our JSON reader against nlohmann's parser as an oracle, on the same kind of mutated texts. They
// differ where ours follows JavaScript, and the test knows each of those places:
// - ours accepts lone surrogates and numbers beyond the range of a double;
// - theirs steps over a byte order mark, takes a NUL byte for the end, and has no depth limit.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "mutator.hpp"
#include "wire/json/json.hpp"
#include "wire/json/numbers.hpp"

namespace parley::test {
namespace {

using Theirs = nlohmann::json;

bool same_value(const Json& ours, const Theirs& theirs) {
  switch (ours.kind()) {
    case Json::Kind::null: return theirs.is_null();
    case Json::Kind::bool_: return theirs.is_boolean() && theirs.get<bool>() == ours.as_bool();
    case Json::Kind::string:
      return theirs.is_string() && theirs.get_ref<const std::string&>() == ours.as_string();
    case Json::Kind::number:
      if (theirs.is_number_unsigned()) {
        return ours.number_text() == std::to_string(theirs.get<std::uint64_t>());
      }
      if (theirs.is_number_integer()) {
        return ours.number_text() == "-0" ? theirs.get<std::int64_t>() == 0
                                          : ours.as_int() == theirs.get<std::int64_t>();
      }
      return theirs.is_number_float() && ours.as_double() == theirs.get<double>();
    case Json::Kind::array: {
      if (!theirs.is_array() || theirs.size() != ours.items().size()) return false;
      for (std::size_t i = 0; i < theirs.size(); ++i) {
        if (!same_value(ours[i], theirs[i])) return false;
      }
      return true;
    }
    case Json::Kind::object: {
      if (!theirs.is_object() || theirs.size() != ours.members().size()) return false;
      for (const auto& [key, value] : ours.members()) {
        const auto found = theirs.find(key);
        if (found == theirs.end() || !same_value(value, *found)) return false;
      }
      return true;
    }
  }
  return false;
}

/// Their verdict: a value, or why there is none.
std::string their_error(const std::string& text, Theirs& out) {
  try {
    out = Theirs::parse(text);
    return {};
  } catch (const Theirs::exception& error) {
    return error.what();
  }
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

TEST(JsonOracle, SameVerdictsAndValuesAsNlohmann) {
  auto seeds = small_seeds();
  for (std::string& line : recorded_seeds(60)) seeds.push_back(std::move(line));
  Mutator mutator(3, std::move(seeds));
  constexpr int kCount = 200'000;
  std::map<std::string, int> seen;
  for (int i = 0; i < kCount; ++i) {
    const std::string text = mutator.next();
    const Result<Json> ours = Json::parse(text);
    Theirs value;
    const std::string error = their_error(text, value);
    if (ours.ok() && error.empty()) {
      ++seen["both accept"];
      ASSERT_TRUE(same_value(*ours, value)) << text;
    } else if (ours.ok() == error.empty()) {
      ++seen["both refuse"];
    } else if (ours.ok() && contains(error, "surrogate")) {
      ++seen["lone surrogate"];
    } else if (ours.ok() && contains(error, "out_of_range.406")) {
      ++seen["number out of range"];
    } else if (!ours.ok() && text.starts_with("\xEF\xBB\xBF")) {
      ++seen["byte order mark"];
    } else if (!ours.ok() && contains(text, std::string_view("\0", 1))) {
      ++seen["NUL byte"];
    } else if (!ours.ok() && contains(ours.error().message(), "nested too deeply")) {
      ++seen["too deep"];
    } else {
      FAIL() << text << "\nours:   " << (ours.ok() ? "accepted" : ours.error().what())
             << "\ntheirs: " << (error.empty() ? "accepted" : error);
    }
  }
  EXPECT_GT(seen["both accept"], kCount / 5);
  EXPECT_GT(seen["both refuse"], kCount / 5);
  for (const char* known :
       {"lone surrogate", "number out of range", "byte order mark", "NUL byte", "too deep"}) {
    EXPECT_GT(seen[known], 0) << known;
  }
}

}  // namespace
}  // namespace parley::test
