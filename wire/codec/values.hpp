// The building blocks that the structs of the protocol are made of, and what a type says about its
// own codec. It is all that a program needs in order to use the messages: tables and codecs stay in
// the library (fields.hpp, codec.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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

/// A member that may be missing: what std::optional is, as far as members need it, at a tenth of
/// what that costs the compiler for each type of ours. The two convert into each other.
template <class T>
class Optional {
 public:
  Optional() noexcept {}
  Optional(std::nullopt_t) noexcept {}
  template <class U>
  requires(std::is_convertible_v<U, T>) Optional(U&& value) { construct(std::forward<U>(value)); }
  Optional(const std::optional<T>& other) {
    if (other) construct(*other);
  }
  Optional(const Optional& other) {
    if (other.has_value_) construct(other.value_);
  }
  Optional(Optional&& other) noexcept {
    if (other.has_value_) construct(std::move(other.value_));
  }
  Optional& operator=(Optional other) noexcept {
    reset();
    if (other.has_value_) construct(std::move(other.value_));
    return *this;
  }
  ~Optional() { reset(); }

  [[nodiscard]] bool has_value() const { return has_value_; }
  explicit operator bool() const { return has_value_; }
  T& operator*() & { return value_; }
  const T& operator*() const& { return value_; }
  T&& operator*() && { return std::move(value_); }
  T* operator->() { return &value_; }
  const T* operator->() const { return &value_; }
  /// Throws std::bad_optional_access if there is none.
  [[nodiscard]] const T& value() const {
    if (!has_value_) throw std::bad_optional_access();
    return value_;
  }
  template <class U>
  [[nodiscard]] T value_or(U&& other) const {
    return has_value_ ? value_ : static_cast<T>(std::forward<U>(other));
  }
  template <class... A>
  T& emplace(A&&... arguments) {
    reset();
    construct(std::forward<A>(arguments)...);
    return value_;
  }
  void reset() {
    if (!has_value_) return;
    has_value_ = false;
    value_.~T();
  }
  operator std::optional<T>() const { return has_value_ ? std::optional<T>(value_) : std::nullopt; }

  friend bool operator==(const Optional& a, const Optional& b) {
    return a.has_value_ == b.has_value_ && (!a.has_value_ || a.value_ == b.value_);
  }
  friend bool operator==(const Optional& a, std::nullopt_t) { return !a.has_value_; }
  template <class U>
  requires(std::is_convertible_v<const U&, T>) friend bool operator==(const Optional& a,
                                                                      const U& b) {
    return a.has_value_ && a.value_ == b;
  }

 private:
  /// Where there is no value: looking for one again would be code for nothing in every assignment.
  template <class... A>
  void construct(A&&... arguments) {
    if constexpr (sizeof...(A) == 0) {
      ::new (static_cast<void*>(&value_)) T{};
    } else {
      ::new (static_cast<void*>(&value_)) T(std::forward<A>(arguments)...);
    }
    has_value_ = true;
  }

  union {
    T value_;
  };
  bool has_value_ = false;
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
/// Its members are not inline, so that a type which holds one can be used where T is only declared,
/// if the library says `extern template class Box<T>`.
template <class T>
class Box {
 public:
  Box();
  Box(T value);
  Box(const Box& other);
  /// Like any value that was moved from, the other may only be assigned to or destroyed.
  Box(Box&& other) noexcept;
  Box& operator=(Box other) noexcept;
  ~Box();
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return value_.get(); }
  const T* operator->() const { return value_.get(); }
  bool operator==(const Box& other) const;

 private:
  std::unique_ptr<T> value_;
};

template <class T>
Box<T>::Box() : value_(std::make_unique<T>()) {}
template <class T>
Box<T>::Box(T value) : value_(std::make_unique<T>(std::move(value))) {}
template <class T>
Box<T>::Box(const Box& other) : value_(std::make_unique<T>(*other)) {}
template <class T>
Box<T>::Box(Box&& other) noexcept = default;
template <class T>
Box<T>& Box<T>::operator=(Box other) noexcept {
  value_ = std::move(other.value_);
  return *this;
}
template <class T>
Box<T>::~Box() = default;
template <class T>
bool Box<T>::operator==(const Box& other) const {
  return **this == *other;
}

/// What a union holds when the peer said something this build has no type for.
struct Unknown {
  std::string type;     ///< The discriminator; empty if it was missing or no string.
  std::string subtype;  ///< The second discriminator where the union has one.
  RawJson raw;          ///< The whole object.

  bool operator==(const Unknown&) const = default;
};

