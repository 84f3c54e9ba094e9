// Reads JSON that a person wrote into plain values, strictly: what does not fit, and members that
// do not exist, are errors that name their place. (The codec of wire/ is for what a peer says, and
// keeps what it does not know.)
//
//   Result<void> read(JsonValue value, T& out);
//
// is overloaded for each type, also elsewhere in this namespace: JsonValue makes all overloads
// visible to the templates here.
#pragma once

#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wire/codec/values.hpp"
#include "wire/json/json.hpp"
#include "wire/json/numbers.hpp"

namespace parley::c {

struct JsonValue {
  const Json& json;
};

inline Error expected(const std::string& what) { return {ErrorCode::invalid, "expected " + what}; }

/// The error with its place inside of a member or item.
inline Error inside(const std::string& place, const Error& error) {
  const bool joined = error.context().empty() || error.context().starts_with('[');
  return {error.code(), error.message(), place + (joined ? "" : ".") + error.context()};
}

inline Result<void> read(JsonValue value, std::string& out) {
  if (!value.json.is_string()) return expected("a string");
  out = value.json.as_string();
  // These texts become arguments and variables of a program, which a NUL would cut short.
  if (out.find('\0') != std::string::npos) return Error(ErrorCode::invalid, "holds a NUL byte");
  return {};
}

inline Result<void> read(JsonValue value, std::filesystem::path& out) {
  std::string text;
  auto done = read(value, text);
  out = std::move(text);
  return done;
}

inline Result<void> read(JsonValue value, bool& out) {
  if (!value.json.is_bool()) return expected("true or false");
  out = value.json.as_bool();
  return {};
}

inline Result<void> read(JsonValue value, std::int64_t& out) {
  if (!value.json.is_number()) return expected("a number");
  const auto number = detail::to_int64(value.json.number_text());
  if (!number.exact) return expected("a whole number");
  out = number.value;
  return {};
}

inline Result<void> read(JsonValue value, std::size_t& out) {
  std::int64_t number = 0;
  if (auto done = read(value, number); !done) return done;
  if (number < 0) return expected("a number that is not negative");
  out = static_cast<std::size_t>(number);
  return {};
}

inline Result<void> read(JsonValue value, double& out) {
  if (!value.json.is_number()) return expected("a number");
  out = value.json.as_double();
  if (!std::isfinite(out)) return expected("a smaller number");
  return {};
}

inline Result<void> read(JsonValue value, std::chrono::milliseconds& out) {
  // As much as other interfaces take, which is 24 days; more could not be added to a clock.
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  std::int64_t number = 0;
  if (auto done = read(value, number); !done) return done;
  if (number < 0 || number > kMost) return expected("milliseconds from 0 to 2147483647");
  out = std::chrono::milliseconds(number);
  return {};
}

inline Result<void> read(JsonValue value, RawJson& out) {
  // Written anew, so that it is one line.
  out = RawJson(value.json.dump());
  return {};
}

template <NamedEnum E>
Result<void> read(JsonValue value, E& out) {
  if (value.json.is_string()) {
    if (const auto known = Enum<E>(value.json.as_string()).known()) {
      out = *known;
      return {};
    }
  }
  std::string names;
  for (const std::string_view name : Enum<E>::names()) {
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  return expected("one of " + names);
}

template <class T>
Result<void> read(JsonValue value, std::optional<T>& out) {
  return read(value, out.emplace());
}

template <class T>
Result<void> read(JsonValue value, std::vector<T>& out) {
  if (!value.json.is_array()) return expected("an array");
  out.clear();
  for (const Json& item : value.json.items()) {
    T read_item{};
    if (auto done = read(JsonValue{item}, read_item); !done) {
      return inside("[" + std::to_string(out.size()) + "]", done.error());
    }
    out.push_back(std::move(read_item));
  }
  return {};
}

template <class T>
Result<void> read(JsonValue value, Map<T>& out) {
  if (!value.json.is_object()) return expected("an object");
  for (const auto& [name, member] : value.json.members()) {
    if (auto done = read(JsonValue{member}, out[name]); !done) return inside(name, done.error());
  }
  return {};
}

// ---- structs ------------------------------------------------------------------------------------

/// One member of a struct: its name in JSON, and how it is read.
template <class S>
struct Member {
  std::string_view name;
  Result<void> (*read)(JsonValue value, S& out);
};

template <class S, class T>
S struct_of(T S::*);

template <auto kMember>
constexpr auto member(std::string_view name) {
  using S = decltype(struct_of(kMember));
  return Member<S>{name, [](JsonValue value, S& out) { return read(value, out.*kMember); }};
}

/// Reads an object; `what` is what its members are called in errors. A null leaves a member as it
/// is, as if it were not there.
template <class S, std::size_t kCount>
Result<void> read_members(JsonValue value, const std::array<Member<S>, kCount>& members,
                          const char* what, S& out) {
  if (!value.json.is_object()) return expected("an object");
  for (const auto& [name, given] : value.json.members()) {
    const Member<S>* found = nullptr;
    for (const Member<S>& candidate : members) {
      if (candidate.name == name) found = &candidate;
    }
    if (found == nullptr) {
      return Error(ErrorCode::invalid, "there is no such " + std::string(what), name);
    }
    if (given.is_null()) continue;
    if (auto done = found->read(JsonValue{given}, out); !done) return inside(name, done.error());
  }
  return {};
}

}  // namespace parley::c
