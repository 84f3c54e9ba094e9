#include "agent/tools/schema/json_schema.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "support/regex/regex.hpp"

namespace parley::agent {
namespace {

constexpr int kMostDepth = 64;
constexpr std::size_t kMostErrors = 50;
/// A schema that refers to itself in several alternatives doubles the work at every level.
constexpr std::size_t kMostSteps = 1'000'000;
constexpr std::array<std::string_view, 7> kTypes{"null",   "boolean", "object", "array",
                                                 "number", "string",  "integer"};

bool is_type(const Json& value, std::string_view type) {
  if (type == "integer") {
    return value.is_number() && std::trunc(value.as_double()) == value.as_double();
  }
  static constexpr std::array<std::string_view, 6> kNames{"null",   "boolean", "number",
                                                          "string", "array",   "object"};
  return kNames[static_cast<std::size_t>(value.kind())] == type;
}

/// Characters, not bytes.
std::int64_t length(std::string_view text) {
  return std::count_if(text.begin(), text.end(),
                       [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
}

/// What "#/$defs/x" names; null if there is nothing.
const Json* referenced(const Json& root, std::string_view reference) {
  if (!reference.starts_with('#')) return nullptr;
  reference.remove_prefix(1);
  const Json* at = &root;
  while (!reference.empty()) {
    if (!reference.starts_with('/')) return nullptr;
    reference.remove_prefix(1);
    const std::size_t end = reference.find('/');
    std::string name;
    const std::string_view step = reference.substr(0, end);
    for (std::size_t i = 0; i < step.size(); ++i) {
      if (step[i] == '~' && i + 1 < step.size()) {
        name += step[++i] == '0' ? '~' : '/';
      } else {
        name += step[i];
      }
    }
    at = at->find(name);
    if (!at) return nullptr;
    reference.remove_prefix(end == std::string_view::npos ? reference.size() : end);
  }
  return at;
}

class Validator {
 public:
  Validator(const Json& root, std::size_t& steps) : root_(root), steps_(steps) {}

  void check(const Json& schema, const Json& value, const std::string& path, int depth = 0) {
    if (depth > kMostDepth || errors_.size() >= kMostErrors || ++steps_ > kMostSteps) return;
    if (schema.is_bool()) {
      if (!schema.as_bool()) error(path, "boolean schema is false");
      return;
    }
    if (const Json* reference = schema.find("$ref")) {
      if (const Json* target = referenced(root_, reference->as_string())) {
        check(*target, value, path, depth + 1);
      }
    }
    if (!check_type(schema, value, path)) return;
    if (const Json* options = schema.find("enum")) {
      const Json::Array& list = options->items();
      if (std::find(list.begin(), list.end(), value) == list.end()) {
        error(path, "must be equal to one of the allowed values");
      }
    }
    if (const Json* constant = schema.find("const"); constant && !(*constant == value)) {
      error(path, "must be equal to constant");
    }
    if (value.is_number()) check_number(schema, value, path);
    if (value.is_string()) check_string(schema, value, path);
    if (value.is_array()) check_array(schema, value, path, depth);
    if (value.is_object()) check_object(schema, value, path, depth);
    check_combinations(schema, value, path, depth);
  }

  std::vector<std::string> take() { return std::move(errors_); }

 private:
  void error(const std::string& path, const std::string& text) {
    errors_.push_back((path.empty() ? "root" : path) + ": " + text);
  }

  bool check_type(const Json& schema, const Json& value, const std::string& path) {
    const Json* type = schema.find("type");
    if (!type) return true;
    std::string names;
    const Json::Array one{*type};
    for (const Json& name : type->is_array() ? type->items() : one) {
      if (is_type(value, name.as_string())) return true;
      names += (names.empty() ? "" : ",") + std::string(name.as_string());
    }
    error(path, "must be " + names);
    return false;
  }

  void check_number(const Json& schema, const Json& value, const std::string& path) {
    const double number = value.as_double();
    const auto bound = [&](const char* keyword, const char* sign, auto fits) {
      const Json* limit = schema.find(keyword);
      if (limit && limit->is_number() && !fits(number, limit->as_double())) {
        error(path, std::string("must be ") + sign + " " + std::string(limit->number_text()));
      }
    };
    bound("minimum", ">=", [](double a, double b) { return a >= b; });
    bound("maximum", "<=", [](double a, double b) { return a <= b; });
    bound("exclusiveMinimum", ">", [](double a, double b) { return a > b; });
    bound("exclusiveMaximum", "<", [](double a, double b) { return a < b; });
    if (const Json* step = schema.find("multipleOf"); step && step->as_double() > 0) {
      const double quotient = number / step->as_double();
      if (std::abs(quotient - std::round(quotient)) > 1e-9) {
        error(path, "must be multiple of " + std::string(step->number_text()));
      }
    }
  }

  void check_string(const Json& schema, const Json& value, const std::string& path) {
    const std::string_view text = value.as_string();
    count(schema, "minLength", "maxLength", length(text), "characters", path);
    if (const Json* expression = schema.find("pattern")) {
      // What RE2 cannot say is not checked, like other keywords that are not known here.
      const std::optional<Regex> regex = Regex::compile(expression->as_string());
      if (regex && !regex->found_in(text)) {
        error(path, "must match pattern \"" + std::string(expression->as_string()) + "\"");
      }
    }
  }

  void check_array(const Json& schema, const Json& value, const std::string& path, int depth) {
    const Json::Array& items = value.items();
    count(schema, "minItems", "maxItems", static_cast<std::int64_t>(items.size()), "items", path);
    if (schema["uniqueItems"].as_bool()) {
      for (std::size_t i = 1; i < items.size(); ++i) {
        if (std::find(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(i), items[i]) !=
            items.begin() + static_cast<std::ptrdiff_t>(i)) {
          error(path, "must NOT have duplicate items");
          break;
        }
      }
    }
    const Json& first = schema["prefixItems"];
    const Json* const rest = schema.find("items");
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::string inner = path + "/" + std::to_string(i);
      if (i < first.items().size()) {
        check(first.items()[i], items[i], inner, depth + 1);
      } else if (rest) {
        check(*rest, items[i], inner, depth + 1);
      }
    }
  }

  void check_object(const Json& schema, const Json& value, const std::string& path, int depth) {
    for (const Json& name : schema["required"].items()) {
      if (!value.find(name.as_string())) {
        error(path, "must have required property '" + std::string(name.as_string()) + "'");
      }
    }
    const Json& properties = schema["properties"];
    const Json* const others = schema.find("additionalProperties");
    count(schema, "minProperties", "maxProperties",
          static_cast<std::int64_t>(value.members().size()), "properties", path);
    for (const auto& [name, member] : value.members()) {
      const std::string inner = path + "/" + name;
      if (const Json* property = properties.find(name)) {
        check(*property, member, inner, depth + 1);
      } else if (others && others->is_bool() && !others->as_bool()) {
        error(path, "must NOT have additional properties");
      } else if (others) {
        check(*others, member, inner, depth + 1);
      }
    }
  }

  void check_combinations(const Json& schema, const Json& value, const std::string& path,
                          int depth) {
    for (const Json& part : schema["allOf"].items()) check(part, value, path, depth + 1);
    const auto fitting = [&](const Json& list) {
      return std::count_if(list.items().begin(), list.items().end(),
                           [&](const Json& part) { return fits(part, value, depth); });
    };
    if (const Json* any = schema.find("anyOf"); any && fitting(*any) == 0) {
      error(path, "must match a schema in anyOf");
    }
    if (const Json* one = schema.find("oneOf"); one && fitting(*one) != 1) {
      error(path, "must match exactly one schema in oneOf");
    }
    if (const Json* no = schema.find("not"); no && fits(*no, value, depth)) {
      error(path, "must NOT be valid");
    }
  }

  bool fits(const Json& schema, const Json& value, int depth) const {
    Validator inner(root_, steps_);
    inner.check(schema, value, {}, depth + 1);
    return inner.errors_.empty();
  }

  void count(const Json& schema, const char* least, const char* most, std::int64_t size,
             const char* what, const std::string& path) {
    const auto complain = [&](const char* how, const Json& limit) {
      error(path, std::string("must NOT have ") + how + " than " +
                      std::string(limit.number_text()) + " " + what);
    };
    if (const Json* limit = schema.find(least); limit && size < limit->as_int()) {
      complain("fewer", *limit);
    }
    if (const Json* limit = schema.find(most); limit && size > limit->as_int(size)) {
      complain("more", *limit);
    }
  }

  const Json& root_;
  std::size_t& steps_;
  std::vector<std::string> errors_;
};

Result<void> check_node(const Json& root, const Json& schema, const std::string& path, int depth) {
  const auto problem = [&](const std::string& text) {
    return Error(ErrorCode::invalid, text, path.empty() ? "schema" : path);
  };
  if (schema.is_bool()) return {};
  if (!schema.is_object()) return problem("a schema must be an object or a boolean");
  if (depth > kMostDepth) return problem("the schema is nested too deeply");
  if (const Json* type = schema.find("type")) {
    const Json::Array one{*type};
    for (const Json& name : type->is_array() ? type->items() : one) {
      if (std::find(kTypes.begin(), kTypes.end(), name.as_string()) == kTypes.end()) {
        return problem("type must be one of the JSON types, not " + name.dump());
      }
    }
  }
  if (const Json* reference = schema.find("$ref")) {
    if (!referenced(root, reference->as_string())) {
      return problem("cannot resolve reference " + reference->dump());
    }
  }
  for (const char* keyword : {"properties", "$defs", "definitions"}) {
    const Json* map = schema.find(keyword);
    if (!map) continue;
    if (!map->is_object()) return problem(std::string(keyword) + " must be an object");
    for (const auto& [name, part] : map->members()) {
      if (Result<void> ok = check_node(root, part, path + "/" + keyword + "/" + name, depth + 1);
          !ok) {
        return ok;
      }
    }
  }
  for (const char* keyword : {"items", "additionalProperties", "not"}) {
    const Json* part = schema.find(keyword);
    if (!part) continue;
    if (Result<void> ok = check_node(root, *part, path + "/" + keyword, depth + 1); !ok) return ok;
  }
  for (const char* keyword : {"anyOf", "oneOf", "allOf", "prefixItems"}) {
    for (const Json& part : schema[keyword].items()) {
      if (Result<void> ok = check_node(root, part, path + "/" + keyword, depth + 1); !ok) return ok;
    }
  }
  return {};
}

}  // namespace

std::vector<std::string> schema_violations(const Json& schema, const Json& value) {
  std::size_t steps = 0;
  Validator validator(schema, steps);
  validator.check(schema, value, {});
  return validator.take();
}

Result<void> check_json_schema(const Json& schema) { return check_node(schema, schema, {}, 0); }

}  // namespace parley::agent
