#include "codec.hpp"

#include <algorithm>

namespace parley {

namespace detail {

bool DecodeFailure::in_member(std::string_view name) {
  std::string longer(name);
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

Error decode_error(const JsonReader& reader, DecodeFailure&& failure, std::string_view text) {
  // A reader failure means the bytes or a value's kind were wrong at one place; anything else
  // (a missing member) has no single byte to point at.
  if (!reader.failed()) {
    return Error(ErrorCode::kUnexpected, std::move(failure.message), std::move(failure.path));
  }
  JsonReader whole(text);
  std::string_view raw;
  const bool is_json = whole.skip(raw) && whole.at_end();
  failure.message += " at byte " + std::to_string(reader.fail_offset());
  return Error(is_json ? ErrorCode::kUnexpected : ErrorCode::kMalformed,
               std::move(failure.message), std::move(failure.path));
}

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

/// The field called `key`. Peers write members in a stable order, so the one after the last hit is
/// tried first.
std::size_t find_field(std::span<const FieldOps> fields, std::string_view key, std::size_t hint) {
  if (hint < fields.size() && fields[hint].name == key) return hint;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].name == key) return i;
  }
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (!fields[i].alias.empty() && fields[i].alias == key) return i;
  }
  return kNone;
}

/// A set of field numbers: a word for nearly every type, more for the few large ones.
class FieldSet {
 public:
  bool test_and_set(std::size_t i) {
    std::uint64_t& word = words_[i / 64];
    const std::uint64_t bit = std::uint64_t{1} << (i % 64);
    const bool was = (word & bit) != 0;
    word |= bit;
    return was;
  }
  [[nodiscard]] bool test(std::size_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }

 private:
  std::array<std::uint64_t, 2> words_{};
};

void forget_spelling(Extra& extra, const FieldOps& field) {
  std::erase_if(extra.members, [&](const Extra::Member& m) {
    return m.spelling && (m.key == field.name || m.key == field.alias);
  });
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
                 const TagPair* tags) {
  Extra* extra = ops.extra == nullptr ? nullptr : ops.extra(object);
  const bool outer_inexact = r.inexact();
  bool lossy = false;  // something could not be kept because the type has no `extra`
  FieldSet seen;
  std::size_t next = 0;
  std::string unescaped;

  if (!r.eat('{')) return (r.fail("expected object"), f.from(r));
  if (!r.enter()) return f.from(r);
  if (!r.eat('}')) {
    do {
      std::string_view wire_key;
      bool escaped = false;
      if (r.peek() != '"') return (r.fail("expected a key"), f.from(r));
      if (!r.string_span(wire_key, escaped)) return f.from(r);
      if (!r.eat(':')) return (r.fail("expected ':'"), f.from(r));
      std::string_view key = wire_key;
      if (escaped) {
        JsonReader::unescape(wire_key, unescaped);
        key = unescaped;
      }
      r.peek();
      const char* from = r.position();
      std::string_view raw;

      if (tags != nullptr && (key == tags->key || (!tags->sub_value.empty() && key == tags->sub_key))) {
        // Chosen by; a second, different value would contradict the choice.
        std::string value;
        if (!r.string(value)) return (f.from(r), f.in_member(key));
        if (value != (key == tags->key ? tags->value : tags->sub_value)) {
          f.set("appears twice with different values");
          return f.in_member(key);
        }
        continue;
      }
      const std::size_t i = find_field(ops.fields, key, next);
      if (i == kNone) {
        if (!r.skip(raw)) return (f.from(r), f.in_member(key));
        if (extra != nullptr) {
          extra->members.push_back({std::string(wire_key), RawJson(std::string(raw)), false});
        } else {
          lossy = true;
        }
        continue;
      }
      const FieldOps& field = ops.fields[i];
      next = i + 1;
      if (seen.test_and_set(i)) {
        field.reset(object);
        if (extra != nullptr) forget_spelling(*extra, field);
      }
      bool keep_bytes = !field.alias.empty() && key == field.alias;
      if (field.presence == Presence::kOptional && r.peek() == 'n') {
        if (!r.null()) return (f.from(r), f.in_member(key));
        keep_bytes = true;
      } else {
        r.set_inexact(false);
        if (!field.read(r, object, f)) return f.in_member(key);
        keep_bytes |= r.inexact();
      }
      if (keep_bytes) {
        if (extra != nullptr) {
          raw = {from, static_cast<std::size_t>(r.position() - from)};
          extra->members.push_back({std::string(key), RawJson(std::string(raw)), true});
        } else {
          lossy = true;
        }
      }
    } while (r.eat(','));
    if (!r.eat('}')) return (r.fail("expected ',' or '}'"), f.from(r));
  }
  r.leave();
  // With `extra`, the object by itself gives the same JSON back, whatever was inside.
  r.set_inexact(outer_inexact || lossy);

  for (std::size_t i = 0; i < ops.fields.size(); ++i) {
    const FieldOps& field = ops.fields[i];
    if (field.presence == Presence::kOptional || seen.test(i)) continue;
    if (field.presence == Presence::kRequired) {
      f.set("missing");
      return f.in_member(field.name);
    }
    if (extra != nullptr) {
      extra->members.push_back({std::string(field.name), RawJson(std::string()), true});
    }
  }
  return true;
}

