// Every public message, field and control request of the surface has a typed home, and the
// exported schemas in docs/schema are those of the tables.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "tests/support/recording.hpp"
#include "tests/support/schema_walk.hpp"
#include "wire/schema_export.hpp"

namespace parley {
namespace {

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

const Json& schema(std::string_view name) {
  static const std::vector<SchemaFile> files = exported_schemas();
  for (const SchemaFile& file : files) {
    if (file.name == name) return file.schema;
  }
  throw std::runtime_error("no schema " + std::string(name));
}

const Json& surface() {
  static const Json json =
      Json::parse(read(test::source_dir() / "tests/schema/surface.json")).value();
  return json;
}

/// Types of the surface that are opaque on purpose: anything a tool, server or vendor likes.
bool opaque_by_nature(std::string_view type) {
  static const std::set<std::string_view> kOpaque = {"unknown", "record<unknown>", "unknown[]",
                                                     "content[]", "UsageReport"};
  return kOpaque.contains(type) || type.find("record<unknown>") != std::string_view::npos;
}

/// What is missing of `fields` in an object's schema.
void expect_fields(const test::SchemaWalk& walk, const Json& fields, const Json& object,
                   const std::string& where) {
  for (const Json& field : fields.items()) {
    const std::string_view name = field["name"].as_string();
    const Json* property = walk.property(object, name);
    EXPECT_NE(property, nullptr) << where << " has no member " << name;
    if (property == nullptr || opaque_by_nature(field["type"].as_string())) continue;
    const Json* inner = property;
    if (const Json* any = property->find("anyOf")) inner = &(*any)[0];
    EXPECT_FALSE(inner->members().empty())
        << where << "." << name
        << " is carried raw, but its type is known: " << field["type"].as_string();
  }
}

TEST(Surface, EveryMessageAndFieldHasATypedHome) {
  const Json& root = schema("messages.schema.json");
  const test::SchemaWalk walk(root);
  std::map<std::string, const Json*> cases;
  for (const Json& option : root["$defs"]["Message"]["anyOf"].items()) {
    std::string name(option["properties"]["type"]["const"].as_string());
    const std::string_view sub = option["properties"]["subtype"]["const"].as_string();
    if (!sub.empty()) name += "/" + std::string(sub);
    cases[name] = &option;
  }
  ASSERT_GT(surface()["stdout"].members().size(), 40u);
  for (const auto& [name, shapes] : surface()["stdout"].members()) {
    const bool is_result = name.starts_with("result/");
    const auto found = cases.find(is_result ? "result" : name);
    if (found == cases.end()) {
      ADD_FAILURE() << "no type for " << name;
      continue;
    }
    for (const Json& shape : shapes.items())
      expect_fields(walk, shape["fields"], *found->second, name);
  }
}

TEST(Surface, EveryControlRequestAndReplyHasATypedHome) {
  const Json& root = schema("control.schema.json");
  const test::SchemaWalk walk(root);
  ASSERT_EQ(surface()["control"].items().size(), 41u);
  for (const Json& entry : surface()["control"].items()) {
    const std::string name(entry["subtype"].as_string());
    const Json* request = root["requests"].find(name);
    if (request == nullptr) {
      ADD_FAILURE() << "no type for the control request " << name;
      continue;
    }
    expect_fields(walk, entry["request"], (*request)["request"], name);
    if (name == "can_use_tool" || name == "hook_callback") continue;  // unions, tested by their own
    expect_fields(walk, entry["response"], (*request)["reply"], name + " reply");
  }
}

TEST(Surface, AllHookEventsHaveATypedHome) {
  const Json& root = schema("messages.schema.json");
  EXPECT_EQ(root["$defs"]["HookInput"]["anyOf"].items().size(), 33u);
}

TEST(Surface, ToolsOfTheProtocolHaveTypedInputs) {
  const Json& tools = schema("tools.schema.json")["tools"];
  for (const char* name :
       {"Read", "Write", "Edit", "MultiEdit", "NotebookEdit", "Bash", "Glob", "Grep", "LS", "Agent",
        "TodoWrite", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet", "WebFetch", "WebSearch",
        "AskUserQuestion", "ExitPlanMode"}) {
    ASSERT_NE(tools.find(name), nullptr) << name;
    EXPECT_EQ(tools[name]["input"]["type"].as_string(), "object") << name;
  }
}

TEST(Schema, CheckedInFilesAreThoseOfTheTables) {
  for (const SchemaFile& file : exported_schemas()) {
    const std::string checked_in = read(test::source_dir() / "docs/schema" / file.name);
    EXPECT_TRUE(checked_in == file.schema.dump(1) + "\n")
        << "docs/schema/" << file.name
        << " is not what the tables say. If the change is meant: scripts/update-schema";
  }
}

TEST(Schema, RecordedLinesHoldNothingTheSchemaDoesNotName) {
  const Json& root = schema("messages.schema.json");
  const test::SchemaWalk walk(root);
  // What scenarios send wrongly on purpose, to see what the CLI makes of it.
  const std::set<std::string> wrong_on_purpose = {"hook_snake_case", "hook_request_id_inside",
                                                  "ctl_no_subtype", "ctl_unknown_subtype",
                                                  "ctl_set_permission_mode_bad"};
  std::map<std::string, std::string> strangers;
  for (const test::Recording& recording : test::recordings()) {
    if (wrong_on_purpose.contains(recording.scenario)) continue;
    for (const test::RecordedLine& line : recording.lines()) {
      const Result<Json> value = Json::parse(line.text);
      if (!value || !value->is_object()) continue;
      for (const std::string& path : walk.strangers(*value, root)) {
        strangers.emplace(std::string((*value)["type"].as_string()) + ": " + path,
                          recording.name());
      }
    }
  }
  for (const auto& [path, where] : strangers) ADD_FAILURE() << path << "  (" << where << ")";
}

}  // namespace
}  // namespace parley
