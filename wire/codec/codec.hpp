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
#include "decode.hpp"
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

/// What can be done with a member of one C++ type; shared by all fields of that type.
struct MemberOps {
  bool (*read)(JsonReader&, void* member, DecodeFailure&);
  void (*write)(const void* member, std::string& out);
  bool (*has_value)(const void* member);
  bool (*equal)(const void* member, const void* other);
  /// Makes it a fresh value again.
  void (*reset)(void* member);
  /// Whether the member still holds what `raw` decodes to.
  bool (*still)(const void* member, std::string_view raw);
  Json (*schema)(SchemaBuilder&);
};

struct FieldOps {
  std::string_view name;
  std::string_view alias;
  std::string_view description;
  Presence presence;
  std::size_t offset;
  void* (*at)(void* object);  ///< In place of the offset, if there is one.
  const MemberOps* member;

  [[nodiscard]] void* in(void* object) const {
    return at == nullptr ? static_cast<char*>(object) + offset : at(object);
  }
  [[nodiscard]] const void* in(const void* object) const { return in(const_cast<void*>(object)); }
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
  const void* (*defaults)();      ///< A value-initialised object; null if no field asks for it.
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
  void (*adopt)(void* variant, void* alternative);  ///< Moves the alternative in.
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
/// Member by member, and what else the objects carry.
bool equal_objects(const ObjectOps&, const void* a, const void* b);
bool equal_unions(const UnionOps&, const void* a, const void* b);
/// Makes the union hold an alternative, which is moved from.
void adopt(const UnionOps&, void* variant, std::size_t index, void* alternative);
Json object_schema(const ObjectOps&, SchemaBuilder&, const TagPair* tags = nullptr);
Json union_schema(const UnionOps&, SchemaBuilder&);

// ---- lists: one engine for all of them ----

using ReadFunction = bool (*)(JsonReader&, void* value, DecodeFailure&);
using WriteFunction = void (*)(const void* value, std::string& out);
using EqualFunction = bool (*)(const void* a, const void* b);

struct ListOps {
  void (*clear)(void* list);
  void* (*add)(void* list);  ///< A fresh item at the end.
  ReadFunction read;         ///< An item.
};

struct MapOps {
  void (*clear)(void* map);
  void* (*add)(void* map, std::string&& key);
  void (*fold)(void* map);  ///< Lets the last of equal keys count.
  ReadFunction read;
};

/// Items that lie one behind the other.
struct Items {
  const void* first;
  std::size_t count;
  std::size_t size;  ///< Of one, in bytes.

  [[nodiscard]] const void* operator[](std::size_t i) const {
    return static_cast<const char*>(first) + i * size;
  }
};

bool read_list(JsonReader&, const ListOps&, void* list, DecodeFailure&);
bool read_map(JsonReader&, const MapOps&, void* map, DecodeFailure&);
void write_list(Items, WriteFunction, std::string& out);
bool equal_lists(Items, Items, EqualFunction);
bool read_enum(JsonReader&, OpenEnum& out, EnumNames, DecodeFailure&);

template <class T>
bool read_as(JsonReader& r, void* value, DecodeFailure& f) {
  return Codec<T>::read(r, *static_cast<T*>(value), f);
}
template <class T>
void write_as(const void* value, std::string& out) {
  Codec<T>::write(*static_cast<const T*>(value), out);
}
template <class T>
bool equal_as(const void* a, const void* b);

}  // namespace detail

// Codec<T> says how one C++ type is read, written and described. Specialise it for a type of your
// own that is neither described by a table nor listed here.

// ---- plain values ------------------------------------------------------------------------------

template <>
struct Codec<std::string> {
  static bool read(JsonReader& r, std::string& out, detail::DecodeFailure& f) {
    return r.string(out) || f.from(r);
  }
  static void write(const std::string& v, std::string& out) { detail::write_string(v, out); }
  static Json schema(SchemaBuilder&) { return SchemaBuilder::of_type("string"); }
};

