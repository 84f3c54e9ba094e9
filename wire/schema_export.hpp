// The wire as JSON Schema, made from the same tables that decode and encode it. docs/schema holds
// the result for people and other languages.
#pragma once

#include <string>
#include <vector>

#include "json/json.hpp"

namespace parley {

struct SchemaFile {
  std::string name;  ///< "messages.schema.json"
  Json schema;
};

/// Messages (every line in either direction), control (each request with its reply) and tools
/// (input and result of the built-in ones).
[[nodiscard]] std::vector<SchemaFile> exported_schemas();

}  // namespace parley
