#include "codec.hpp"

#include <algorithm>
#include <cstring>

namespace parley {

namespace detail {

bool DecodeFailure::in_member(std::string_view name) {
  // A path is for people; the peer chooses the names and may choose a megabyte.
  constexpr std::size_t kLongest = 100;
  std::string longer =
      name.size() <= kLongest ? std::string(name) : to_utf8(name.substr(0, kLongest)) + "...";
  // A null would end the text of the error, and a terminal obeys others.
  std::replace_if(
      longer.begin(), longer.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, '?');
  if (!path.empty() && path.front() != '[') longer += '.';
  path = longer + path;
  return false;
}

bool DecodeFailure::in_item(std::size_t index) {
  std::string longer = "[" + std::to_string(index) + "]";
  if (!path.empty() && path.front() != '[') longer += '.';
  path = longer + path;
  return false;
}

namespace {

Error decode_error(const JsonReader& reader, DecodeFailure&& failure, std::string_view text) {
  JsonReader whole(text);
  std::string_view raw;
  const bool is_json =
      whole.skip(raw) && (whole.at_end() || whole.fail("unexpected text after the value"));
  // A reader failure means the bytes or a value's kind were wrong at one place; anything else
  // (a missing member) has no single byte to point at, and says nothing about a broken text.
  const bool has_place = reader.failed();
  if (!has_place && !is_json) {
    return Error(ErrorCode::malformed,
                 std::string(whole.why()) + " at byte " + std::to_string(whole.fail_offset()));
  }
  if (has_place) failure.message += " at byte " + std::to_string(reader.fail_offset());
  return Error(is_json ? ErrorCode::unexpected : ErrorCode::malformed, std::move(failure.message),
               std::move(failure.path));
}

}  // namespace

Result<void> decode_with(bool (*read)(JsonReader&, void*, DecodeFailure&), void* out,
                         std::string_view text) {
  JsonReader reader(text);
  DecodeFailure failure;
  if (!read(reader, out, failure) ||
      (!reader.at_end() && !reader.fail("unexpected text after the value") &&
       !failure.from(reader))) {
    return decode_error(reader, std::move(failure), text);
  }
  return {};
}

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

/// Equality of short names, without a call.
inline bool same_name(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  const char* p = a.data();
  const char* q = b.data();
  std::size_t left = a.size();
  while (left >= 8) {
    std::uint64_t x;
    std::uint64_t y;
    std::memcpy(&x, p, 8);
    std::memcpy(&y, q, 8);
    if (x != y) return false;
    p += 8;
    q += 8;
    left -= 8;
  }
  for (; left > 0; --left) {
    if (*p++ != *q++) return false;
  }
  return true;
}

/// The field called `key`.
std::size_t find_field(const ObjectOps& ops, std::string_view key) {
  const std::span<const FieldOps> fields = ops.fields;
  const std::uint8_t signature = name_signature(key);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (ops.signatures[i] == signature && same_name(fields[i].name, key)) return i;
  }
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (!fields[i].alias.empty() && fields[i].alias == key) return i;
  }
  return kNone;
}

/// A key, and the same without escapes if it has any.
struct Key {
  std::string_view wire;
  std::string_view plain;
  std::string buffer;

  bool read(JsonReader& r, DecodeFailure& f) {
    bool escaped = false;
    if (r.peek() != '"') return (r.fail("expected a key"), f.from(r));
    // A local, because copying a member that was just stored in halves stalls the processor.
    std::string_view inside;
    if (!r.string_span(inside, escaped)) return f.from(r);
    if (!r.eat(':')) return (r.fail("expected ':'"), f.from(r));
    wire = inside;
    plain = inside;
    if (escaped) {
      JsonReader::unescape(wire, buffer);
      plain = buffer;
    }
    return true;
  }
};

/// A short string value: a view into the text, or into `buffer` if it has escapes.
bool read_word(JsonReader& r, std::string_view& word, std::string& buffer) {
  bool escaped = false;
  if (!r.string_span(word, escaped)) return false;
  if (escaped) {
    JsonReader::unescape(word, buffer);
    word = buffer;
  }
  return true;
}

