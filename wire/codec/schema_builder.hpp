// Collects the JSON Schema definitions of the types that a schema refers to.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "../json/json.hpp"
#include "values.hpp"

namespace parley {

class SchemaBuilder {
 public:
  /// A reference to the definition called `name`; `make` is asked for it the first time, so
  /// recursive types end.
  Json define(std::string_view name, const std::function<Json()>& make);
  /// The root with all definitions under $defs, in alphabetical order.
  Json finish(Json root);
  /// The same schema, also allowing null.
  static Json or_null(Json schema);
  /// {"type": "string"}
  static Json of_type(std::string_view type);
  /// A string, usually one of these.
  static Json one_of(detail::EnumNames names);
  static Json list_of(Json items);
  static Json map_of(Json values);
  static Json any_of(Json schemas);

 private:
  Json definitions_ = Json::object();
};

}  // namespace parley
