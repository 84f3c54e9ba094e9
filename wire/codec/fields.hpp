// How a struct says what it looks like on the wire: one table per type. The codec decodes and
// encodes by it, the schema export and the tests walk it, so none of them can drift apart.
//
//   struct TextBlock {
//     std::string text;                       // T: must be there
//     std::optional<RawJson> citations;       // std::optional<T>: may be missing
//     Nullable<std::string> note;             // Nullable<T>: always written, may be null
//     Extra extra;                            // members this build does not know
//     bool operator==(const TextBlock&) const = default;
//   };
//   PARLEY_FIELDS(TextBlock, text, citations, note)
//
// A member that the table forgets does not compile. A wire name that is a C++ keyword gets one
// trailing underscore in C++ (`continue_`), which is not part of the wire name.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "../json/raw_json.hpp"

namespace parley {

class JsonReader;
class SchemaBuilder;
namespace detail {
struct DecodeFailure;
struct ObjectOps;
}  // namespace detail

/// How a type is read, written and described; see codec.hpp.
template <class T>
struct Codec;

/// Names a type to argument-dependent lookup without making a value of it.
template <class T>
struct Tag {
  using type = T;
};

/// A member that is always written and may be null.
template <class T>
struct Nullable : std::optional<T> {
  using std::optional<T>::optional;
  using std::optional<T>::operator=;

  friend bool operator==(const Nullable& a, const Nullable& b) {
    return static_cast<const std::optional<T>&>(a) == static_cast<const std::optional<T>&>(b);
  }
};

/// A JSON object used as a dictionary: members in order, the last of equal keys counts.
template <class T>
struct Map {
  std::vector<std::pair<std::string, T>> entries;

  [[nodiscard]] const T* find(std::string_view key) const {
    for (const auto& entry : entries) {
      if (entry.first == key) return &entry.second;
    }
    return nullptr;
  }
  /// The entry for `key`, made if there is none.
  T& operator[](std::string_view key) {
    for (auto& entry : entries) {
      if (entry.first == key) return entry.second;
    }
    return entries.emplace_back(std::string(key), T{}).second;
  }
  [[nodiscard]] bool empty() const { return entries.empty(); }
  [[nodiscard]] std::size_t size() const { return entries.size(); }
  auto begin() const { return entries.begin(); }
  auto end() const { return entries.end(); }

  bool operator==(const Map&) const = default;
};

/// A T on the heap that copies and compares as T: for recursive types, and for large members that
/// are rare, so that they do not make every message large.
template <class T>
class Box {
 public:
  Box() : value_(std::make_unique<T>()) {}
  Box(T value) : value_(std::make_unique<T>(std::move(value))) {}
  Box(const Box& other) : value_(std::make_unique<T>(*other)) {}
  /// Like any value that was moved from, the other may only be assigned to or destroyed.
  Box(Box&& other) noexcept = default;
  Box& operator=(Box other) noexcept {
    value_ = std::move(other.value_);
    return *this;
  }
  ~Box() = default;
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return value_.get(); }
  const T* operator->() const { return value_.get(); }
  friend bool operator==(const Box& a, const Box& b) { return *a == *b; }

 private:
  std::unique_ptr<T> value_;
};

/// What a union holds when the peer said something this build has no type for.
struct Unknown {
  std::string type;     ///< The discriminator; empty if it was missing or no string.
  std::string subtype;  ///< The second discriminator where the union has one.
  RawJson raw;          ///< The whole object.

  bool operator==(const Unknown&) const = default;
};

/// One row of a table: a member, its wire name, and what is special about it.
template <class T, class M>
struct Field {
  std::string_view name;
  M T::*member;
  std::string_view other_name = {};
  std::string_view description = {};
  bool may_be_missing = false;

  /// Also read under this name; what was read under it is written under it.
  [[nodiscard]] constexpr Field alias(std::string_view text) const {
    Field copy = *this;
    copy.other_name = text;
    return copy;
  }
  /// For the exported schema, and for the model when the struct is a tool's argument.
  [[nodiscard]] constexpr Field doc(std::string_view text) const {
    Field copy = *this;
    copy.description = text;
    return copy;
  }
  /// Not missed when a peer leaves it out, and left out when it holds its default.
  [[nodiscard]] constexpr Field lenient() const {
    Field copy = *this;
    copy.may_be_missing = true;
    return copy;
  }
};