/// After repeated members: of the spellings of one field only the last may stay, and only if the
/// last occurrence had one. Once per object, because once per member costs the square of a hostile
/// one.
void drop_old_spellings(Extra& extra, const ObjectOps& ops, FieldSet spelled) {
  auto& members = extra.members;
  const auto kept = std::remove_if(members.rbegin(), members.rend(), [&](const Extra::Member& m) {
    if (!m.spelling) return false;
    const std::size_t i = find_field(ops, m.key);
    const bool stays = spelled.test(i);
    spelled.set(i, false);
    return !stays;
  });
  members.erase(members.begin(), kept.base());
}

bool holds_default(const ObjectOps& ops, const FieldOps& field, const void* object) {
  return field.member->equal(field.in(object), field.in(ops.defaults()));
}

/// Whether the member is still what was read. An empty text: it was missing, and reads as null.
bool still_holds(const FieldOps& field, const void* object, std::string_view text) {
  const void* member = field.in(object);
  return text.empty() ? !field.member->has_value(member) : field.member->still(member, text);
}

const Extra::Member* find_spelling(const Extra& extra, const FieldOps& field) {
  for (const Extra::Member& m : extra.members) {
    if (m.spelling && (m.key == field.name || (!field.alias.empty() && m.key == field.alias))) {
      return &m;
    }
  }
  return nullptr;
}

}  // namespace

bool read_object(JsonReader& r, const ObjectOps& ops, void* object, DecodeFailure& f,
                 const TagPair* tags, bool opened) {
  Extra* extra = ops.extra == nullptr ? nullptr : ops.extra(object);
  const bool outer_inexact = r.inexact();
  bool lossy = false;  // something could not be kept because the type has no `extra`
  FieldSet seen;
  FieldSet spelled;   // the last occurrence left its bytes in `extra`
  FieldSet by_alias;  // first seen under the other name
  bool repeated = false;
  std::size_t last = 0;  // the field before, shifted by one
  Key name;
  const auto keep_unknown = [&] {
    std::string_view raw;
    if (!r.skip(raw)) return (f.from(r), f.in_member(name.plain));
    if (extra != nullptr) {
      extra->members.push_back({std::string(name.wire), RawJson(std::string(raw)), false});
    } else {
      lossy = true;
    }
    return true;
  };

  if (!opened && !r.eat('{')) return (r.fail("expected object"), f.from(r));
  if (!r.enter()) return f.from(r);
  bool more = opened ? r.eat(',') : r.peek() != '}';
  if (more) {
    do {
      std::size_t i = ops.order[last].load(std::memory_order_relaxed);
      const bool as_before = i < ops.fields.size() && r.eat_key(ops.fields[i].name);
      if (as_before) {
        name.wire = name.plain = ops.fields[i].name;
      } else if (!name.read(r, f)) {
        return false;
      }
      const std::string_view key = name.plain;
      r.peek();
      const char* from = r.position();

      if (!as_before && tags != nullptr &&
          (same_name(key, tags->key) || (!tags->sub_value.empty() && key == tags->sub_key))) {
        // The choice was made by this member; another value would contradict it.
        std::string_view value;
        std::string buffer;
        if (!read_word(r, value, buffer)) return (f.from(r), f.in_member(key));
        if (value != (key == tags->key ? tags->value : tags->sub_value)) {
          f.set("appears twice with different values");
          return f.in_member(key);
        }
        continue;
      }
      if (!as_before) {
        i = find_field(ops, key);
        if (i == kNone) {
          if (!keep_unknown()) return false;
          continue;
        }
        ops.order[last].store(static_cast<std::uint8_t>(i), std::memory_order_relaxed);
      }
      const FieldOps& field = ops.fields[i];
      last = i + 1;
      const bool other_name = !field.alias.empty() && key == field.alias;
      if (seen.test_and_set(i)) {
        if (other_name != by_alias.test(i)) {
          // Both names in one object: the first is the typed member, the other is kept as it is.
          if (!keep_unknown()) return false;
          continue;
        }
        field.member->reset(field.in(object));
        repeated = true;
      } else if (other_name) {
        by_alias.set(i, true);
      }
      bool keep_bytes = other_name;
      if (field.presence == Presence::optional && r.peek() == 'n') {
        if (!r.null()) return (f.from(r), f.in_member(key));
        keep_bytes = true;
      } else {
        r.set_inexact(false);
        if (!field.member->read(r, field.in(object), f)) return f.in_member(key);
        keep_bytes |= r.inexact();
        // A lenient member is left out when it holds its default; this one was not.
        if (field.presence == Presence::lenient) keep_bytes |= holds_default(ops, field, object);
      }
      if (keep_bytes || repeated) spelled.set(i, keep_bytes);
      if (keep_bytes) {
        if (extra != nullptr) {
          extra->members.push_back(
              {std::string(key), RawJson(std::string(from, r.position())), true});
        } else {
          lossy = true;
        }
      }
    } while (r.eat(','));
  }
  if (!r.eat('}')) return (r.fail("expected ',' or '}'"), f.from(r));
  r.leave();
  if (repeated && extra != nullptr) drop_old_spellings(*extra, ops, spelled);
  for (std::size_t i = 0; !seen.has_all_of(ops.noticed) && i < ops.fields.size(); ++i) {
    const FieldOps& field = ops.fields[i];
    if (seen.test_and_set(i)) continue;
    if (field.presence == Presence::required) {
      f.set("missing");
      return f.in_member(field.name);
    }
    if (field.presence == Presence::nullable) {
      if (extra != nullptr) {
        extra->members.push_back({std::string(field.name), RawJson(std::string()), true});
      } else {
        lossy = true;
      }
    }
  }
  // With `extra`, the object by itself gives the same JSON back, whatever was inside.
  r.set_inexact(outer_inexact || lossy);
  return true;
}

