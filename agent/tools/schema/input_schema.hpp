// Short ways to write the input schema of a tool.
#pragma once

#include <initializer_list>
#include <string_view>

#include "../../../wire/json/json.hpp"

namespace parley::agent::schema {

struct Property {
  std::string_view name;
  Json schema;
  bool required = false;
};

/// An object that takes these members and no others.
[[nodiscard]] Json object(std::initializer_list<Property> properties);
[[nodiscard]] Json string(std::string_view description = {});
[[nodiscard]] Json integer(std::string_view description = {});
[[nodiscard]] Json number(std::string_view description = {});
[[nodiscard]] Json boolean(std::string_view description = {});
[[nodiscard]] Json one_of(std::initializer_list<std::string_view> values,
                          std::string_view description = {});
[[nodiscard]] Json array(Json items, std::string_view description = {});
/// An object of any members.
[[nodiscard]] Json any_object(std::string_view description = {});
/// `schema` with one more keyword.
[[nodiscard]] Json with(Json schema, std::string_view keyword, Json value);

}  // namespace parley::agent::schema
