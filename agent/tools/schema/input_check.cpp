#include "agent/tools/schema/input_check.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "wire/json/json.hpp"

namespace parley::agent {
namespace {

/// What a model reads of an input that was no JSON.
constexpr std::size_t kShownBytes = 200;

std::string_view kind_name(const Json& value) {
  switch (value.kind()) {
    case Json::Kind::null: return "null";
    case Json::Kind::bool_: return "boolean";
    case Json::Kind::number: return "number";
    case Json::Kind::string: return "string";
    case Json::Kind::array: return "array";
    case Json::Kind::object: return "object";
  }
  return "undefined";
}

bool is_whole(const Json& number) {
  const std::string_view text = number.number_text();
  if (text.find_first_of(".eE") == std::string_view::npos) return true;
  const double value = number.as_double();
  return value > -9e15 && value < 9e15 &&
         static_cast<double>(static_cast<std::int64_t>(value)) == value;
}

/// `questions[0].options`
std::string path_text(const Json& path) {
  std::string text;
  for (const Json& step : path.items()) {
    if (step.is_number()) {
      text += "[" + std::string(step.number_text()) + "]";
    } else {
      if (!text.empty()) text += ".";
      text += step.as_string();
    }
  }
  return text;
}

/// Walks value and schema side by side and collects issues.
class Checker {
 public:
  void check(const Json& schema, const Json* value, const Json& path) {
    if (const Json& options = schema["enum"]; options.is_array())
      return check_enum(options, value, path);
    const std::string_view type = schema["type"].as_string();
    if (type.empty()) return;
    if (!value || !fits(type, *value)) return wrong_type(type, value, path);
    if (type == "integer" && !is_whole(*value)) {
      issues_.push(Json::object({{"expected", "int"},
                                 {"format", "safeint"},
                                 {"code", "invalid_type"},
                                 {"path", path},
                                 {"message", "Invalid input: expected int, received number"}}));
      types_.push_back(type_line(path, "int", "number"));
      return;
    }
    if (type == "array") check_array(schema, *value, path);
    if (type == "object") check_object(schema, *value, path);
    if (type == "string" && schema["format"].as_string() == "uri") check_url(*value, path);
  }

  void custom(std::string_view message) {
    issues_.push(
        Json::object({{"code", "custom"}, {"path", Json::array()}, {"message", Json(message)}}));
    plain_ = false;
  }

  [[nodiscard]] bool ok() const { return issues_.items().empty(); }
  [[nodiscard]] std::string listed() const { return issues_.dump(2); }

  /// The issues in sentences, or the list where there is no sentence for one of them.
  [[nodiscard]] std::string explained(std::string_view tool) const {
    if (!plain_) return listed();
    std::vector<std::string> lines = missing_;
    lines.insert(lines.end(), unexpected_.begin(), unexpected_.end());
    lines.insert(lines.end(), types_.begin(), types_.end());
    std::string text = std::string(tool) + " failed due to the following " +
                       (lines.size() == 1 ? "issue:" : "issues:");
    for (const std::string& line : lines) text += "\n" + line;
    return text;
  }

 private:
  static bool fits(std::string_view type, const Json& value) {
    return type == kind_name(value) || (type == "integer" && value.is_number());
  }

  static std::string type_line(const Json& path, std::string_view expected,
                               std::string_view received) {
    return "The parameter `" + path_text(path) + "` type is expected as `" + std::string(expected) +
           "` but provided as `" + std::string(received) + "`";
  }

  void wrong_type(std::string_view type, const Json* value, const Json& path) {
    const std::string_view expected = type == "integer" ? "number" : type;
    const std::string_view received = value ? kind_name(*value) : "undefined";
    issues_.push(Json::object({{"expected", Json(expected)},
                               {"code", "invalid_type"},
                               {"path", path},
                               {"message", "Invalid input: expected " + std::string(expected) +
                                               ", received " + std::string(received)}}));
    if (value) {
      types_.push_back(type_line(path, expected, received));
    } else {
      missing_.push_back("The required parameter `" + path_text(path) + "` is missing");
    }
  }