template <class T, class M>
constexpr Field<T, M> field(std::string_view name, M T::*member) {
  return {name, member};
}

namespace detail {

constexpr std::string_view wire_name(std::string_view cpp_name) {
  if (cpp_name.ends_with('_')) cpp_name.remove_suffix(1);
  return cpp_name;
}

struct NoBase {};

template <class Base>
constexpr auto table_of() {
  if constexpr (std::is_same_v<Base, NoBase>) {
    return std::tuple<>{};
  } else {
    return parley_fields(Tag<Base>{}).rows;
  }
}

}  // namespace detail

/// The table of T: what parley_fields(Tag<T>) returns.
template <class T, class Base, class Rows>
struct Table {
  std::string_view type_name;
  Rows rows;  ///< std::tuple of Field, those of the base first.

  using Type = T;
  using BaseType = Base;
};

template <class T, class Base = detail::NoBase, class... Rows>
constexpr auto make_table(std::string_view type_name, Rows... rows) {
  auto all = std::tuple_cat(detail::table_of<Base>(), std::tuple<Rows...>{rows...});
  return Table<T, Base, decltype(all)>{type_name, all};
}

/// A struct with a table.
template <class T>
concept Described = requires {
  parley_fields(Tag<T>{});
};

/// One alternative of a tagged union.
template <class T>
struct Case {
  std::string_view name;
  std::string_view sub = {};  ///< Value of the second discriminator, empty if there is none.
  using Type = T;
};

template <class T>
constexpr Case<T> on(std::string_view name, std::string_view sub = {}) {
  return {name, sub};
}

/// The discriminator of a union and its alternatives, in the order of the variant; `Unknown` comes
/// last in the variant and is not listed.
template <class U, class... T>
struct Cases {
  std::string_view type_name;
  std::string_view key;
  std::string_view sub_key;
  std::tuple<Case<T>...> rows;
};

template <class U, class... T>
constexpr Cases<U, T...> make_cases(std::string_view type_name, std::string_view key,
                                    std::string_view sub_key, Case<T>... rows) {
  return {type_name, key, sub_key, {rows...}};
}

template <class U>
concept TaggedUnion = requires {
  parley_cases(Tag<U>{});
};

template <class E>
concept NamedEnum = std::is_enum_v<E> && requires {
  parley_enum(Tag<E>{});
};

/// An enumeration that stays open: one of the known values, or the text a newer peer sent.
template <class E>
class Enum {
 public:
  Enum() = default;
  Enum(E value) : index_(static_cast<std::int16_t>(value)) {}
  explicit Enum(std::string_view text) {
    constexpr auto names = parley_enum(Tag<E>{});
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == text) {
        index_ = static_cast<std::int16_t>(i);
        return;
      }
    }
    index_ = -1;
    other_ = text;
  }

  /// The value if this build knows it.
  [[nodiscard]] std::optional<E> known() const {
    if (index_ < 0) return std::nullopt;
    return static_cast<E>(index_);
  }
  [[nodiscard]] std::string_view text() const {
    if (index_ < 0) return other_;
    constexpr auto names = parley_enum(Tag<E>{});
    return names[static_cast<std::size_t>(index_)];
  }

  friend bool operator==(const Enum&, const Enum&) = default;
  friend bool operator==(const Enum& a, E b) { return a.index_ == static_cast<std::int16_t>(b); }

 private:
  std::int16_t index_ = 0;
  std::string other_;
};

// ---- macros: shorthand for the tables above ----------------------------------------------------

#define PARLEY_PARENS ()
#define PARLEY_EXPAND(...) \
  PARLEY_EXPAND4(PARLEY_EXPAND4(PARLEY_EXPAND4(PARLEY_EXPAND4(__VA_ARGS__))))
#define PARLEY_EXPAND4(...) \
  PARLEY_EXPAND3(PARLEY_EXPAND3(PARLEY_EXPAND3(PARLEY_EXPAND3(__VA_ARGS__))))
