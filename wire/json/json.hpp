// A small ordered JSON tree for code that has to look into values it has no type for.
// Members keep their order, numbers keep their text. Typed code uses the codec instead.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "../error.hpp"

namespace parley {

class JsonReader;

class Json {
 public:
  using Array = std::vector<Json>;
  using Member = std::pair<std::string, Json>;
  using Object = std::vector<Member>;
  enum class Kind { null, bool_, number, string, array, object };

  Json() = default;
  Json(std::nullptr_t) {}
  Json(bool value) : value_(value) {}
  Json(int value) : Json(std::int64_t{value}) {}
  Json(std::int64_t value);
  Json(std::uint64_t value);
  Json(double value);
  Json(const char* text) : value_(std::string(text)) {}
  Json(std::string text) : value_(std::move(text)) {}
  Json(std::string_view text) : value_(std::string(text)) {}
  Json(Array items) : value_(std::move(items)) {}

  static Json array(std::initializer_list<Json> items = {}) { return Json(Array(items)); }
  static Json object(std::initializer_list<Member> members = {});
  /// Exactly one value. The error says at which byte it stopped.
  static Result<Json> parse(std::string_view text);
  /// The value at the cursor of a reader, for decoders. On false the reader knows why.
  static bool read(JsonReader& reader, Json& out);
  /// A number from its JSON text, which must be one ("1e400" stays "1e400").
  static Json number(std::string text);

  [[nodiscard]] Kind kind() const { return static_cast<Kind>(value_.index()); }
  [[nodiscard]] bool is_null() const { return kind() == Kind::null; }
  [[nodiscard]] bool is_bool() const { return kind() == Kind::bool_; }
  [[nodiscard]] bool is_number() const { return kind() == Kind::number; }
  [[nodiscard]] bool is_string() const { return kind() == Kind::string; }
  [[nodiscard]] bool is_array() const { return kind() == Kind::array; }
  [[nodiscard]] bool is_object() const { return kind() == Kind::object; }

  /// Lenient access: the fallback if the value is of another kind.
  [[nodiscard]] bool as_bool(bool fallback = false) const;
  [[nodiscard]] std::int64_t as_int(std::int64_t fallback = 0) const;
  [[nodiscard]] double as_double(double fallback = 0) const;
  [[nodiscard]] std::string_view as_string(std::string_view fallback = {}) const;
  /// The text of a number as it was read; empty for other kinds.
  [[nodiscard]] std::string_view number_text() const;
  /// Empty for other kinds.
  [[nodiscard]] const Array& items() const;
  [[nodiscard]] const Object& members() const;
  /// Turns the value into an array or object if it is none.
  Array& items();
  Object& members();

  /// The member, or null if there is none or this is no object.
  [[nodiscard]] const Json* find(std::string_view key) const;
  [[nodiscard]] Json* find(std::string_view key);
  /// The member or item, or a null value that lives for ever; so chains need no checks:
  /// `j["message"]["content"][0]["text"].as_string()`.
  const Json& operator[](std::string_view key) const;
  const Json& operator[](const char* key) const { return (*this)[std::string_view(key)]; }
  const Json& operator[](std::size_t index) const;
  const Json& operator[](int index) const { return (*this)[static_cast<std::size_t>(index)]; }
  /// Adds or replaces a member (the value becomes an object).
  Json& set(std::string_view key, Json value);
  /// Adds an item (the value becomes an array).
  Json& push(Json value);
  bool erase(std::string_view key);

  /// Compact text, or with `indent` spaces per level.
  [[nodiscard]] std::string dump(int indent = 0) const;
  void write(std::string& out, int indent = 0, int level = 0) const;

  /// Same kind, same text or number text, same items in order, same members in any order.
  friend bool operator==(const Json& a, const Json& b);

 private:
  struct Number {
    std::string text;
  };
  std::variant<std::monostate, bool, Number, std::string, Array, Object> value_;
};

}  // namespace parley
