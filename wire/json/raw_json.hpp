// JSON that is carried, not interpreted: single values, and the members of an object that the
// type at hand has no place for.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "../error.hpp"

namespace parley {

class Json;

/// Any JSON value as the exact bytes it arrived in. Whoever builds one by hand answers for the
/// bytes being one valid JSON value; `RawJson::parse` checks.
struct RawJson {
  std::string text = "null";

  RawJson() = default;
  explicit RawJson(std::string bytes) : text(std::move(bytes)) {}
  /// Checked: an error if `bytes` is not exactly one JSON value.
  static Result<RawJson> parse(std::string_view bytes);

  [[nodiscard]] bool is_null() const { return text == "null"; }
  /// The value as a tree. An error only if the bytes were put there by hand and are malformed.
  [[nodiscard]] Result<Json> json() const;
  /// The value as a described type, e.g. `raw.as<tools::BashInput>()`. Needs wire/codec/codec.hpp.
  template <class T>
  [[nodiscard]] Result<T> as() const;

  bool operator==(const RawJson&) const = default;
};

/// What an object held beyond its typed members, so that it can be written back without loss.
class Extra {
 public:
  struct Member {
    std::string key;  ///< As between the quotes on the wire, escapes untouched.
    RawJson value;
    /// False: a member the type does not know. True: a known member whose typed value alone would
    /// not give the same JSON back (an explicit null, a number written as 1.0, a lone surrogate;
    /// an empty `value.text` says that a nullable member was missing).
    /// It is used for as long as the typed member still holds what was read.
    bool spelling = false;

    bool operator==(const Member&) const = default;
  };

  /// The value of an unknown member, or null. `key` is plain text.
  [[nodiscard]] const RawJson* find(std::string_view key) const;
  /// Adds or replaces an unknown member. `key` is plain text.
  void set(std::string_view key, RawJson value);
  void erase(std::string_view key);
  /// How many members the type does not know.
  [[nodiscard]] std::size_t unknown_count() const;

  /// Everything, in order of arrival. The codec's business; users want find() and set().
  std::vector<Member> members;

  bool operator==(const Extra&) const = default;
};

}  // namespace parley