void write_object(const ObjectOps& ops, const void* object, std::string& out, const TagPair* tags) {
  const Extra* extra =
      ops.extra == nullptr ? nullptr : ops.extra(const_cast<void*>(object));
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
      if (spelling != nullptr && field.still(object, spelling->value.text)) {
        if (spelling->value.text.empty()) continue;
        key(spelling->key);
        out += spelling->value.text;
        continue;
      }
    }
    if (field.presence == Presence::kOptional && !field.has_value(object)) continue;
    key(field.name);
    field.write(object, out);
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

/// Steps through the object at the cursor until both discriminators are known, then goes back.
bool find_tags(JsonReader& r, const UnionOps& ops, std::string& name, std::string& sub,
               DecodeFailure& f) {
  if (r.peek() != '{') return (r.fail("expected object"), f.from(r));
  const char* start = r.position();
  bool need_name = true;
  bool need_sub = !ops.sub_key.empty();
  std::string unescaped;
  std::string_view raw;
  r.eat('{');
  if (!r.eat('}')) {
    do {
      std::string_view key;
      bool escaped = false;
      if (r.peek() != '"') return (r.fail("expected a key"), f.from(r));
      if (!r.string_span(key, escaped)) return f.from(r);
      if (!r.eat(':')) return (r.fail("expected ':'"), f.from(r));
      if (escaped) {
        JsonReader::unescape(key, unescaped);
        key = unescaped;
      }
      const bool is_name = key == ops.key;
      const bool is_sub = need_sub && key == ops.sub_key;
      if ((is_name || is_sub) && r.peek() == '"') {
        if (!r.string(is_name ? name : sub)) return f.from(r);
        if (is_name) {
          need_name = false;
          // Most types have no second discriminator; do not read on for one.
          need_sub = need_sub && sub.empty() &&
                     std::any_of(ops.cases.begin(), ops.cases.end(), [&](const CaseOps& c) {
                       return !c.sub.empty() && c.name == name;
                     });
        } else {
          need_sub = false;
        }
        if (!need_name && !need_sub) break;
      } else if (!r.skip(raw)) {
        return (f.from(r), f.in_member(key));
      }
    } while (r.eat(','));
  }
  r.rewind(start);
  return true;
}

}  // namespace

bool read_union(JsonReader& r, const UnionOps& ops, void* variant, DecodeFailure& f) {
  std::string name;
  std::string sub;
  if (!find_tags(r, ops, name, sub, f)) return false;
  for (const CaseOps& c : ops.cases) {
    if (c.name != name || (!c.sub.empty() && c.sub != sub)) continue;
    const TagPair tags{ops.key, c.name, ops.sub_key, c.sub};
    return read_object(r, *c.object, c.emplace(variant), f, &tags);
  }
  std::string_view raw;
  if (!r.skip(raw)) return f.from(r);
  Unknown& unknown = *ops.emplace_unknown(variant);
  unknown.type = std::move(name);
  unknown.subtype = std::move(sub);
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
  write_object(*c.object, c.get(variant), out, &tags);
}

Json object_schema(const ObjectOps& ops, SchemaBuilder& builder, const TagPair* tags) {
  const auto make = [&] {
    Json properties = Json::object();
    Json required = Json::array();
    const auto tag = [&](std::string_view key, std::string_view value) {
      properties.set(key, Json::object({{"const", value}}));
      required.push(key);
    };
    if (tags != nullptr) {
      tag(tags->key, tags->value);
      if (!tags->sub_value.empty()) tag(tags->sub_key, tags->sub_value);
    }
    for (const FieldOps& field : ops.fields) {
      Json schema = field.schema(builder);
      if (!field.description.empty()) schema.set("description", field.description);
      properties.set(field.name, std::move(schema));
      if (field.presence == Presence::kRequired) required.push(field.name);
    }
    Json schema = Json::object({{"type", "object"}, {"properties", std::move(properties)}});
    if (!required.items().empty()) schema.set("required", std::move(required));
    return schema;
  };
  return builder.define(ops.type_name, make);
}

Json union_schema(const UnionOps& ops, SchemaBuilder& builder) {
  return builder.define(ops.type_name, [&] {
    Json any = Json::array();
    for (const CaseOps& c : ops.cases) {
      const TagPair tags{ops.key, c.name, ops.sub_key, c.sub};
      any.push(object_schema(*c.object, builder, &tags));
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
  std::string_view raw;
  if (!r.skip(raw)) return f.from(r);
  Result<Json> parsed = Json::parse(raw);
  if (!parsed) return f.set(parsed.error().message());
  out = std::move(*parsed);
  return true;
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
  return Json::object({{"anyOf", Json::array({std::move(schema), Json::object({{"type", "null"}})})}});
}

}  // namespace parley