void write_object(const ObjectOps& ops, const void* object, std::string& out, const TagPair* tags) {
  const Extra* extra = ops.extra == nullptr ? nullptr : ops.extra(const_cast<void*>(object));
  if (extra != nullptr && extra->members.empty()) extra = nullptr;
  char separator = '{';
  const auto key = [&](std::string_view name) {
    out += separator;
    out += '"';
    out += name;  // names of tables need no escapes
    out += "\":";
    separator = ',';
  };
  if (tags != nullptr) {
    key(tags->key);
    write_string(tags->value, out);
    if (!tags->sub_value.empty()) {
      key(tags->sub_key);
      write_string(tags->sub_value, out);
    }
  }
  for (const FieldOps& field : ops.fields) {
    if (extra != nullptr) {
      const Extra::Member* spelling = find_spelling(*extra, field);
      if (spelling != nullptr && still_holds(field, object, spelling->value.text)) {
        if (spelling->value.text.empty()) continue;
        key(spelling->key);
        out += spelling->value.text;
        continue;
      }
    }
    if (field.presence == Presence::optional && !field.member->has_value(field.in(object))) {
      continue;
    }
    if (field.presence == Presence::lenient && holds_default(ops, field, object)) continue;
    key(field.name);
    field.member->write(field.in(object), out);
  }
  if (extra != nullptr) {
    for (const Extra::Member& member : extra->members) {
      if (member.spelling) continue;
      key(member.key);
      out += member.value.text;
    }
  }
  if (separator == '{') out += '{';
  out += '}';
}

namespace {

/// The discriminators of the object at the cursor. They may stand anywhere in it.
struct Discriminators {
  std::string_view name, sub;
  std::string name_buffer, sub_buffer;
  /// They were the first members and the cursor stands behind them; else it is at the beginning.
  bool in_front = true;

