// Walks the members of an object without building anything: what bulk scans are made of.
#pragma once

#include <string>
#include <string_view>

#include "../../wire/json/reader.hpp"

namespace parley::history {

/// Calls `on_member(key)` with the cursor at each value; it must step over the value and return
/// false to give up. `key` is as between the quotes. False if the text is no object, or malformed.
template <class OnMember>
bool each_member(JsonReader& reader, OnMember&& on_member) {
  if (!reader.eat('{')) return reader.fail("expected object");
  if (!reader.enter()) return false;
  if (!reader.eat('}')) {
    do {
      std::string_view key;
      bool escaped = false;
      if (!reader.string_span(key, escaped)) return false;
      if (!reader.eat(':')) return reader.fail("expected ':'");
      if (!on_member(key)) return false;
    } while (reader.eat(','));
    if (!reader.eat('}')) return reader.fail("expected '}'");
  }
  reader.leave();
  return true;
}

/// The same for the items of an array.
template <class OnItem>
bool each_item(JsonReader& reader, OnItem&& on_item) {
  if (!reader.eat('[')) return reader.fail("expected array");
  if (!reader.enter()) return false;
  if (!reader.eat(']')) {
    do {
      if (!on_item()) return false;
    } while (reader.eat(','));
    if (!reader.eat(']')) return reader.fail("expected ']'");
  }
  reader.leave();
  return true;
}

inline bool skip_value(JsonReader& reader) {
  std::string_view raw;
  return reader.skip(raw);
}

/// Reads a string; a value of another kind is stepped over and leaves `out` as it was.
inline bool string_or_skip(JsonReader& reader, std::string& out) {
  return reader.peek() == '"' ? reader.string(out) : skip_value(reader);
}

/// Reads a boolean; a value of another kind is stepped over and leaves `out` as it was.
inline bool boolean_or_skip(JsonReader& reader, bool& out) {
  const char c = reader.peek();
  return c == 't' || c == 'f' ? reader.boolean(out) : skip_value(reader);
}

}  // namespace parley::history
