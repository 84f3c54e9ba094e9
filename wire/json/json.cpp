#include "json.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "numbers.hpp"
#include "reader.hpp"
#include "repeated_keys.hpp"
#include "writer.hpp"

namespace parley {

namespace {

bool read(JsonReader& r, Json& out);

bool read_array(JsonReader& r, Json& out) {
  Json::Array& items = out.items();
  if (!r.enter()) return false;
  r.eat('[');
  if (!r.eat(']')) {
    do {
      if (!read(r, items.emplace_back())) return false;
    } while (r.eat(','));
    if (!r.eat(']')) return r.fail("expected ',' or ']'");
  }
  r.leave();
  return true;
}

bool read_object(JsonReader& r, Json& out) {
  out.members();
  if (!r.enter()) return false;
  r.eat('{');
  if (!r.eat('}')) {
    std::string key;
    do {
      if (r.peek() != '"') return r.fail("expected a key");
      if (!r.string(key)) return false;
      if (!r.eat(':')) return r.fail("expected ':'");
      Json value;
      if (!read(r, value)) return false;
      out.members().emplace_back(key, std::move(value));
    } while (r.eat(','));
    if (!r.eat('}')) return r.fail("expected ',' or '}'");
  }
  r.leave();
  return true;
}

bool read(JsonReader& r, Json& out) {
  switch (r.peek()) {
    case '{':
      if (!read_object(r, out)) return false;
      detail::fold_repeated_keys(out.members());
      return true;
    case '[': return read_array(r, out);
    case '"': {
      std::string text;
      if (!r.string(text)) return false;
      out = Json(std::move(text));
      return true;
    }
    case 't':
    case 'f': {
      bool value = false;
      if (!r.boolean(value)) return false;
      out = Json(value);
      return true;
    }
    case 'n': return r.null();
    default: {
      std::string_view text;
      if (!r.number(text)) return false;
      out = Json::number(std::string(text));
      return true;
    }
  }
}

template <class T>
std::string number_to_text(T value) {
  std::string text;
  detail::write_number(value, text);
  return text;
}

void new_line(std::string& out, int indent, int level) {
  if (indent > 0)
    out.append(1, '\n').append(static_cast<std::size_t>(indent) * static_cast<std::size_t>(level),
                               ' ');
}

const Json kNull;

/// In any order, without the square of their number in comparisons.
bool same_members(const Json::Object& a, const Json::Object& b) {
  if (a.size() != b.size()) return false;
  const auto same_key = [](const Json::Member& x, const Json::Member& y) {
    return x.first == y.first;
  };
  if (std::equal(a.begin(), a.end(), b.begin(), same_key)) return a == b;
  const auto sorted = [](const Json::Object& members) {
    std::vector<const Json::Member*> order;
    order.reserve(members.size());
    for (const Json::Member& member : members) order.push_back(&member);
    std::sort(order.begin(), order.end(),
              [](const Json::Member* x, const Json::Member* y) { return x->first < y->first; });
    return order;
  };
  const auto x = sorted(a);
  const auto y = sorted(b);
  return std::equal(x.begin(), x.end(), y.begin(),
                    [](const Json::Member* m, const Json::Member* n) { return *m == *n; });
}

}  // namespace

Json::Json(std::int64_t value) : value_(Number{number_to_text(value)}) {}
Json::Json(std::uint64_t value) : value_(Number{std::to_string(value)}) {}
Json::Json(double value) {
  if (std::isfinite(value)) value_ = Number{number_to_text(value)};
}

Json Json::object(std::initializer_list<Member> members) {
  Json j;
  j.value_ = Object(members);
  return j;
}

Json Json::number(std::string text) {
  Json j;
  j.value_ = Number{std::move(text)};
  return j;
}

bool Json::read(JsonReader& reader, Json& out) {
  out = Json();
  return parley::read(reader, out);
}

Result<Json> Json::parse(std::string_view text) {
  JsonReader r(text);
  Json out;
  if (!read(r, out) || (!r.at_end() && !r.fail("unexpected text after the value"))) {
    return Error(ErrorCode::malformed,
                 std::string(r.why()) + " at byte " + std::to_string(r.fail_offset()));
  }
  return out;
}

bool Json::as_bool(bool fallback) const {
  const bool* value = std::get_if<bool>(&value_);
  return value == nullptr ? fallback : *value;
}

std::int64_t Json::as_int(std::int64_t fallback) const {
  const Number* number = std::get_if<Number>(&value_);
  return number == nullptr ? fallback : detail::to_int64(number->text).value;
}

double Json::as_double(double fallback) const {
  const Number* number = std::get_if<Number>(&value_);
  return number == nullptr ? fallback : detail::to_double(number->text);
}

std::string_view Json::as_string(std::string_view fallback) const {
  const std::string* text = std::get_if<std::string>(&value_);
  return text == nullptr ? fallback : std::string_view(*text);
}

std::string_view Json::number_text() const {
  const Number* number = std::get_if<Number>(&value_);
  return number == nullptr ? std::string_view() : std::string_view(number->text);
}

const Json::Array& Json::items() const {
  static const Array kEmpty;
  const Array* items = std::get_if<Array>(&value_);
  return items == nullptr ? kEmpty : *items;
}

const Json::Object& Json::members() const {
  static const Object kEmpty;
  const Object* members = std::get_if<Object>(&value_);
  return members == nullptr ? kEmpty : *members;
}

Json::Array& Json::items() {
  if (!is_array()) value_ = Array();
  return std::get<Array>(value_);
}

Json::Object& Json::members() {
  if (!is_object()) value_ = Object();
  return std::get<Object>(value_);
}

const Json* Json::find(std::string_view key) const {
  for (const Member& member : members()) {
    if (member.first == key) return &member.second;
  }
  return nullptr;
}

Json* Json::find(std::string_view key) { return const_cast<Json*>(std::as_const(*this).find(key)); }

const Json& Json::operator[](std::string_view key) const {
  const Json* value = find(key);
  return value == nullptr ? kNull : *value;
}

const Json& Json::operator[](std::size_t index) const {
  const Array& list = items();
  return index < list.size() ? list[index] : kNull;
}

Json& Json::set(std::string_view key, Json value) {
  if (Json* old = is_object() ? find(key) : nullptr) {
    *old = std::move(value);
  } else {
    members().emplace_back(std::string(key), std::move(value));
  }
  return *this;
}

Json& Json::push(Json value) {
  items().push_back(std::move(value));
  return *this;
}

bool Json::erase(std::string_view key) {
  if (!is_object()) return false;
  return std::erase_if(members(), [&](const Member& m) { return m.first == key; }) > 0;
}

std::string Json::dump(int indent) const {
  std::string out;
  write(out, indent);
  return out;
}

void Json::write(std::string& out, int indent, int level) const {
  const auto list = [&](char open, char close, const auto& entries, const auto& write_entry) {
    out += open;
    bool first = true;
    for (const auto& entry : entries) {
      if (!first) out += ',';
      first = false;
      new_line(out, indent, level + 1);
      write_entry(entry);
    }
    if (!first) new_line(out, indent, level);
    out += close;
  };
  switch (kind()) {
    case Kind::null: out += "null"; break;
    case Kind::bool_: detail::write_bool(std::get<bool>(value_), out); break;
    case Kind::number: out += std::get<Number>(value_).text; break;
    case Kind::string: detail::write_string(std::get<std::string>(value_), out); break;
    case Kind::array:
      list('[', ']', std::get<Array>(value_),
           [&](const Json& item) { item.write(out, indent, level + 1); });
      break;
    case Kind::object:
      list('{', '}', std::get<Object>(value_), [&](const Member& member) {
        detail::write_string(member.first, out);
        out += indent > 0 ? ": " : ":";
        member.second.write(out, indent, level + 1);
      });
      break;
  }
}

bool operator==(const Json& a, const Json& b) {
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Json::Kind::null: return true;
    case Json::Kind::bool_: return a.as_bool() == b.as_bool();
    case Json::Kind::number: return a.number_text() == b.number_text();
    case Json::Kind::string: return a.as_string() == b.as_string();
    case Json::Kind::array: return a.items() == b.items();
    case Json::Kind::object: break;
  }
  return same_members(a.members(), b.members());
}

}  // namespace parley