  /// `thorough` looks for the second one also where the first does not call for it.
  bool find(JsonReader& r, const UnionOps& ops, DecodeFailure& f, bool thorough = false) {
    if (r.peek() != '{') return (r.fail("expected object"), f.from(r));
    const char* start = r.position();
    bool need_name = true;
    bool need_sub = !ops.sub_key.empty();
    Key key;
    std::string_view raw;
    r.eat('{');
    if (r.peek() != '}') {
      do {
        if (!key.read(r, f)) return false;
        if (need_name && same_name(key.plain, ops.key) && r.peek() == '"') {
          if (!read_word(r, name, name_buffer)) return f.from(r);
          need_name = false;
          // Most types have no second discriminator; do not read on for one.
          need_sub = need_sub && (thorough || has_sub(ops));
        } else if (need_sub && same_name(key.plain, ops.sub_key) && r.peek() == '"') {
          if (!read_word(r, sub, sub_buffer)) return f.from(r);
          need_sub = false;
          if (need_name) in_front = false;  // whether this type has one is not known yet
        } else {
          in_front = false;
          if (!r.skip(raw)) return (f.from(r), f.in_member(key.plain));
        }
        if (!need_name && !need_sub) break;
      } while (r.eat(','));
    }
    if (need_name || !in_front) {
      in_front = false;
      r.rewind(start);
    }
    return true;
  }

 private:
  [[nodiscard]] bool has_sub(const UnionOps& ops) const {
    for (const CaseOps& c : ops.cases) {
      if (same_name(c.name, name)) return !c.sub.empty();
    }
    return false;
  }
};

}  // namespace

bool read_union(JsonReader& r, const UnionOps& ops, void* variant, DecodeFailure& f) {
  r.peek();
  const char* start = r.position();
  Discriminators tags;
  if (!tags.find(r, ops, f)) return false;
  for (const CaseOps& c : ops.cases) {
    if (!same_name(c.name, tags.name) || (!c.sub.empty() && c.sub != tags.sub)) continue;
    const TagPair pair{ops.key, c.name, ops.sub_key, c.sub};
    return read_object(r, *c.object(), c.emplace(variant), f, &pair, tags.in_front);
  }
  r.rewind(start);
  Discriminators all;
  if (!all.find(r, ops, f, true)) return false;
  r.rewind(start);
  std::string_view raw;
  if (!r.skip(raw)) return f.from(r);
  Unknown& unknown = *ops.emplace_unknown(variant);
  unknown.type = all.name;
  unknown.subtype = all.sub;
  unknown.raw.text.assign(raw);
  return true;
}

void write_union(const UnionOps& ops, const void* variant, std::string& out) {
  const std::size_t index = ops.index(variant);
  if (index >= ops.cases.size()) {
    out += ops.get_unknown(variant)->raw.text;
    return;
  }
  const CaseOps& c = ops.cases[index];
  const TagPair tags{ops.key, c.name, ops.sub_key, c.sub};
  write_object(*c.object(), c.get(variant), out, &tags);
}

bool equal_objects(const ObjectOps& ops, const void* a, const void* b) {
  for (const FieldOps& field : ops.fields) {
    if (!field.member->equal(field.in(a), field.in(b))) return false;
  }
  return ops.extra == nullptr ||
         *ops.extra(const_cast<void*>(a)) == *ops.extra(const_cast<void*>(b));
}

bool equal_unions(const UnionOps& ops, const void* a, const void* b) {
  const std::size_t index = ops.index(a);
  if (index != ops.index(b)) return false;
  if (index >= ops.cases.size()) return *ops.get_unknown(a) == *ops.get_unknown(b);
  const CaseOps& c = ops.cases[index];
  return equal_objects(*c.object(), c.get(a), c.get(b));
}

void adopt(const UnionOps& ops, void* variant, std::size_t index, void* alternative) {
  if (index < ops.cases.size()) {
    ops.cases[index].adopt(variant, alternative);
  } else {
    *ops.emplace_unknown(variant) = std::move(*static_cast<Unknown*>(alternative));
  }
}

