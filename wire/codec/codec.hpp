// Decodes and encodes every type that has a table (fields.hpp).
//
// Each table becomes a constant array of type-erased rows; one engine in codec.cpp walks them. So
// the templates here stay thin: compile time and code size do not grow with the protocol.
#pragma once

#include <atomic>
#include <concepts>
#include <span>

#include "../json/json.hpp"
#include "../json/numbers.hpp"
#include "../json/reader.hpp"
#include "../json/repeated_keys.hpp"
#include "../json/writer.hpp"
#include "fields.hpp"
#include "schema_builder.hpp"

namespace parley {

namespace detail {

/// Where decoding stopped: filled from the innermost place outwards.
struct DecodeFailure {
  std::string path;
  std::string message;

  bool set(std::string text) {
    message = std::move(text);
    return false;
  }
  /// Takes the reader's own reason.
  bool from(const JsonReader& reader) { return set(reader.why()); }
  bool in_member(std::string_view name);
  bool in_item(std::size_t index);
};

/// A table may have this many rows.
inline constexpr std::size_t kMaxFields = 128;

enum class Presence : std::uint8_t {
  kRequired,  ///< Always written, must be there.
  kOptional,  ///< Written if it has a value.
  kNullable,  ///< Always written; if a peer left it out, so do we while it is null.
  kLenient,   ///< Written if it differs from its default.
};

/// What can be done with a member of one C++ type; shared by all fields of that type.
struct MemberOps {
  bool (*read)(JsonReader&, void* member, DecodeFailure&);
  void (*write)(const void* member, std::string& out);
  bool (*has_value)(const void* member);
  bool (*equal)(const void* member, const void* other);
  void (*assign)(void* member, const void* other);
  /// Whether the member still holds what `raw` decodes to.
  bool (*still)(const void* member, std::string_view raw);
  Json (*schema)(SchemaBuilder&);
};

struct FieldOps {
  std::string_view name;
  std::string_view alias;
  std::string_view description;
  Presence presence;
  void* (*at)(void* object);
  const MemberOps* member;

  [[nodiscard]] const void* at_const(const void* object) const {
    return at(const_cast<void*>(object));
  }
};

/// A byte that tells most names apart, so that a search compares few of them.
constexpr std::uint8_t name_signature(std::string_view name) {
  if (name.empty()) return 0;
  const std::size_t first = static_cast<unsigned char>(name.front());
  const std::size_t last = static_cast<unsigned char>(name.back());
  return static_cast<std::uint8_t>(name.size() * 5 + first + last * 3);
}

/// A set of field numbers: a word for nearly every type, more for the few large ones.
class FieldSet {
 public:
  constexpr void set(std::size_t i, bool value) {
    const std::uint64_t bit = std::uint64_t{1} << (i % 64);
    words_[i / 64] = value ? words_[i / 64] | bit : words_[i / 64] & ~bit;
  }
  constexpr bool test_and_set(std::size_t i) {
    const bool was = test(i);
    set(i, true);
    return was;
  }
  [[nodiscard]] constexpr bool test(std::size_t i) const {
    return (words_[i / 64] >> (i % 64) & 1) != 0;
  }
  [[nodiscard]] constexpr bool has_all_of(const FieldSet& other) const {
    std::uint64_t missing = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) missing |= other.words_[i] & ~words_[i];
    return missing == 0;
  }