template <>
struct Codec<bool> {
  static bool read(JsonReader& r, bool& out, detail::DecodeFailure& f) {
    return r.boolean(out) || f.from(r);
  }
  static void write(bool v, std::string& out) { detail::write_bool(v, out); }
  static Json schema(SchemaBuilder&) { return SchemaBuilder::of_type("boolean"); }
};

template <>
struct Codec<std::int64_t> {
  static bool read(JsonReader& r, std::int64_t& out, detail::DecodeFailure& f);
  static void write(std::int64_t v, std::string& out) { detail::write_number(v, out); }
  static Json schema(SchemaBuilder&) { return SchemaBuilder::of_type("integer"); }
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
  static Json schema(SchemaBuilder&) { return SchemaBuilder::of_type("integer"); }
};

template <>
struct Codec<double> {
  static bool read(JsonReader& r, double& out, detail::DecodeFailure& f);
  static void write(double v, std::string& out) { detail::write_number(v, out); }
  static Json schema(SchemaBuilder&) { return SchemaBuilder::of_type("number"); }
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

template <class E>
struct Codec<Enum<E>> {
  static bool read(JsonReader& r, Enum<E>& out, detail::DecodeFailure& f) {
    return detail::read_enum(r, out, Enum<E>::names(), f);
  }
  static void write(const Enum<E>& v, std::string& out) { detail::write_string(v.text(), out); }
  static Json schema(SchemaBuilder&) { return SchemaBuilder::one_of(Enum<E>::names()); }
};

// ---- containers --------------------------------------------------------------------------------

template <class T>
struct Codec<std::vector<T>> {
  static bool read(JsonReader& r, std::vector<T>& out, detail::DecodeFailure& f) {
    static constexpr detail::ListOps kOps{
        [](void* list) { static_cast<std::vector<T>*>(list)->clear(); },
        [](void* list) -> void* { return &static_cast<std::vector<T>*>(list)->emplace_back(); },
        &detail::read_as<T>};
    return detail::read_list(r, kOps, &out, f);
  }
  static void write(const std::vector<T>& v, std::string& out) {
    detail::write_list({v.data(), v.size(), sizeof(T)}, &detail::write_as<T>, out);
  }
  static Json schema(SchemaBuilder& b) { return SchemaBuilder::list_of(Codec<T>::schema(b)); }
};

/// Packed, so that its items have no addresses.
template <>
struct Codec<std::vector<bool>> {
  static bool read(JsonReader& r, std::vector<bool>& out, detail::DecodeFailure& f);
  static void write(const std::vector<bool>& v, std::string& out);
  static Json schema(SchemaBuilder& b) { return SchemaBuilder::list_of(Codec<bool>::schema(b)); }
};

template <class T>
struct Codec<Map<T>> {
  static bool read(JsonReader& r, Map<T>& out, detail::DecodeFailure& f) {
    static constexpr detail::MapOps kOps{
        [](void* map) { static_cast<Map<T>*>(map)->entries.clear(); },
        [](void* map, std::string&& key) -> void* {
          return &static_cast<Map<T>*>(map)->entries.emplace_back(std::move(key), T{}).second;
        },
        [](void* map) { detail::fold_repeated_keys(static_cast<Map<T>*>(map)->entries); },
        &detail::read_as<T>};
    return detail::read_map(r, kOps, &out, f);
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
  static Json schema(SchemaBuilder& b) { return SchemaBuilder::map_of(Codec<T>::schema(b)); }
};

namespace detail {

/// What may be missing, as std::optional and Optional hold it: null stands for nothing.
template <class Holder, class T>
struct OptionalCodec {
  static bool read(JsonReader& r, Holder& out, DecodeFailure& f) {
    if (r.peek() == 'n') {
      out.reset();
      return r.null() || f.from(r);
    }
    return Codec<T>::read(r, out.emplace(), f);
  }
  static void write(const Holder& v, std::string& out) {
    if (v) {
      Codec<T>::write(*v, out);
    } else {
      out += "null";
    }
  }
  static Json schema(SchemaBuilder& b) { return SchemaBuilder::or_null(Codec<T>::schema(b)); }
};

}  // namespace detail

template <class T>
struct Codec<std::optional<T>> : detail::OptionalCodec<std::optional<T>, T> {};

template <class T>
struct Codec<Optional<T>> : detail::OptionalCodec<Optional<T>, T> {};

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
    Json any = Json::array();
    (any.push(Codec<T>::schema(b)), ...);
    return SchemaBuilder::any_of(std::move(any));
  }
};