bool read_list(JsonReader& r, const ListOps& ops, void* list, DecodeFailure& f) {
  ops.clear(list);
  if (!r.eat('[')) return (r.fail("expected array"), f.from(r));
  if (!r.enter()) return f.from(r);
  if (!r.eat(']')) {
    std::size_t index = 0;
    do {
      if (!ops.read(r, ops.add(list), f)) return f.in_item(index);
      ++index;
    } while (r.eat(','));
    if (!r.eat(']')) return (r.fail("expected ',' or ']'"), f.from(r));
  }
  r.leave();
  return true;
}

bool read_map(JsonReader& r, const MapOps& ops, void* map, DecodeFailure& f) {
  ops.clear(map);
  if (!r.eat('{')) return (r.fail("expected object"), f.from(r));
  if (!r.enter()) return f.from(r);
  if (!r.eat('}')) {
    std::string key;
    do {
      if (r.peek() != '"') return (r.fail("expected a key"), f.from(r));
      if (!r.string(key)) return f.from(r);
      if (!r.eat(':')) return (r.fail("expected ':'"), f.from(r));
      if (!ops.read(r, ops.add(map, std::string(key)), f)) return f.in_member(key);
    } while (r.eat(','));
    if (!r.eat('}')) return (r.fail("expected ',' or '}'"), f.from(r));
  }
  r.leave();
  ops.fold(map);
  return true;
}

void write_list(Items items, WriteFunction write, std::string& out) {
  out += '[';
  for (std::size_t i = 0; i < items.count; ++i) {
    if (i > 0) out += ',';
    write(items[i], out);
  }
  out += ']';
}

bool equal_lists(Items a, Items b, EqualFunction equal) {
  if (a.count != b.count) return false;
  for (std::size_t i = 0; i < a.count; ++i) {
    if (!equal(a[i], b[i])) return false;
  }
  return true;
}

OpenEnum::OpenEnum(std::string_view text, EnumNames names) {
  for (const std::string_view name : names) {
    if (name == text) return;
    ++index_;
  }
  index_ = -1;
  other_ = text;
}

bool read_enum(JsonReader& r, OpenEnum& out, EnumNames names, DecodeFailure& f) {
  std::string_view inside;
  bool escaped = false;
  if (!r.string_span(inside, escaped)) return f.from(r);
  if (!escaped) {
    out = OpenEnum(inside, names);
    return true;
  }
  std::string text;
  if (!JsonReader::unescape(inside, text)) r.set_inexact(true);
  out = OpenEnum(text, names);
  return true;
}

Json object_schema(const ObjectOps& ops, SchemaBuilder& builder, const TagPair* tags) {
  const auto make = [&] {
    Json properties = Json::object();
    Json required = Json::array();
    for (const FieldOps& field : ops.fields) {
      Json schema = field.member->schema(builder);
      if (!field.description.empty()) schema.set("description", field.description);
      properties.set(field.name, std::move(schema));
      if (field.presence == Presence::required) required.push(field.name);
    }
    Json schema = Json::object({{"type", "object"}, {"properties", std::move(properties)}});
    if (!required.items().empty()) schema.set("required", std::move(required));
    return schema;
  };
  Json reference = builder.define(ops.type_name, make);
  if (tags == nullptr) return reference;
  // The discriminators belong to the place, not to the type: one struct may serve in two unions.
  Json properties = Json::object();
  Json required = Json::array();
  const auto tag = [&](std::string_view key, std::string_view value) {
    properties.set(key, Json::object({{"const", value}}));
    required.push(key);
  };
  tag(tags->key, tags->value);
  if (!tags->sub_value.empty()) tag(tags->sub_key, tags->sub_value);
  reference.set("properties", std::move(properties)).set("required", std::move(required));
  return reference;
}

