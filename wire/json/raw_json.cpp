#include "raw_json.hpp"

#include <algorithm>

#include "json.hpp"
#include "reader.hpp"
#include "writer.hpp"

namespace parley {

namespace {

bool same_key(std::string_view wire_key, std::string_view plain) {
  if (wire_key.find('\\') == std::string_view::npos) return wire_key == plain;
  std::string unescaped;
  JsonReader::unescape(wire_key, unescaped);
  return unescaped == plain;
}

}  // namespace

Result<RawJson> RawJson::parse(std::string_view bytes) {
  JsonReader reader(bytes);
  std::string_view raw;
  if (!reader.skip(raw) || (!reader.at_end() && !reader.fail("unexpected text after the value"))) {
    return Error(ErrorCode::malformed,
                 std::string(reader.why()) + " at byte " + std::to_string(reader.fail_offset()));
  }
  return RawJson(std::string(raw));
}

Result<Json> RawJson::json() const { return Json::parse(text); }

const RawJson* Extra::find(std::string_view key) const {
  // The last one counts, as in JSON.parse.
  for (auto it = members.rbegin(); it != members.rend(); ++it) {
    if (!it->spelling && same_key(it->key, key)) return &it->value;
  }
  return nullptr;
}

void Extra::set(std::string_view key, RawJson value) {
  erase(key);
  std::string quoted;
  detail::write_string(key, quoted);
  members.push_back({quoted.substr(1, quoted.size() - 2), std::move(value), false});
}

void Extra::erase(std::string_view key) {
  std::erase_if(members, [&](const Member& m) { return !m.spelling && same_key(m.key, key); });
}

std::size_t Extra::unknown_count() const {
  return static_cast<std::size_t>(
      std::count_if(members.begin(), members.end(), [](const Member& m) { return !m.spelling; }));
}

}  // namespace parley