  void check_enum(const Json& options, const Json* value, const Json& path) {
    if (!value) return wrong_type("string", value, path);
    for (const Json& option : options.items()) {
      if (option == *value) return;
    }
    std::string list;
    for (const Json& option : options.items()) {
      if (!list.empty()) list += "|";
      list += option.dump();
    }
    issues_.push(Json::object({{"code", "invalid_value"},
                               {"values", options},
                               {"path", path},
                               {"message", "Invalid option: expected one of " + list}}));
    plain_ = false;
  }

  void check_array(const Json& schema, const Json& value, const Json& path) {
    const auto size = static_cast<std::int64_t>(value.items().size());
    const auto bound = [&](bool small, std::int64_t limit) {
      issues_.push(Json::object(
          {{"origin", "array"},
           {"code", small ? "too_small" : "too_big"},
           {small ? "minimum" : "maximum", limit},
           {"inclusive", true},
           {"path", path},
           {"message", std::string(small ? "Too small" : "Too big") + ": expected array to have " +
                           (small ? ">=" : "<=") + std::to_string(limit) + " items"}}));
      plain_ = false;
    };
    if (const Json* least = schema.find("minItems"); least && size < least->as_int()) {
      bound(true, least->as_int());
    }
    if (const Json* most = schema.find("maxItems"); most && size > most->as_int()) {
      bound(false, most->as_int());
    }
    for (std::size_t i = 0; i < value.items().size(); ++i) {
      Json inner = path;
      inner.push(Json(static_cast<std::int64_t>(i)));
      check(schema["items"], &value.items()[i], inner);
    }
  }

  void check_object(const Json& schema, const Json& value, const Json& path) {
    std::set<std::string_view> required;
    for (const Json& name : schema["required"].items()) required.insert(name.as_string());
    for (const auto& [name, property] : schema["properties"].members()) {
      const Json* member = value.find(name);
      if (!member && !required.contains(name)) continue;
      Json inner = path;
      inner.push(Json(name));
      check(property, member, inner);
    }
    if (schema["additionalProperties"] == Json(false)) check_names(schema, value, path);
  }

  void check_names(const Json& schema, const Json& value, const Json& path) {
    Json keys = Json::array();
    std::string quoted;
    for (const auto& member : value.members()) {
      if (schema["properties"].find(member.first)) continue;
      keys.push(Json(member.first));
      quoted += (quoted.empty() ? "" : ", ") + Json(member.first).dump();
      Json inner = path;
      inner.push(Json(member.first));
      unexpected_.push_back("An unexpected parameter `" + path_text(inner) + "` was provided");
    }
    const std::size_t count = keys.items().size();
    if (count == 0) return;
    issues_.push(Json::object(
        {{"code", "unrecognized_keys"},
         {"keys", std::move(keys)},
         {"path", path},
         {"message", std::string("Unrecognized key") + (count == 1 ? ": " : "s: ") + quoted}}));
  }

  void check_url(const Json& value, const Json& path) {
    const std::string_view url = value.as_string();
    const std::size_t colon = url.find("://");
    if (colon != std::string_view::npos && colon > 0 && url.size() > colon + 3) return;
    issues_.push(Json::object({{"code", "invalid_format"},
                               {"format", "url"},
                               {"path", path},
                               {"message", "Invalid URL"}}));
    plain_ = false;
  }