// ---- structs with a table ----------------------------------------------------------------------

namespace detail {

/// Converts to anything: used to count how many initialisers an aggregate takes.
struct Anything {
  template <class T>
  operator T() const;
};

template <class T, std::size_t... I>
consteval bool takes(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), Anything{})...}; };
}

/// Whether T{...} takes so many initialisers and not one more.
template <class T, std::size_t kCount>
inline constexpr bool kHasMembers = takes<T>(std::make_index_sequence<kCount>{}) &&
                                    !takes<T>(std::make_index_sequence<kCount + 1>{});

template <class T>
inline constexpr bool kIsBox = false;
template <class T>
inline constexpr bool kIsBox<Box<T>> = true;
template <class T>
inline constexpr bool kIsMap = false;
template <class T>
inline constexpr bool kIsMap<Map<T>> = true;
template <class T>
inline constexpr bool kIsList = false;
template <class T>
inline constexpr bool kIsList<std::vector<T>> = !std::is_same_v<T, bool>;

/// As operator==, but structs with a codec of their own are compared by their tables: the compiler
/// then need not write a comparison for each of them.
template <class T>
bool equal(const T& a, const T& b) {
  if constexpr (kPresence<T> != Presence::required) {
    return a.has_value() == b.has_value() && (!a.has_value() || equal(*a, *b));
  } else if constexpr (kIsBox<T>) {
    return equal(*a, *b);
  } else if constexpr (kIsList<T>) {
    using Item = typename T::value_type;
    return equal_lists({a.data(), a.size(), sizeof(Item)}, {b.data(), b.size(), sizeof(Item)},
                       &equal_as<Item>);
  } else if constexpr (kIsMap<T>) {
    using Item = typename decltype(a.entries)::value_type;
    return equal_lists({a.entries.data(), a.size(), sizeof(Item)},
                       {b.entries.data(), b.size(), sizeof(Item)},
                       [](const void* x, const void* y) {
                         const Item& p = *static_cast<const Item*>(x);
                         const Item& q = *static_cast<const Item*>(y);
                         return p.first == q.first && equal(p.second, q.second);
                       });
  } else if constexpr (
      requires { Codec<T>::object(); } && !requires { typename T::variant; }) {
    return equal_objects(*Codec<T>::object(), &a, &b);
  } else {
    return a == b;
  }
}

template <class T>
bool equal_as(const void* a, const void* b) {
  return equal(*static_cast<const T*>(a), *static_cast<const T*>(b));
}

inline bool always(const void*) { return true; }

template <class M>
inline constexpr MemberOps kMemberOps{
    &read_as<M>,
    &write_as<M>,
    [] {
      if constexpr (kPresence<M> != Presence::required) {
        return [](const void* member) { return static_cast<const M*>(member)->has_value(); };
      } else {
        return &always;
      }
    }(),
    &equal_as<M>,
    [](void* member) {
      if constexpr (std::is_nothrow_default_constructible_v<M>) {
        std::destroy_at(static_cast<M*>(member));
        std::construct_at(static_cast<M*>(member));
      } else {
        *static_cast<M*>(member) = M{};
      }
    },
    [](const void* member, std::string_view raw) {
      M then{};
      JsonReader r(raw);
      DecodeFailure ignored;
      return read_as<M>(r, &then, ignored) && equal_as<M>(&then, member);
    },
    [](SchemaBuilder& b) { return Codec<M>::schema(b); }};

