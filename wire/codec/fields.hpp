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
#include <tuple>
#include <type_traits>

#include "values.hpp"

namespace parley {

namespace detail {

struct MemberOps;

/// What can be done with members of type M (codec.hpp).
template <class M>
constexpr const MemberOps* member_ops();

enum class Presence : std::uint8_t {
  required,  ///< Always written, must be there.
  optional,  ///< Written if it has a value.
  nullable,  ///< Always written; if a peer left it out, so do we while it is null.
  lenient,   ///< Written if it differs from its default.
};

template <class M>
inline constexpr Presence kPresence = Presence::required;
template <class T>
inline constexpr Presence kPresence<std::optional<T>> = Presence::optional;
template <class T>
inline constexpr Presence kPresence<Optional<T>> = Presence::optional;
template <class T>
inline constexpr Presence kPresence<Nullable<T>> = Presence::nullable;

}  // namespace detail

/// One row of a table: a member, its wire name, and what is special about it. Rows know the type of
/// their member only through `ops`, so that a table costs the compiler data and no code.
struct Field {
  std::string_view name;
  std::string_view other_name = {};
  std::string_view description = {};
  detail::Presence presence = detail::Presence::required;
  /// Bytes from the beginning of the object, unless `at` says where the member is.
  std::size_t offset = 0;
  void* (*at)(void* object) = nullptr;
  const detail::MemberOps* (*ops)() = nullptr;

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
    if (presence == detail::Presence::required) copy.presence = detail::Presence::lenient;
    return copy;
  }
};

/// A row that is given by a pointer to its member, where no macro can be used: the compiler has to
/// make a function for it that finds the member.
template <class T, class M>
struct PointerField {
  Field row;
  M T::*member;

  [[nodiscard]] constexpr PointerField alias(std::string_view text) const {
    return {row.alias(text), member};
  }
  [[nodiscard]] constexpr PointerField doc(std::string_view text) const {
    return {row.doc(text), member};
  }
  [[nodiscard]] constexpr PointerField lenient() const { return {row.lenient(), member}; }
};

template <class T, class M>
constexpr PointerField<T, M> field(std::string_view name, M T::*member) {
  Field row{.name = name, .presence = detail::kPresence<M>, .ops = &detail::member_ops<M>};
  return {row, member};
}

namespace detail {

template <class M>
constexpr Field make_field(std::string_view name, std::size_t offset) {
  return {.name = name, .presence = kPresence<M>, .offset = offset, .ops = &member_ops<M>};
}

struct NoBase {};

template <class Base>
constexpr auto table_of() {
  if constexpr (std::is_same_v<Base, NoBase>) {
    return std::array<Field, 0>{};
  } else {
    return parley_fields(Tag<Base>{}).rows;
  }
}

}  // namespace detail

/// The table of T: what parley_fields(Tag<T>) returns.
template <class T, class Base, class Rows>
struct Table {
  std::string_view type_name;
  Rows rows;  ///< Fields, those of the base first; or a std::tuple of PointerField.

  using Type = T;
  using BaseType = Base;
};

/// Of rows that the macros below have made. A base has to be the first thing in the object, as a
/// single one without virtual functions is.
template <class T, class Base = detail::NoBase, std::same_as<Field>... Rows>
constexpr auto make_table(std::string_view type_name, Rows... rows) {
  const auto inherited = detail::table_of<Base>();
  std::array<Field, inherited.size() + sizeof...(Rows)> all{};
  std::size_t count = 0;
  for (const Field& row : inherited) all[count++] = row;
  ((all[count++] = rows), ...);
  return Table<T, Base, decltype(all)>{type_name, all};
}

/// Of rows made by field().
template <class T, class... Owner, class... M>
requires(sizeof...(M) > 0) constexpr auto make_table(std::string_view type_name,
                                                     PointerField<Owner, M>... rows) {
  return Table<T, detail::NoBase, std::tuple<PointerField<Owner, M>...>>{type_name, {rows...}};
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

  // ---- macros: shorthand for the tables above
  // ----------------------------------------------------

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

/// One row, for tables that are written by hand; the second form where the wire has another name.
#define PARLEY_FIELD(Type, member_name) \
  PARLEY_FIELD_AS(Type, member_name, ::parley::detail::wire_name(#member_name))
#define PARLEY_FIELD_AS(Type, member_name, name)                  \
  ::parley::detail::make_field<decltype(Type::member_name)>(name, \
                                                            __builtin_offsetof(Type, member_name))
#define PARLEY_ROW(Type, member_name) , PARLEY_FIELD(Type, member_name)

// Around tables that are written by hand. The standard leaves offsets in types with a base to the
// compiler; all that we know have them.
#define PARLEY_OFFSETS_BEGIN \
  _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Winvalid-offsetof\"")
#define PARLEY_OFFSETS_END _Pragma("GCC diagnostic pop")

/// The table of a struct, next to its namespace: PARLEY_FIELDS(Type, member, member, ...)
#define PARLEY_FIELDS(Type, ...)                                                         \
  PARLEY_OFFSETS_BEGIN                                                                   \
  constexpr auto parley_fields(::parley::Tag<Type>) {                                    \
    return ::parley::make_table<Type>(#Type PARLEY_EACH(PARLEY_ROW, Type, __VA_ARGS__)); \
  }                                                                                      \
  PARLEY_OFFSETS_END
/// The same for a struct that inherits members (and `extra`) from a struct with a table.
#define PARLEY_FIELDS_WITH_BASE(Type, Base, ...)                                               \
  PARLEY_OFFSETS_BEGIN                                                                         \
  constexpr auto parley_fields(::parley::Tag<Type>) {                                          \
    return ::parley::make_table<Type, Base>(#Type PARLEY_EACH(PARLEY_ROW, Type, __VA_ARGS__)); \
  }                                                                                            \
  PARLEY_OFFSETS_END

}  // namespace parley