namespace detail {

/// C++ keywords are spelled with an underscore behind them, which is not part of the wire name.
constexpr std::string_view wire_name(std::string_view cpp_name) {
  if (cpp_name.ends_with('_')) cpp_name.remove_suffix(1);
  return cpp_name;
}

/// The wire texts of an enumeration, in the order of its values: one text, "red, green, default_",
/// because a list of texts for each enumeration makes every program that includes them compile
/// longer. Its parts are found when they are asked for.
struct EnumNames {
  std::string_view list;

  struct Iterator {
    std::string_view rest;
    constexpr std::string_view operator*() const {
      return wire_name(rest.substr(0, rest.find(',')));
    }
    constexpr Iterator& operator++() {
      const std::size_t comma = rest.find(',');
      rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 2);
      return *this;
    }
    constexpr bool operator!=(const Iterator& other) const {
      return rest.size() != other.rest.size();
    }
  };
  [[nodiscard]] constexpr Iterator begin() const { return {list}; }
  [[nodiscard]] constexpr Iterator end() const { return {}; }
  [[nodiscard]] constexpr std::size_t size() const {
    std::size_t count = 0;
    for (Iterator i = begin(); i != end(); ++i) ++count;
    return count;
  }
  constexpr std::string_view operator[](std::size_t index) const {
    Iterator i = begin();
    for (; index > 0; --index) ++i;
    return *i;
  }
};

/// What Enum<E> does without knowing E.
class OpenEnum {
 public:
  OpenEnum() = default;
  explicit OpenEnum(std::int16_t index) : index_(index) {}
  OpenEnum(std::string_view text, EnumNames names);

  bool operator==(const OpenEnum&) const = default;

 protected:
  std::int16_t index_ = 0;
  std::string other_;
};

}  // namespace detail

template <class E>
concept NamedEnum = std::is_enum_v<E> && requires {
  parley_enum(Tag<E>{});
};

/// An enumeration that stays open: one of the known values, or the text a newer peer sent.
template <class E>
class Enum : public detail::OpenEnum {
 public:
  Enum() = default;
  Enum(E value) : OpenEnum(static_cast<std::int16_t>(value)) {}
  explicit Enum(std::string_view text) : OpenEnum(text, names()) {}

  /// The value if this build knows it.
  [[nodiscard]] std::optional<E> known() const {
    if (index_ < 0) return std::nullopt;
    return static_cast<E>(index_);
  }
  [[nodiscard]] std::string_view text() const {
    if (index_ < 0) return other_;
    return names()[static_cast<std::size_t>(index_)];
  }
  /// The texts this build knows.
  static constexpr detail::EnumNames names() { return parley_enum(Tag<E>{}); }

  friend bool operator==(const Enum&, const Enum&) = default;
  friend bool operator==(const Enum& a, E b) { return a.index_ == static_cast<std::int16_t>(b); }
};

namespace detail {

/// Which alternative of a std::variant a type is; as many as there are if it is none.
template <class T, class Variant>
inline constexpr std::size_t kIndexIn = 0;
template <class T, class... All>
inline constexpr std::size_t kIndexIn<T, std::variant<All...>> = [] {
  std::size_t index = 0;
  const bool found = ((std::is_same_v<T, All> || (++index, false)) || ...);
  static_cast<void>(found);
  return index;
}();

}  // namespace detail

// ---- macros ------------------------------------------------------------------------------------

/// The wire texts of an enum class whose values cannot be spelled like them: "5m, 1h"
#define PARLEY_ENUM_TEXTS(Type, texts) \
  constexpr ::parley::detail::EnumNames parley_enum(::parley::Tag<Type>) { return {texts}; }
/// An enum class and its wire texts: PARLEY_ENUM(Color, red, green, default_)
#define PARLEY_ENUM(Type, ...)                    \
  enum class Type : std::int16_t { __VA_ARGS__ }; \
  PARLEY_ENUM_TEXTS(Type, #__VA_ARGS__)

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

/// Inside a union: says that making, copying, moving, destroying and comparing it is compiled once,
/// in the library (PARLEY_DEFINE_UNION in a .cpp file). Otherwise whoever makes one or passes it on
/// compiles all of that for all alternatives, which takes seconds.
#define PARLEY_UNION(Type)                                                                  \
  Type();                                                                                   \
  template <class T>                                                                        \
  requires(detail::kIndexIn<T, variant> < std::variant_size_v<variant>) Type(T alternative) \
      : Type() {                                                                            \
    adopt(detail::kIndexIn<T, variant>, &alternative);                                      \
  }                                                                                         \
  Type(const Type&);                                                                        \
  Type(Type&&) noexcept;                                                                    \
  Type& operator=(const Type&);                                                             \
  Type& operator=(Type&&) noexcept;                                                         \
  ~Type();                                                                                  \
  friend bool operator==(const Type&, const Type&);                                         \
                                                                                            \
 private:                                                                                   \
  void adopt(std::size_t index, void* alternative);                                         \
                                                                                            \
 public:

}  // namespace parley