template <class M>
constexpr const MemberOps* member_ops() {
  return &kMemberOps<M>;
}

constexpr FieldOps to_ops(const Field& row) {
  return {row.name, row.other_name, row.description, row.presence, row.offset, row.at, row.ops()};
}

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
      return kHasMembers<T, kCount - TableOf<Base>::kCount + 1>;
    } else {
      return kHasMembers<T, kCount + (kHasExtra ? 1 : 0)>;
    }
  }
  static_assert(kCount <= kMaxFields);
  static_assert(complete(),
                "the field table does not name every member of the struct, or names one twice");

  static constexpr auto kFields = [] {
    std::array<FieldOps, kCount> fields{};
    if constexpr (std::is_same_v<Rows, std::array<Field, kCount>>) {
      for (std::size_t i = 0; i < kCount; ++i) fields[i] = to_ops(kTable.rows[i]);
    } else {
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        ((
             fields[I] = to_ops(std::get<I>(kTable.rows).row),
             fields[I].at = [](void* object) -> void* {
               return &(static_cast<T*>(object)->*std::get<I>(kTable.rows).member);
             }),
         ...);
      }
      (std::make_index_sequence<kCount>{});
    }
    return fields;
  }();

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
      set.set(i, kFields[i].presence == Presence::required ||
                     kFields[i].presence == Presence::nullable);
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

  static constexpr bool kHasLenient = [] {
    for (const FieldOps& field : kFields) {
      if (field.presence == Presence::lenient) return true;
    }
    return false;
  }();
  static constexpr auto kDefaults = []() -> const void* (*)() {
    if constexpr (kHasLenient) {
      return []() -> const void* {
        static const T value{};
        return &value;
      };
    } else {
      return nullptr;
    }
  }();

  static constexpr ObjectOps kObject{kTable.type_name, kFields, kSignatures.data(), order.data(),
                                     kNoticed,         kExtra,  kDefaults};
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
    return std::get_if<I>(static_cast<const U*>(variant));
  };
  ops.adopt = [](void* variant, void* alternative) {
    static_cast<U*>(variant)->template emplace<I>(std::move(*static_cast<T*>(alternative)));
  };
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

/// In a .cpp file that includes the cases: compiles what PARLEY_UNION declared. What follows the
/// type is what a fresh one holds; else it is the first alternative. Assigning is destroying and
/// making anew, so that the alternatives need no assignments of their own.
#define PARLEY_DEFINE_UNION(Type, ...)                                      \
  Type::Type() : variant(__VA_ARGS__) {}                                    \
  Type::Type(const Type&) = default;                                        \
  Type::Type(Type&&) noexcept = default;                                    \
  Type& Type::operator=(const Type& other) { return *this = Type(other); }  \
  Type& Type::operator=(Type&& other) noexcept {                            \
    if (this != &other) {                                                   \
      std::destroy_at(this);                                                \
      std::construct_at(this, std::move(other));                            \
    }                                                                       \
    return *this;                                                           \
  }                                                                         \
  Type::~Type() = default;                                                  \
  void Type::adopt(std::size_t index, void* alternative) {                  \
    detail::adopt(detail::CasesOf<Type>::kUnion, this, index, alternative); \
  }                                                                         \
  bool operator==(const Type& a, const Type& b) {                           \
    return detail::equal_unions(detail::CasesOf<Type>::kUnion, &a, &b);     \
  }

/// The JSON Schema of one type, definitions included.
template <class T>
[[nodiscard]] Json schema_of() {
  SchemaBuilder builder;
  Json root = Codec<T>::schema(builder);
  return builder.finish(std::move(root));
}

}  // namespace parley
