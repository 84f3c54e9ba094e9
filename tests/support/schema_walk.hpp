// Follows a JSON value through an exported schema and tells what has no typed place in it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wire/json/json.hpp"

namespace parley::test {

class SchemaWalk {
 public:
  /// `root` holds the $defs that references lead to; it must outlive the walk.
  explicit SchemaWalk(const Json& root) : root_(root) {}

  /// The paths of members, union cases and enum values that `schema` does not name, e.g.
  /// "message.content[0].new_field". Empty: everything in `value` has a typed home.
  [[nodiscard]] std::vector<std::string> strangers(const Json& value, const Json& schema) const;

  /// The schema a reference leads to; the schema itself if it is none.
  [[nodiscard]] const Json& resolve(const Json& schema) const;
  /// The schema of a member, of a union case with its tags too; null if there is none.
  [[nodiscard]] const Json* property(const Json& schema, std::string_view name) const;

 private:
  void walk(const Json& value, const Json& schema, const std::string& path,
            std::vector<std::string>& out) const;
  [[nodiscard]] bool fits(const Json& value, const Json& schema) const;

  const Json& root_;
};

}  // namespace parley::test