 private:
  std::array<std::uint64_t, kMaxFields / 64> words_{};
};

/// The number of the field that was seen last after each field (shifted by one; the first entry is
/// what an object began with). A guess, shared by all threads: peers write members in an order of
/// their own and keep to it.
using FieldOrder = std::atomic<std::uint8_t>;

struct ObjectOps {
  std::string_view type_name;
  std::span<const FieldOps> fields;
  const std::uint8_t* signatures;  ///< Of the fields' names, in their order.
  FieldOrder* order;
  FieldSet noticed;               ///< Fields whose absence must be dealt with.
  Extra* (*extra)(void* object);  ///< Null if the type keeps no unknown members.
  const void* (*defaults)();      ///< A value-initialised object.
};

/// The key and value that a union case adds to its object.
struct TagPair {
  std::string_view key, value, sub_key, sub_value;
};

struct CaseOps {
  std::string_view name;
  std::string_view sub;
  const ObjectOps* (*object)();
  void* (*emplace)(void* variant);
  const void* (*get)(const void* variant);
  Json (*schema)(SchemaBuilder&);
};

struct UnionOps {
  std::string_view type_name;
  std::string_view key;
  std::string_view sub_key;
  std::span<const CaseOps> cases;
  Unknown* (*emplace_unknown)(void* variant);
  std::size_t (*index)(const void* variant);
  const Unknown* (*get_unknown)(const void* variant);
};

/// With `tags`, the members that choose the union's case are stepped over, and `opened` says that
/// the cursor stands behind them already.
bool read_object(JsonReader&, const ObjectOps&, void* object, DecodeFailure&,
                 const TagPair* tags = nullptr, bool opened = false);
void write_object(const ObjectOps&, const void* object, std::string& out,
                  const TagPair* tags = nullptr);
bool read_union(JsonReader&, const UnionOps&, void* variant, DecodeFailure&);
void write_union(const UnionOps&, const void* variant, std::string& out);
Json object_schema(const ObjectOps&, SchemaBuilder&, const TagPair* tags = nullptr);
Json union_schema(const UnionOps&, SchemaBuilder&);

Error decode_error(const JsonReader&, DecodeFailure&&, std::string_view text);

}  // namespace detail

// Codec<T> says how one C++ type is read, written and described. Specialise it for a type of your
// own that is neither described by a table nor listed here.

/// One JSON text into `out`, a fresh T; nothing may follow it. After an error `out` may hold a
/// part.
template <class T>
[[nodiscard]] Result<void> decode_into(T& out, std::string_view text) {
  JsonReader reader(text);
  detail::DecodeFailure failure;
  if (!Codec<T>::read(reader, out, failure) ||
      (!reader.at_end() && !reader.fail("unexpected text after the value") &&
       !failure.from(reader))) {
    return detail::decode_error(reader, std::move(failure), text);
  }
  return {};
}

/// One JSON text into a T; nothing may follow it.
template <class T>
[[nodiscard]] Result<T> decode(std::string_view text) {
  // One name for every way out, so that the compiler builds it where the caller wants it: a Message
  // is too large to be moved for nothing.
  Result<T> result(std::in_place);
  if (auto decoded = decode_into(*result, text); !decoded) result = decoded.error();
  return result;
}

/// Appends the JSON of `value`.
template <class T>
void encode(const T& value, std::string& out) {
  Codec<T>::write(value, out);
}

template <class T>
[[nodiscard]] std::string encode(const T& value) {
  std::string out;
  Codec<T>::write(value, out);
  return out;
}

/// The bytes of `value`, for a member that is carried as RawJson.
template <class T>
[[nodiscard]] RawJson to_raw(const T& value) {
  return RawJson(encode(value));
}

template <class T>
Result<T> RawJson::as() const {
  return decode<T>(text);
}

// ---- plain values ------------------------------------------------------------------------------

template <>
struct Codec<std::string> {
  static bool read(JsonReader& r, std::string& out, detail::DecodeFailure& f) {
    return r.string(out) || f.from(r);
  }
  static void write(const std::string& v, std::string& out) { detail::write_string(v, out); }
  static Json schema(SchemaBuilder&) { return Json::object({{"type", "string"}}); }
};

template <>
struct Codec<bool> {
  static bool read(JsonReader& r, bool& out, detail::DecodeFailure& f) {
    return r.boolean(out) || f.from(r);
  }
  static void write(bool v, std::string& out) { detail::write_bool(v, out); }
  static Json schema(SchemaBuilder&) { return Json::object({{"type", "boolean"}}); }
};

template <>
struct Codec<std::int64_t> {
  static bool read(JsonReader& r, std::int64_t& out, detail::DecodeFailure& f);
  static void write(std::int64_t v, std::string& out) { detail::write_number(v, out); }
  static Json schema(SchemaBuilder&) { return Json::object({{"type", "integer"}}); }
};