Json union_schema(const UnionOps& ops, SchemaBuilder& builder) {
  return builder.define(ops.type_name, [&] {
    Json any = Json::array();
    for (const CaseOps& c : ops.cases) {
      const TagPair tags{ops.key, c.name, ops.sub_key, c.sub};
      any.push(object_schema(*c.object(), builder, &tags));
    }
    return Json::object({{"anyOf", std::move(any)}});
  });
}

}  // namespace detail

bool Codec<std::int64_t>::read(JsonReader& r, std::int64_t& out, detail::DecodeFailure& f) {
  std::string_view text;
  if (!r.number(text)) return f.from(r);
  const detail::Integer number = detail::to_int64(text);
  out = number.value;
  if (!number.exact) r.set_inexact(true);
  return true;
}

bool Codec<double>::read(JsonReader& r, double& out, detail::DecodeFailure& f) {
  std::string_view text;
  if (!r.number(text)) return f.from(r);
  out = detail::to_double(text);
  std::string again;
  detail::write_number(out, again);
  if (again != text) r.set_inexact(true);
  return true;
}

bool Codec<Json>::read(JsonReader& r, Json& out, detail::DecodeFailure& f) {
  return Json::read(r, out) || f.from(r);
}

Json SchemaBuilder::define(std::string_view name, const std::function<Json()>& make) {
  std::string id(name);
  // "control::Interrupt" -> "control.Interrupt"
  for (std::size_t at = id.find("::"); at != std::string::npos; at = id.find("::")) {
    id.replace(at, 2, ".");
  }
  if (definitions_.find(id) == nullptr) {
    definitions_.set(id, Json::object());
    Json made = make();
    definitions_.set(id, std::move(made));
  }
  return Json::object({{"$ref", "#/$defs/" + id}});
}

Json SchemaBuilder::finish(Json root) {
  auto& members = definitions_.members();
  std::sort(members.begin(), members.end(),
            [](const Json::Member& a, const Json::Member& b) { return a.first < b.first; });
  if (!members.empty()) root.set("$defs", definitions_);
  return root;
}

Json SchemaBuilder::or_null(Json schema) {
  return Json::object(
      {{"anyOf", Json::array({std::move(schema), Json::object({{"type", "null"}})})}});
}

Json SchemaBuilder::of_type(std::string_view type) { return Json::object({{"type", type}}); }

Json SchemaBuilder::one_of(detail::EnumNames names) {
  Json known = Json::array();
  for (const std::string_view name : names) known.push(name);
  return Json::object({{"type", "string"}, {"examples", known}});
}

Json SchemaBuilder::list_of(Json items) {
  return Json::object({{"type", "array"}, {"items", std::move(items)}});
}

Json SchemaBuilder::map_of(Json values) {
  return Json::object({{"type", "object"}, {"additionalProperties", std::move(values)}});
}

Json SchemaBuilder::any_of(Json schemas) { return Json::object({{"anyOf", std::move(schemas)}}); }

bool Codec<std::vector<bool>>::read(JsonReader& r, std::vector<bool>& out,
                                    detail::DecodeFailure& f) {
  std::vector<char> items;
  static constexpr detail::ListOps kOps{
      [](void* list) { static_cast<std::vector<char>*>(list)->clear(); },
      [](void* list) -> void* { return &static_cast<std::vector<char>*>(list)->emplace_back(); },
      [](JsonReader& reader, void* item, detail::DecodeFailure& failure) {
        bool value = false;
        if (!Codec<bool>::read(reader, value, failure)) return false;
        *static_cast<char*>(item) = value ? 1 : 0;
        return true;
      }};
  if (!detail::read_list(r, kOps, &items, f)) return false;
  out.assign(items.begin(), items.end());
  return true;
}

void Codec<std::vector<bool>>::write(const std::vector<bool>& v, std::string& out) {
  const std::vector<char> items(v.begin(), v.end());
  detail::write_list(
      {items.data(), items.size(), 1},
      [](const void* item, std::string& to) {
        detail::write_bool(*static_cast<const char*>(item) != 0, to);
      },
      out);
}

}  // namespace parley
