#include "schema_walk.hpp"

#include <algorithm>

namespace parley::test {

const Json& SchemaWalk::resolve(const Json& schema) const {
  const std::string_view ref = schema["$ref"].as_string();
  constexpr std::string_view kDefs = "#/$defs/";
  if (!ref.starts_with(kDefs)) return schema;
  return root_["$defs"][ref.substr(kDefs.size())];
}

const Json* SchemaWalk::property(const Json& schema, std::string_view name) const {
  // A union case is a reference to its object with the tags beside it.
  if (const Json* own = schema["properties"].find(name)) return own;
  return resolve(schema)["properties"].find(name);
}

/// Whether the value is of the schema's kind and carries its constants (the tags of a union case).
bool SchemaWalk::fits(const Json& value, const Json& unresolved) const {
  for (const auto& [name, tag] : unresolved["properties"].members()) {
    const Json* constant = tag.find("const");
    if (constant != nullptr && value[name] != *constant) return false;
  }
  const Json& schema = resolve(unresolved);
  if (schema.find("anyOf") != nullptr) {
    const Json::Array& options = schema["anyOf"].items();
    return std::any_of(options.begin(), options.end(),
                       [&](const Json& option) { return fits(value, option); });
  }
  const std::string_view type = schema["type"].as_string();
  if (type == "null") return value.is_null();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_bool();
  if (type == "integer" || type == "number") return value.is_number();
  if (type == "array") return value.is_array();
  return type != "object" || value.is_object();
}

void SchemaWalk::walk(const Json& value, const Json& unresolved, const std::string& path,
                      std::vector<std::string>& out) const {
  const Json& schema = resolve(unresolved);
  if (value.is_null()) return;
  if (const Json* options = schema.find("anyOf")) {
    for (const Json& option : options->items()) {
      if (fits(value, option)) return walk(value, option, path, out);
    }
    out.push_back(path + " fits no case");
    return;
  }
  if (value.is_string()) {
    const Json* known = schema.find("examples");
    if (known == nullptr) return;
    const Json::Array& names = known->items();
    if (std::find(names.begin(), names.end(), value) == names.end()) {
      out.push_back(path + " = " + std::string(value.as_string()));
    }
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.items().size(); ++i) {
      walk(value[i], schema["items"], path + "[" + std::to_string(i) + "]", out);
    }
  } else if (value.is_object()) {
    const bool described = schema.find("properties") != nullptr;
    const Json* others = schema.find("additionalProperties");
    for (const auto& [name, member] : value.members()) {
      const std::string inner = path.empty() ? name : path + "." + name;
      if (const Json* known = property(unresolved, name)) {
        walk(member, *known, inner, out);
      } else if (others != nullptr) {
        walk(member, *others, inner, out);
      } else if (described) {
        out.push_back(inner);
      }
    }
  }
}

std::vector<std::string> SchemaWalk::strangers(const Json& value, const Json& schema) const {
  std::vector<std::string> out;
  walk(value, schema, "", out);
  return out;
}

}  // namespace parley::test