template <std::integral T>
requires(!std::same_as<T, bool> && !std::same_as<T, std::int64_t>) struct Codec<T> {
  static bool read(JsonReader& r, T& out, detail::DecodeFailure& f) {
    std::int64_t wide = 0;
    if (!Codec<std::int64_t>::read(r, wide, f)) return false;
    if (!std::in_range<T>(wide)) return f.set("number out of range");
    out = static_cast<T>(wide);
    return true;
  }
  static void write(T v, std::string& out) {
    if (std::in_range<std::int64_t>(v)) {
      detail::write_number(static_cast<std::int64_t>(v), out);
    } else {
      out += std::to_string(v);
    }
  }
  static Json schema(SchemaBuilder&) { return Json::object({{"type", "integer"}}); }
};

template <>
struct Codec<double> {
  static bool read(JsonReader& r, double& out, detail::DecodeFailure& f);
  static void write(double v, std::string& out) { detail::write_number(v, out); }
  static Json schema(SchemaBuilder&) { return Json::object({{"type", "number"}}); }
};

template <>
struct Codec<RawJson> {
  static bool read(JsonReader& r, RawJson& out, detail::DecodeFailure& f) {
    std::string_view raw;
    if (!r.skip(raw)) return f.from(r);
    out.text.assign(raw);
    return true;
  }
  static void write(const RawJson& v, std::string& out) { out += v.text; }
  static Json schema(SchemaBuilder&) { return Json::object(); }
};

template <>
struct Codec<Json> {
  static bool read(JsonReader& r, Json& out, detail::DecodeFailure& f);
  static void write(const Json& v, std::string& out) { v.write(out); }
  static Json schema(SchemaBuilder&) { return Json::object(); }
};

template <NamedEnum E>
struct Codec<Enum<E>> {
  static bool read(JsonReader& r, Enum<E>& out, detail::DecodeFailure& f) {
    std::string_view inside;
    bool escaped = false;
    if (!r.string_span(inside, escaped)) return f.from(r);
    if (!escaped) {
      out = Enum<E>(inside);
      return true;
    }
    std::string text;
    if (!JsonReader::unescape(inside, text)) r.set_inexact(true);
    out = Enum<E>(text);
    return true;
  }
  static void write(const Enum<E>& v, std::string& out) { detail::write_string(v.text(), out); }
  /// Open: any string is valid, the known ones are listed.
  static Json schema(SchemaBuilder&) {
    Json known = Json::array();
    for (const std::string_view name : parley_enum(Tag<E>{})) known.push(name);
    return Json::object({{"type", "string"}, {"examples", known}});
  }
};

// ---- containers --------------------------------------------------------------------------------

template <class T>
struct Codec<std::vector<T>> {
  static bool read(JsonReader& r, std::vector<T>& out, detail::DecodeFailure& f) {
    out.clear();
    if (!r.eat('[')) return (r.fail("expected array"), f.from(r));
    if (!r.enter()) return f.from(r);
    if (!r.eat(']')) {
      do {
        T item{};
        if (!Codec<T>::read(r, item, f)) return f.in_item(out.size());
        out.push_back(std::move(item));
      } while (r.eat(','));
      if (!r.eat(']')) return (r.fail("expected ',' or ']'"), f.from(r));
    }
    r.leave();
    return true;
  }
  static void write(const std::vector<T>& v, std::string& out) {
    out += '[';
    bool first = true;
    for (const auto& item : v) {
      if (!first) out += ',';
      first = false;
      Codec<T>::write(item, out);
    }
    out += ']';
  }
  static Json schema(SchemaBuilder& b) {
    return Json::object({{"type", "array"}, {"items", Codec<T>::schema(b)}});
  }
};

