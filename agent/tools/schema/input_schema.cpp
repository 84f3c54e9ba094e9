#include "agent/tools/schema/input_schema.hpp"

namespace parley::agent::schema {
namespace {

Json typed(std::string_view type, std::string_view description) {
  Json schema = Json::object({{"type", Json(type)}});
  if (!description.empty()) schema.set("description", Json(description));
  return schema;
}

}  // namespace

Json object(std::initializer_list<Property> properties) {
  Json members = Json::object(), required = Json::array();
  for (const Property& property : properties) {
    members.set(property.name, property.schema);
    if (property.required) required.push(Json(property.name));
  }
  Json schema = Json::object({{"type", "object"}, {"properties", std::move(members)}});
  if (!required.items().empty()) schema.set("required", std::move(required));
  schema.set("additionalProperties", false);
  return schema;
}

Json string(std::string_view description) { return typed("string", description); }
Json integer(std::string_view description) { return typed("integer", description); }
Json number(std::string_view description) { return typed("number", description); }
Json boolean(std::string_view description) { return typed("boolean", description); }
Json any_object(std::string_view description) { return typed("object", description); }

Json one_of(std::initializer_list<std::string_view> values, std::string_view description) {
  Json schema = typed("string", description), list = Json::array();
  for (const std::string_view value : values) list.push(Json(value));
  schema.set("enum", std::move(list));
  return schema;
}

Json array(Json items, std::string_view description) {
  Json schema = typed("array", description);
  schema.set("items", std::move(items));
  return schema;
}

Json with(Json schema, std::string_view keyword, Json value) {
  schema.set(keyword, std::move(value));
  return schema;
}

}  // namespace parley::agent::schema