  Json issues_ = Json::array();
  std::vector<std::string> missing_, unexpected_, types_;
  bool plain_ = true;  ///< Every issue has a sentence.
};

/// JSON Schema cannot say this one, and the answer must name questions and labels alone.
bool questions_differ(const Json& input) {
  std::set<std::string_view> texts;
  for (const Json& question : input["questions"].items()) {
    if (!texts.insert(question["question"].as_string()).second) return false;
    std::set<std::string_view> labels;
    for (const Json& option : question["options"].items()) {
      if (!labels.insert(option["label"].as_string()).second) return false;
    }
  }
  return true;
}

Checker checked(const Tool& tool, const Json& input) {
  Checker checker;
  const Json schema = tool.input_schema();
  checker.check(schema, &input, Json::array());
  if (tool.name() == "AskUserQuestion" && !questions_differ(input)) {
    checker.custom(
        "Question texts must be unique, option labels must be unique within each question");
  }
  return checker;
}

Error unparsed_error(const Tool& tool, const Json& unparsed) {
  const std::string raw(unparsed["raw"].as_string());
  const std::int64_t length = unparsed["len"].as_int(static_cast<std::int64_t>(raw.size()));
  const std::string shown = raw.substr(0, kShownBytes);
  return {ErrorCode::malformed,
          "InputValidationError: " + std::string(tool.name()) +
              " was called with input that could not be parsed as JSON.\nYou sent (first " +
              std::to_string(shown.size()) + " of " + std::to_string(length) + " bytes): " + shown +
              "\nCommon causes: unescaped backslashes in file paths (use / or \\\\), unescaped "
              "control characters, or truncated output. Retry with valid JSON.",
          "InputValidationError: JSON parse failed (" + std::to_string(length) + " bytes)"};
}

/// Changes `value` in place; true if it did.
bool coerce(const Json& schema, Json& value) {
  const std::string_view type = schema["type"].as_string();
  if (type == "object") {
    bool changed = false;
    for (const auto& [name, property] : schema["properties"].members()) {
      if (Json* member = value.find(name)) changed = coerce(property, *member) || changed;
    }
    return changed;
  }
  if (type == "array" && value.is_array()) {
    bool changed = false;
    for (Json& item : value.items()) changed = coerce(schema["items"], item) || changed;
    return changed;
  }
  if (!value.is_string()) return false;
  const std::string text(value.as_string());
  if (type == "boolean" && (text == "true" || text == "false")) {
    value = Json(text == "true");
    return true;
  }
  if (type != "integer" && type != "number") return false;
  const Result<Json> number = Json::parse(text);
  if (!number || !number->is_number()) return false;
  value = *number;
  return true;
}

}  // namespace

Result<void> check_schema(const Tool& tool, const RawJson& raw) {
  const Result<Json> input = raw.json();
  if (!input) return unparsed_error(tool, Json::object({{"raw", Json(raw.text)}}));
  if (const Json* unparsed = input->find("__unparsedToolInput")) {
    return unparsed_error(tool, *unparsed);
  }
  const Checker checker = checked(tool, *input);
  if (checker.ok()) return {};
  return Error(ErrorCode::invalid, "InputValidationError: " + checker.explained(tool.name()),
               "InputValidationError: " + checker.listed());
}

Result<void> check_updated_input(const Tool& tool, const RawJson& raw) {
  const Result<Json> input = raw.json();
  const Checker checker = checked(tool, input ? *input : Json());
  if (checker.ok()) return {};
  const std::string name(tool.name());
  return Error(ErrorCode::invalid,
               "The permission handler returned updatedInput for " + name +
                   " that failed schema validation: " + checker.explained(name) +
                   "\nThis is a configuration issue in your canUseTool callback, PermissionRequest "
                   "hook, or permission-prompt tool \u2014 updatedInput must satisfy the tool's "
                   "input schema. The tool input from the model was valid.",
               "InputValidationError: permission handler updatedInput failed schema for " + name);
}

RawJson coerce_input(const Json& schema, const RawJson& input) {
  Result<Json> value = input.json();
  if (!value || !value->is_object()) return input;
  bool changed = coerce(schema, *value);
  Json defaults = Json::object();
  for (const auto& [name, property] : schema["properties"].members()) {
    const Json* fallback = property.find("default");
    if (!fallback) continue;
    const Json* given = value->find(name);
    defaults.set(name, given ? *given : *fallback);
    value->erase(name);
    changed = true;
  }
  if (!changed) return input;
  for (const auto& [name, member] : value->members()) defaults.set(name, member);
  return RawJson(defaults.dump());
}

}  // namespace parley::agent