template <class T>
struct Codec<Map<T>> {
  static bool read(JsonReader& r, Map<T>& out, detail::DecodeFailure& f) {
    out.entries.clear();
    if (!r.eat('{')) return (r.fail("expected object"), f.from(r));
    if (!r.enter()) return f.from(r);
    if (!r.eat('}')) {
      std::string key;
      do {
        if (r.peek() != '"') return (r.fail("expected a key"), f.from(r));
        if (!r.string(key)) return f.from(r);
        if (!r.eat(':')) return (r.fail("expected ':'"), f.from(r));
        T item{};
        if (!Codec<T>::read(r, item, f)) return f.in_member(key);
        out.entries.emplace_back(key, std::move(item));
      } while (r.eat(','));
      if (!r.eat('}')) return (r.fail("expected ',' or '}'"), f.from(r));
    }
    r.leave();
    detail::fold_repeated_keys(out.entries);
    return true;
  }
  static void write(const Map<T>& v, std::string& out) {
    out += '{';
    bool first = true;
    for (const auto& [key, item] : v) {
      if (!first) out += ',';
      first = false;
      detail::write_string(key, out);
      out += ':';
      Codec<T>::write(item, out);
    }
    out += '}';
  }
  static Json schema(SchemaBuilder& b) {
    return Json::object({{"type", "object"}, {"additionalProperties", Codec<T>::schema(b)}});
  }
};

template <class T>
struct Codec<std::optional<T>> {
  static bool read(JsonReader& r, std::optional<T>& out, detail::DecodeFailure& f) {
    if (r.peek() == 'n') {
      out.reset();
      return r.null() || f.from(r);
    }
    return Codec<T>::read(r, out.emplace(), f);
  }
  static void write(const std::optional<T>& v, std::string& out) {
    if (v) {
      Codec<T>::write(*v, out);
    } else {
      out += "null";
    }
  }
  static Json schema(SchemaBuilder& b) { return SchemaBuilder::or_null(Codec<T>::schema(b)); }
};

template <class T>
struct Codec<Nullable<T>> : Codec<std::optional<T>> {};

template <class T>
struct Codec<Box<T>> {
  static bool read(JsonReader& r, Box<T>& out, detail::DecodeFailure& f) {
    return Codec<T>::read(r, *out, f);
  }
  static void write(const Box<T>& v, std::string& out) { Codec<T>::write(*v, out); }
  static Json schema(SchemaBuilder& b) { return Codec<T>::schema(b); }
};

// ---- a value of one of several JSON kinds: a string or a list of blocks -------------------------

namespace detail {

/// Whether a value that begins with `c` can be a T. RawJson can be anything.
template <class T>
constexpr bool begins(char c) {
  const bool number = c == '-' || (c >= '0' && c <= '9');
  if constexpr (std::is_same_v<T, RawJson> || std::is_same_v<T, Json>) {
    return true;
  } else if constexpr (std::is_same_v<T, bool>) {
    return c == 't' || c == 'f';
  } else if constexpr (std::is_arithmetic_v<T>) {
    return number;
  } else if constexpr (std::is_same_v<T, std::string> || requires(T t) { t.known(); }) {
    return c == '"';
  } else if constexpr (requires(T t) { t.push_back(typename T::value_type{}); }) {
    return c == '[';
  } else {
    return c == '{';
  }
}

template <class Variant, std::size_t I = 0>
bool read_either(JsonReader& r, Variant& out, DecodeFailure& f) {
  if constexpr (I == std::variant_size_v<Variant>) {
    r.fail("has none of the expected types");
    return f.from(r);
  } else {
    using T = std::variant_alternative_t<I, Variant>;
    if (begins<T>(r.peek())) return Codec<T>::read(r, out.template emplace<I>(), f);
    return read_either<Variant, I + 1>(r, out, f);
  }
}

}  // namespace detail

template <class... T>
struct Codec<std::variant<T...>> {
  using V = std::variant<T...>;
  static bool read(JsonReader& r, V& out, detail::DecodeFailure& f) {
    return detail::read_either(r, out, f);
  }
  static void write(const V& v, std::string& out) {
    std::visit([&]<class A>(const A& a) { Codec<A>::write(a, out); }, v);
  }
  static Json schema(SchemaBuilder& b) {
    return Json::object({{"anyOf", Json::array({Codec<T>::schema(b)...})}});
  }
};

// ---- structs with a table ----------------------------------------------------------------------

