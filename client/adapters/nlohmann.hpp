// For programs that use nlohmann/json: its values to and from ours. Optional; nothing else here
// includes it.
#pragma once

#include <nlohmann/json.hpp>

#include "../../wire/json/json.hpp"
#include "../../wire/json/raw_json.hpp"

namespace parley {

/// Members keep their order with nlohmann::ordered_json. Throws nlohmann::json::parse_error for
/// what that library does not accept, e.g. a lone surrogate.
template <class BasicJson = nlohmann::json>
[[nodiscard]] BasicJson to_nlohmann(const RawJson& value) {
  return BasicJson::parse(value.text);
}
template <class BasicJson = nlohmann::json>
[[nodiscard]] BasicJson to_nlohmann(const Json& value) {
  return BasicJson::parse(value.dump());
}

/// Invalid UTF-8 in a string becomes U+FFFD, because JSON has no other way to carry it.
template <class BasicJson>
[[nodiscard]] RawJson from_nlohmann(const BasicJson& value) {
  return RawJson(value.dump(-1, ' ', false, BasicJson::error_handler_t::replace));
}

}  // namespace parley