#define PARLEY_EXPAND3(...) \
  PARLEY_EXPAND2(PARLEY_EXPAND2(PARLEY_EXPAND2(PARLEY_EXPAND2(__VA_ARGS__))))
#define PARLEY_EXPAND2(...) \
  PARLEY_EXPAND1(PARLEY_EXPAND1(PARLEY_EXPAND1(PARLEY_EXPAND1(__VA_ARGS__))))
#define PARLEY_EXPAND1(...) __VA_ARGS__
#define PARLEY_EACH(macro, with, ...) \
  __VA_OPT__(PARLEY_EXPAND(PARLEY_EACH_NEXT(macro, with, __VA_ARGS__)))
#define PARLEY_EACH_NEXT(macro, with, first, ...) \
  macro(with, first) __VA_OPT__(PARLEY_EACH_AGAIN PARLEY_PARENS(macro, with, __VA_ARGS__))
#define PARLEY_EACH_AGAIN() PARLEY_EACH_NEXT

#define PARLEY_ROW(Type, member_name) \
  , ::parley::field(::parley::detail::wire_name(#member_name), &Type::member_name)
#define PARLEY_NAME(Type, value_name) ::parley::detail::wire_name(#value_name),

/// The table of a struct, next to its namespace: PARLEY_FIELDS(Type, member, member, ...)
#define PARLEY_FIELDS(Type, ...)                                                         \
  constexpr auto parley_fields(::parley::Tag<Type>) {                                    \
    return ::parley::make_table<Type>(#Type PARLEY_EACH(PARLEY_ROW, Type, __VA_ARGS__)); \
  }
/// The same for a struct that inherits members (and `extra`) from a struct with a table.
#define PARLEY_FIELDS_WITH_BASE(Type, Base, ...)                                               \
  constexpr auto parley_fields(::parley::Tag<Type>) {                                          \
    return ::parley::make_table<Type, Base>(#Type PARLEY_EACH(PARLEY_ROW, Type, __VA_ARGS__)); \
  }
/// An enum class and its wire texts: PARLEY_ENUM(Color, red, green, default_)
#define PARLEY_ENUM(Type, ...)                                                             \
  enum class Type : std::int16_t { __VA_ARGS__ };                                          \
  constexpr auto parley_enum(::parley::Tag<Type>) {                                        \
    return std::to_array<std::string_view>({PARLEY_EACH(PARLEY_NAME, Type, __VA_ARGS__)}); \
  }

/// Says next to a type that its codec is compiled once, in the library (PARLEY_DEFINE_CODEC in a
/// .cpp file). Whoever decodes it then needs neither its table nor the time to compile it.
#define PARLEY_CODEC(Type)                                        \
  template <>                                                     \
  struct Codec<Type> {                                            \
    static bool read(JsonReader&, Type&, detail::DecodeFailure&); \
    static void write(const Type&, std::string& out);             \
    static Json schema(SchemaBuilder&);                           \
    static const detail::ObjectOps* object();                     \
  };

/// Inside a union of many alternatives: says that copying, moving, destroying and comparing it is
/// compiled once, in the library (PARLEY_DEFINE_UNION in a .cpp file). Otherwise whoever passes one
/// on compiles all of that for all alternatives, which takes seconds.
#define PARLEY_UNION(Type)          \
  using variant::variant;           \
  Type(const Type&);                \
  Type(Type&&) noexcept;            \
  Type& operator=(const Type&);     \
  Type& operator=(Type&&) noexcept; \
  ~Type();                          \
  friend bool operator==(const Type&, const Type&);

#define PARLEY_DEFINE_UNION(Type)                                                        \
  Type::Type(const Type&) = default;                                                     \
  Type::Type(Type&&) noexcept = default;                                                 \
  Type& Type::operator=(const Type&) = default;                                          \
  Type& Type::operator=(Type&&) noexcept = default;                                      \
  Type::~Type() = default;                                                               \
  bool operator==(const Type& a, const Type& b) {                                        \
    return static_cast<const Type::variant&>(a) == static_cast<const Type::variant&>(b); \
  }

}  // namespace parley