namespace detail {

/// Converts to anything: used to count how many initialisers an aggregate takes.
struct Anything {
  template <class T>
  operator T() const;
};

template <class T, class... A>
consteval std::size_t member_count() {
  if constexpr (requires { T{A{}..., Anything{}}; }) {
    return member_count<T, A..., Anything>();
  } else {
    return sizeof...(A);
  }
}

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_nullable = false;
template <class T>
inline constexpr bool is_nullable<Nullable<T>> = true;

template <class M>
inline constexpr MemberOps kMemberOps{
    [](JsonReader& r, void* member, DecodeFailure& f) {
      return Codec<M>::read(r, *static_cast<M*>(member), f);
    },
    [](const void* member, std::string& out) {
      Codec<M>::write(*static_cast<const M*>(member), out);
    },
    [](const void* member) {
      if constexpr (is_optional<M> || is_nullable<M>) {
        return static_cast<const M*>(member)->has_value();
      } else {
        return true;
      }
    },
    [](const void* member, const void* other) {
      return *static_cast<const M*>(member) == *static_cast<const M*>(other);
    },
    [](void* member, const void* other) {
      *static_cast<M*>(member) = *static_cast<const M*>(other);
    },
    [](const void* member, std::string_view raw) {
      M then{};
      JsonReader r(raw);
      DecodeFailure ignored;
      return Codec<M>::read(r, then, ignored) && then == *static_cast<const M*>(member);
    },
    [](SchemaBuilder& b) { return Codec<M>::schema(b); }};

template <Described T>
struct TableOf {
  static constexpr auto kTable = parley_fields(Tag<T>{});
  using Rows = std::remove_cvref_t<decltype(kTable.rows)>;
  using Base = typename std::remove_cvref_t<decltype(kTable)>::BaseType;
  static constexpr std::size_t kCount = std::tuple_size_v<Rows>;
  static constexpr bool kHasBase = !std::is_same_v<Base, NoBase>;
  static constexpr bool kHasExtra = requires(T t) { t.extra; };

  static consteval bool complete() {
    if constexpr (kHasBase) {
      // The base is one initialiser and brings `extra`.
      return kCount - TableOf<Base>::kCount + 1 == member_count<T>();
    } else {
      return kCount + (kHasExtra ? 1 : 0) == member_count<T>();
    }
  }
  static_assert(kCount <= kMaxFields);
  static_assert(complete(),
                "the field table does not name every member of the struct, or names one twice");

  template <std::size_t I>
  static constexpr FieldOps row() {
    constexpr auto field = std::get<I>(kTable.rows);
    using M = std::remove_cvref_t<decltype(std::declval<T&>().*field.member)>;
    return {field.name,
            field.other_name,
            field.description,
            is_optional<M>         ? Presence::kOptional
            : is_nullable<M>       ? Presence::kNullable
            : field.may_be_missing ? Presence::kLenient
                                   : Presence::kRequired,
            [](void* object) -> void* {
              return &(static_cast<T*>(object)->*std::get<I>(kTable.rows).member);
            },
            &kMemberOps<M>};
  }

  static constexpr auto kFields = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<FieldOps, kCount>{row<I>()...};
  }
  (std::make_index_sequence<kCount>{});

  static constexpr auto kSignatures = [] {
    // Never empty, so that its address can be taken for a struct without members too.
    std::array<std::uint8_t, kCount + 1> bytes{};
    for (std::size_t i = 0; i < kCount; ++i) bytes[i] = name_signature(kFields[i].name);
    return bytes;
  }();

  static inline constinit std::array<FieldOrder, kCount + 1> order{};

  static constexpr FieldSet kNoticed = [] {
    FieldSet set;
    for (std::size_t i = 0; i < kCount; ++i) {
      set.set(i, kFields[i].presence == Presence::kRequired ||
                     kFields[i].presence == Presence::kNullable);
    }
    return set;
  }();

  static constexpr auto kExtra = []() -> Extra* (*)(void*) {
    if constexpr (kHasExtra) {
      return [](void* object) { return &static_cast<T*>(object)->extra; };
    } else {
      return nullptr;
    }
  }();

  static const void* defaults() {
    static const T value{};
    return &value;
  }

  static constexpr ObjectOps kObject{kTable.type_name, kFields, kSignatures.data(), order.data(),
                                     kNoticed,         kExtra,  &defaults};
};

/// By the table of a struct or the cases of a union.
template <class T>
struct TableCodec;

