// What is said about inputs that do not fit, which tools are offered, and structured output.
#include <gtest/gtest.h>

#include "agent/tools/schema/input_check.hpp"
#include "agent/tools/schema/json_schema.hpp"
#include "agent/tools/structured_output.hpp"
#include "wire/tools/registry.hpp"
#include "workspace.hpp"

namespace parley::agent {
namespace {

using testing::result_of;
using testing::text_of;
using testing::Workspace;

ToolOutput refusal(std::string_view tool, const std::string& input) {
  const Result<void> checked = check_schema(*find_tool(tool), RawJson(input));
  return checked ? ToolOutput() : ToolOutput::bad_input(checked.error());
}

TEST(InputCheck, SpeaksAsRecorded) {
  const ToolOutput bad = refusal("Read", R"({"path":"/tmp/p/work/a.txt"})");
  EXPECT_EQ(text_of(bad),
            "<tool_use_error>InputValidationError: Read failed due to the following issues:\nThe "
            "required parameter `file_path` is missing\nAn unexpected parameter `path` was "
            "provided</tool_use_error>");
  EXPECT_EQ(
      result_of(bad).as_string(),
      "InputValidationError: [\n  {\n    \"expected\": \"string\",\n    \"code\": "
      "\"invalid_type\",\n    \"path\": [\n      \"file_path\"\n    ],\n    \"message\": "
      "\"Invalid input: expected string, received undefined\"\n  },\n  {\n    \"code\": "
      "\"unrecognized_keys\",\n    \"keys\": [\n      \"path\"\n    ],\n    \"path\": [],\n    "
      "\"message\": \"Unrecognized key: \\\"path\\\"\"\n  }\n]");
  EXPECT_EQ(text_of(refusal("Bash", R"({"command":5})")),
            "<tool_use_error>InputValidationError: Bash failed due to the following issue:\nThe "
            "parameter `command` type is expected as `string` but provided as "
            "`number`</tool_use_error>");
  EXPECT_EQ(text_of(refusal("Read", R"({"file_path":5,"bogus":1,"other":2})")),
            "<tool_use_error>InputValidationError: Read failed due to the following issues:\nAn "
            "unexpected parameter `bogus` was provided\nAn unexpected parameter `other` was "
            "provided\nThe parameter `file_path` type is expected as `string` but provided as "
            "`number`</tool_use_error>");
  EXPECT_EQ(
      text_of(refusal("Read", R"({"file_path":"a","offset":1.5})")),
      "<tool_use_error>InputValidationError: Read failed due to the following issue:\nThe "
      "parameter `offset` type is expected as `int` but provided as `number`</tool_use_error>");
  EXPECT_EQ(
      text_of(refusal("AskUserQuestion", R"({"questions":[]})")),
      "<tool_use_error>InputValidationError: [\n  {\n    \"origin\": \"array\",\n    \"code\": "
      "\"too_small\",\n    \"minimum\": 1,\n    \"inclusive\": true,\n    \"path\": [\n      "
      "\"questions\"\n    ],\n    \"message\": \"Too small: expected array to have >=1 "
      "items\"\n  }\n]</tool_use_error>");
  EXPECT_EQ(
      result_of(refusal("WebFetch", R"({"url":"nonsense","prompt":"x"})")).as_string(),
      "InputValidationError: [\n  {\n    \"code\": \"invalid_format\",\n    \"format\": "
      "\"url\",\n    \"path\": [\n      \"url\"\n    ],\n    \"message\": \"Invalid URL\"\n  }\n]");
}

TEST(InputCheck, KnowsInputThatWasNoJson) {
  const ToolOutput bad = refusal(
      "Read", R"({"__unparsedToolInput":{"raw":"{\"file_path\": \"/tmp/p/work/a.t","len":30}})");
  EXPECT_EQ(
      text_of(bad),
      "<tool_use_error>InputValidationError: Read was called with input that could not be "
      "parsed as JSON.\nYou sent (first 30 of 30 bytes): {\"file_path\": "
      "\"/tmp/p/work/a.t\nCommon causes: unescaped backslashes in file paths (use / or \\\\), "
      "unescaped control characters, or truncated output. Retry with valid "
      "JSON.</tool_use_error>");
  EXPECT_EQ(result_of(bad).as_string(), "InputValidationError: JSON parse failed (30 bytes)");
}

TEST(InputCheck, KnowsWhoseFaultItIs) {
  const Result<void> checked =
      check_updated_input(*find_tool("AskUserQuestion"), RawJson(R"({"answers":{}})"));
  ASSERT_FALSE(checked.ok());
  EXPECT_TRUE(checked.error().message().starts_with(
      "The permission handler returned updatedInput for AskUserQuestion that failed schema "
      "validation: AskUserQuestion failed due to the following issue:\nThe required parameter "
      "`questions` is missing\nThis is a configuration issue"));
}

TEST(InputCheck, AsksForDifferentQuestions) {
  const std::string question =
      R"({"question":"Q?","header":"H","options":[{"label":"A","description":"a"},)"
      R"({"label":"B","description":"b"}]})";
  EXPECT_NE(
      text_of(refusal("AskUserQuestion", R"({"questions":[)" + question + "," + question + "]}"))
          .find("Question texts must be unique"),
      std::string::npos);
  EXPECT_EQ(text_of(refusal("AskUserQuestion", R"({"questions":[)" + question + "]}")), "");
}

TEST(InputCheck, MendsWhatIsMeant) {
  EXPECT_EQ(find_tool("Read")->normal_input(RawJson(R"({"file_path":"a","offset":"2"})")).text,
            R"({"file_path":"a","offset":2})");
  EXPECT_EQ(
      find_tool("Edit")
          ->normal_input(RawJson(R"({"file_path":"a","old_string":"x","new_string":"y  \nz "})"))
          .text,
      R"({"replace_all":false,"file_path":"a","old_string":"x","new_string":"y\nz"})");
  EXPECT_EQ(find_tool("Read")->normal_input(RawJson(R"({ "file_path" : "a" })")).text,
            R"({ "file_path" : "a" })");
}

TEST(Toolbox, EveryToolHasAUsableSchema) {
  for (const auto& tool : all_tools()) {
    EXPECT_TRUE(check_json_schema(tool->input_schema()).ok()) << tool->name();
    EXPECT_EQ(tool->input_schema()["type"].as_string(), "object") << tool->name();
    EXPECT_FALSE(tool->description().empty()) << tool->name();
    EXPECT_TRUE(tools::find_tool(tool->name())) << tool->name();
  }
}

TEST(Toolbox, OffersWhatWasRecorded) {
  const auto names = [](const OfferOptions& options) {
    std::string list;
    for (const Tool* tool : offered_tools(options))
      list += (list.empty() ? "" : " ") + std::string(tool->name());
    return list;
  };
  EXPECT_EQ(names({}), "Bash Edit NotebookEdit Read TaskStop WebFetch Write");
  EXPECT_EQ(names({{}, {}, true}),
            "AskUserQuestion Bash Edit EnterPlanMode ExitPlanMode NotebookEdit Read TaskStop "
            "WebFetch Write");
  EXPECT_EQ(names({{}, {"Bash"}, false}),
            "Edit Glob Grep NotebookEdit Read TaskStop WebFetch Write");
  using Names = std::vector<std::string>;
  EXPECT_EQ(names({Names{"default"}, {}, false}), names({}));
  EXPECT_EQ(names({Names{"default", "Bash"}, {}, false}), "Bash");
  EXPECT_EQ(names({Names{}, {}, true}), "");
  EXPECT_EQ(names({Names{"Glob", "Grep", "Read", "Bash"}, {}, true}), "Bash Glob Grep Read");
  EXPECT_EQ(
      names({Names{"TodoWrite", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet", "Read", "Bash"},
             {},
             true}),
      "Bash Read TaskCreate TaskGet TaskList TaskUpdate");
  EXPECT_EQ(names({Names{"TodoWrite", "MultiEdit", "LS"}, {}, true}), "LS MultiEdit TodoWrite");
}

TEST(Toolbox, SaysWhatIsNotThere) {
  EXPECT_EQ(no_such_tool("NoSuchTool"), "Error: No such tool available: NoSuchTool");
  EXPECT_EQ(no_such_tool("TaskOutput"), "Error: No such tool available: TaskOutput");
  EXPECT_EQ(no_such_tool("TodoWrite"),
            "Error: No such tool available: TodoWrite. TodoWrite is disabled for this session, in "
            "subagents as well as here.");
  EXPECT_EQ(find_tool("KillShell"), find_tool("TaskStop"));
}

TEST(StructuredOutput, AnswersAsRecorded) {
  Workspace work;
  const auto tool = make_structured_output(
      Json::parse(R"({"type":"object","properties":{"name":{"type":"string"},)"
                  R"("age":{"type":"integer"}},"required":["name"]})")
          .value());
  const auto run = [&](const std::string& input) {
    return (*tool)->run({"id", RawJson(input), {}, work.state()});
  };
  EXPECT_EQ(text_of(run(R"({"name":"Ann","age":3})")), "Structured output provided successfully");
  const ToolOutput bad = run(R"({"age":"x"})");
  EXPECT_TRUE(bad.is_error);
  EXPECT_EQ(
      text_of(bad),
      "Output does not match required schema: root: must have required property 'name', /age: "
      "must be integer");
  EXPECT_FALSE(make_structured_output(Json::parse(R"({"type":"nonsense"})").value()).ok());
  EXPECT_FALSE(make_structured_output(Json::parse(R"([1])").value()).ok());
}

TEST(JsonSchema, KnowsTheUsualKeywords) {
  struct Case {
    const char *schema, *value, *error;
  };
  const Case cases[] = {
      {R"({"type":["string","null"]})", "1", "root: must be string,null"},
      {R"({"enum":["a","b"]})", R"("c")", "root: must be equal to one of the allowed values"},
      {R"({"const":1})", "2", "root: must be equal to constant"},
      {R"({"minimum":3})", "2", "root: must be >= 3"},
      {R"({"exclusiveMaximum":3})", "3", "root: must be < 3"},
      {R"({"multipleOf":0.1})", "0.3", ""},
      {R"({"minLength":2})", "\"\u00E4\"", "root: must NOT have fewer than 2 characters"},
      {R"({"pattern":"^a+$"})", R"("ab")", "root: must match pattern \"^a+$\""},
      {R"({"pattern":"^a+$"})", R"("a\nb")", "root: must match pattern \"^a+$\""},
      {R"({"pattern":"^a*$"})", R"("")", ""},
      {R"({"items":{"type":"integer"}})", "[1,2.5]", "/1: must be integer"},
      {R"({"maxItems":1})", "[1,2]", "root: must NOT have more than 1 items"},
      {R"({"uniqueItems":true})", "[1,1]", "root: must NOT have duplicate items"},
      {R"({"additionalProperties":false})", R"({"a":1})",
       "root: must NOT have additional properties"},
      {R"({"anyOf":[{"type":"string"},{"type":"null"}]})", "1",
       "root: must match a schema in anyOf"},
      {R"({"oneOf":[{"type":"number"},{"type":"integer"}]})", "1",
       "root: must match exactly one schema in oneOf"},
      {R"({"not":{"type":"string"}})", R"("x")", "root: must NOT be valid"},
      {R"({"$ref":"#/$defs/a","$defs":{"a":{"type":"string"}}})", "1", "root: must be string"},
      {R"({"type":"integer"})", "1.0", ""},
      {"true", "1", ""},
      {"false", "1", "root: boolean schema is false"},
  };
  for (const Case& one : cases) {
    const std::vector<std::string> errors =
        schema_violations(Json::parse(one.schema).value(), Json::parse(one.value).value());
    EXPECT_EQ(errors.empty() ? "" : errors[0], one.error) << one.schema << " " << one.value;
  }
}

TEST(JsonSchema, EndsOnSchemasThatReferToThemselves) {
  const Json schema = Json::parse(R"({"$ref":"#"})").value();
  EXPECT_TRUE(schema_violations(schema, Json(1)).empty());
  const Json doubling =
      Json::parse(R"({"anyOf":[{"$ref":"#"},{"$ref":"#"}],"not":{"$ref":"#"}})").value();
  EXPECT_TRUE(check_json_schema(doubling).ok());
  EXPECT_LE(schema_violations(doubling, Json(1)).size(), 2u);
  EXPECT_FALSE(check_json_schema(Json::parse(R"({"$ref":"#/nowhere"})").value()).ok());
}

}  // namespace
}  // namespace parley::agent
