// Small types that between them use everything the codec can do. The codec's tests and its fuzzer
// work on these, so that they say nothing about the protocol and do not change with it.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "wire/codec/codec.hpp"

namespace parley::sample {

PARLEY_ENUM(Color, red, green, default_)

enum class Mode : std::int16_t { accept_edits, plan_only };
PARLEY_ENUM_TEXTS(Mode, "accept-edits, plan only")

struct Leaf {
  std::string id;
  std::optional<std::int64_t> count;
  Extra extra;
  bool operator==(const Leaf&) const = default;
};
PARLEY_FIELDS(Leaf, id, count)

/// No `extra`: what it does not know is kept by whoever holds it.
struct Point {
  std::int64_t x = 0;
  std::optional<std::int64_t> y;
  Nullable<std::string> note;
  bool operator==(const Point&) const = default;
};
PARLEY_FIELDS(Point, x, y, note)

/// One optional member of each kind.
struct Kinds {
  std::optional<std::string> text;
  std::optional<std::int64_t> number;
  std::optional<std::int32_t> small;
  std::optional<double> ratio;
  std::optional<bool> flag;
  std::optional<Enum<Color>> color;
  std::optional<Enum<Mode>> mode;
  std::optional<RawJson> raw;
  std::optional<Json> tree;
  std::optional<std::vector<Leaf>> list;
  std::optional<std::vector<double>> ratios;
  std::optional<Map<std::int64_t>> map;
  std::optional<Leaf> leaf;
  std::optional<Point> point;
  std::optional<std::variant<std::string, std::vector<Leaf>>> either;
  std::optional<std::variant<bool, std::int64_t, std::string, Map<std::int64_t>, RawJson>> any;
  Extra extra;
  bool operator==(const Kinds&) const = default;
};
PARLEY_FIELDS(Kinds, text, number, small, ratio, flag, color, mode, raw, tree, list, ratios, map,
              leaf, point, either, any)

/// Each way in which a member can be there or not.
struct Presences {
  std::string required;
  std::optional<std::string> optional;
  Nullable<std::string> nullable;
  std::string lenient;
  std::string lenient_default = "user";
  std::optional<bool> is_error;
  std::string continue_;
  Extra extra;
  bool operator==(const Presences&) const = default;
};
constexpr auto parley_fields(Tag<Presences>) {
  using T = Presences;
  return make_table<T>("Presences", field("required", &T::required).doc("Must be there."),
                       field("optional", &T::optional), field("nullable", &T::nullable),
                       field("lenient", &T::lenient).lenient(),
                       field("lenient_default", &T::lenient_default).lenient(),
                       field("is_error", &T::is_error).alias("isError"),
                       field("continue", &T::continue_).lenient());
}

/// Recursive by a list and by a box.
struct Tree {
  std::string name;
  std::optional<std::vector<Tree>> children;
  std::optional<Box<Tree>> next;
  Extra extra;
  bool operator==(const Tree&) const = default;
};
PARLEY_FIELDS(Tree, name, children, next)

struct Header {
  std::optional<std::string> uuid;
  std::string session;
  Extra extra;
  bool operator==(const Header&) const = default;
};
PARLEY_FIELDS(Header, uuid, session)

// A union with one discriminator, and one that for some values needs a second.

struct Circle {
  double radius = 0;
  Extra extra;
  bool operator==(const Circle&) const = default;
};
PARLEY_FIELDS(Circle, radius)
struct Square {
  std::int64_t side = 0;
  std::optional<Leaf> label;
  Extra extra;
  bool operator==(const Square&) const = default;
};
PARLEY_FIELDS(Square, side, label)
struct Shape : std::variant<Circle, Square, Unknown> {
  using variant::variant;
};
constexpr auto parley_cases(Tag<Shape>) {
  return make_cases<Shape>("Shape", "type", "", on<Circle>("circle"), on<Square>("square"));
}

struct Started : Header {
  std::int64_t pid = 0;
  bool operator==(const Started&) const = default;
};
PARLEY_FIELDS_WITH_BASE(Started, Header, pid)
struct Status : Header {
  Nullable<std::string> status;
  bool operator==(const Status&) const = default;
};
PARLEY_FIELDS_WITH_BASE(Status, Header, status)
struct Drawing : Header {
  std::vector<Shape> shapes;
  bool operator==(const Drawing&) const = default;
};
PARLEY_FIELDS_WITH_BASE(Drawing, Header, shapes)
struct Event : std::variant<Started, Status, Drawing, Unknown> {
  using variant::variant;
};
constexpr auto parley_cases(Tag<Event>) {
  return make_cases<Event>("Event", "type", "subtype", on<Started>("system", "started"),
                           on<Status>("system", "status"), on<Drawing>("drawing"));
}

}  // namespace parley::sample