template <Described T>
struct TableCodec<T> {
  static bool read(JsonReader& r, T& out, DecodeFailure& f) {
    return read_object(r, TableOf<T>::kObject, &out, f);
  }
  static void write(const T& v, std::string& out) { write_object(TableOf<T>::kObject, &v, out); }
  static Json schema(SchemaBuilder& b) { return object_schema(TableOf<T>::kObject, b); }
  static const ObjectOps* object() { return &TableOf<T>::kObject; }
};

}  // namespace detail

template <Described T>
struct Codec<T> : detail::TableCodec<T> {};

// ---- tagged unions -----------------------------------------------------------------------------

namespace detail {

template <class U, std::size_t I, class C>
constexpr CaseOps case_row(const C& row) {
  using T = typename C::Type;
  CaseOps ops{};
  ops.name = row.name;
  ops.sub = row.sub;
  ops.object = &Codec<T>::object;
  ops.emplace = [](void* variant) -> void* {
    return &static_cast<U*>(variant)->template emplace<I>();
  };
  ops.get = [](const void* variant) -> const void* {
    return &std::get<I>(*static_cast<const U*>(variant));
  };
  ops.schema = [](SchemaBuilder& b) { return Codec<T>::schema(b); };
  return ops;
}

template <TaggedUnion U>
struct CasesOf {
  static constexpr auto kTable = parley_cases(Tag<U>{});
  static constexpr std::size_t kCount = std::tuple_size_v<decltype(kTable.rows)>;

  static constexpr auto kCases = []<std::size_t... I>(std::index_sequence<I...>) {
    static_assert((std::is_same_v<typename std::tuple_element_t<I, decltype(kTable.rows)>::Type,
                                  std::remove_cvref_t<decltype(std::get<I>(std::declval<U&>()))>> &&
                   ...),
                  "the cases of a union stand in the order of its variant");
    return std::array<CaseOps, kCount>{case_row<U, I>(std::get<I>(kTable.rows))...};
  }
  (std::make_index_sequence<kCount>{});

  static constexpr UnionOps kUnion{
      kTable.type_name,
      kTable.key,
      kTable.sub_key,
      kCases,
      [](void* variant) -> Unknown* {
        return &static_cast<U*>(variant)->template emplace<kCount>();
      },
      [](const void* variant) -> std::size_t { return static_cast<const U*>(variant)->index(); },
      [](const void* variant) -> const Unknown* {
        return std::get_if<kCount>(static_cast<const U*>(variant));
      }};
};

template <TaggedUnion U>
struct TableCodec<U> {
  static bool read(JsonReader& r, U& out, DecodeFailure& f) {
    return read_union(r, CasesOf<U>::kUnion, &out, f);
  }
  static void write(const U& v, std::string& out) { write_union(CasesOf<U>::kUnion, &v, out); }
  static Json schema(SchemaBuilder& b) { return union_schema(CasesOf<U>::kUnion, b); }
  static const ObjectOps* object() { return nullptr; }  // a union is no object of its own
};

}  // namespace detail

template <TaggedUnion U>
struct Codec<U> : detail::TableCodec<U> {};

/// In a .cpp file that includes the table: compiles the codec that PARLEY_CODEC declared.
#define PARLEY_DEFINE_CODEC(Type)                                                            \
  bool Codec<Type>::read(JsonReader& r, Type& out, detail::DecodeFailure& f) {               \
    return detail::TableCodec<Type>::read(r, out, f);                                        \
  }                                                                                          \
  void Codec<Type>::write(const Type& value, std::string& out) {                             \
    detail::TableCodec<Type>::write(value, out);                                             \
  }                                                                                          \
  Json Codec<Type>::schema(SchemaBuilder& b) { return detail::TableCodec<Type>::schema(b); } \
  const detail::ObjectOps* Codec<Type>::object() { return detail::TableCodec<Type>::object(); }

/// The JSON Schema of one type, definitions included.
template <class T>
[[nodiscard]] Json schema_of() {
  SchemaBuilder builder;
  Json root = Codec<T>::schema(builder);
  return builder.finish(std::move(root));
}

}  // namespace parley
