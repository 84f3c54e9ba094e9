// What the codec's tests share: short ways to decode, encode and compare.
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <string_view>

#include "sample_types.hpp"

namespace parley {

/// For messages of failing tests.
inline void PrintTo(const Json& json, std::ostream* out) { *out << json.dump(); }
inline void PrintTo(const RawJson& raw, std::ostream* out) { *out << raw.text; }

template <class T>
T decoded(std::string_view text) {
  Result<T> result = decode<T>(text);
  if (!result) {
    ADD_FAILURE() << text << "\n" << result.error().what();
    return T{};
  }
  return std::move(*result);
}

/// "path: message" of the error that decoding `text` gives.
template <class T>
std::string error_of(std::string_view text) {
  const Result<T> result = decode<T>(text);
  return result ? "no error" : result.error().what();
}

/// Decode and encode.
template <class T>
std::string round_trip(std::string_view text) {
  return encode(decoded<T>(text));
}

/// The text comes back letter for letter, and so it stays when it is read and written again.
template <class T>
void expect_exact(std::string_view text) {
  const T first = decoded<T>(text);
  EXPECT_EQ(encode(first), text);
  EXPECT_TRUE(decoded<T>(encode(first)) == first) << text;
}

/// The same members with the same values come back, in whatever order.
template <class T>
void expect_same_json(std::string_view text) {
  const std::string out = round_trip<T>(text);
  const Result<Json> before = Json::parse(text);
  const Result<Json> after = Json::parse(out);
  ASSERT_TRUE(before.ok() && after.ok()) << text << "\n" << out;
  EXPECT_TRUE(*before == *after) << text << "\n" << out;
}

}  // namespace parley
