// Whether a value fits a JSON Schema, with errors in the words of the validator that the real CLI
// uses. The keywords that people write are there: types, enum, const, bounds, pattern, properties,
// items, combinations, and references within the schema.
#pragma once

#include <string>
#include <vector>

#include "../../../wire/json/json.hpp"

namespace parley::agent {

/// "root: must have required property 'name'", "/age: must be integer"; empty if it fits.
[[nodiscard]] std::vector<std::string> schema_violations(const Json& schema, const Json& value);

/// What keeps `schema` from being used at all: wrong kinds where keywords want others, references
/// that lead nowhere.
[[nodiscard]] Result<void> check_json_schema(const Json& schema);

}  // namespace parley::agent
