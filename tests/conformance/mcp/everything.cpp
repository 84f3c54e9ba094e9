// An MCP server on stdin and stdout with everything that the scenarios of
// @modelcontextprotocol/conformance ask for, by the names that they ask for it.
#include <cstdio>
#include <stdexcept>

#include "client/handlers/tools.hpp"
#include "client/mcp/mcp_prompts.hpp"
#include "client/mcp/resources.hpp"
#include "client/mcp/serve_stdio.hpp"

struct SamplingArgs {
  std::string prompt;
};
PARLEY_FIELDS(SamplingArgs, prompt)

struct ElicitationArgs {
  std::string message;
};
PARLEY_FIELDS(ElicitationArgs, message)

struct TwoArgs {
  std::string arg1;
  std::string arg2;
};
constexpr auto parley_fields(parley::Tag<TwoArgs>) {
  return parley::make_table<TwoArgs>(
      "TwoArgs", parley::field("arg1", &TwoArgs::arg1).doc("First test argument"),
      parley::field("arg2", &TwoArgs::arg2).doc("Second test argument"));
}

struct EmbeddingArgs {
  std::string resourceUri;
};
PARLEY_FIELDS(EmbeddingArgs, resourceUri)

namespace parley {
namespace {

/// A red dot.
constexpr std::string_view kPng(
    "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\2\0\0\0\x90wS\xde\0\0\0\x0cIDATx\x9c"
    "c\xf8\xcf\xc0\0\0\3\1\1\0\xc9\xfe\x92\xef\0\0\0\0IEND\xae"
    "B`\x82",
    69);
/// Silence, none of it.
constexpr std::string_view kWav(
    "RIFF$\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0@\x1f\0\0\x80>\0\0\2\0\x10\0data\0\0\0\0", 44);

mcp::ResourceContents text_contents(std::string uri, std::string media_type, std::string text) {
  mcp::ResourceContents contents;
  contents.uri = std::move(uri);
  contents.mimeType = std::move(media_type);
  contents.text = std::move(text);
  return contents;
}

/// A tool without arguments.
template <class F>
ToolDefinition plain_tool(std::string name, std::string about, F function) {
  return raw_tool(std::move(name), std::move(about), RawJson(R"({"type":"object"})"),
                  [function](const RawJson&, ToolContext& context) -> Result<ToolOutput> {
                    return function(context);
                  });
}

ToolOutput ask_form(ToolContext& context, std::string message, const char* schema) {
  mcp::ElicitParams form;
  form.message = std::move(message);
  form.requestedSchema = RawJson(schema);
  const auto answer = context.elicit(form);
  if (!answer) return ToolOutput::error(answer.error().what());
  return ToolOutput("Elicitation completed: action=" + std::string(answer->action.text()) +
                    ", content=" + answer->content.value_or(RawJson("{}")).text);
}

void add_tools(McpServer& server) {
  server.add(plain_tool("test_simple_text", "Text", [](ToolContext&) {
    return ToolOutput("This is a simple text response for testing.");
  }));
  server.add(plain_tool("test_image_content", "An image",
                        [](ToolContext&) { return ToolOutput().add_image(kPng, "image/png"); }));
  server.add(plain_tool("test_audio_content", "A sound",
                        [](ToolContext&) { return ToolOutput().add_audio(kWav, "audio/wav"); }));
  server.add(plain_tool("test_embedded_resource", "A resource", [](ToolContext&) {
    return ToolOutput().add_resource(text_contents("test://embedded-resource", "text/plain",
                                                   "This is an embedded resource content."));
  }));
  server.add(plain_tool("test_multiple_content_types", "Several kinds", [](ToolContext&) {
    return ToolOutput("Multiple content types test:")
        .add_image(kPng, "image/png")
        .add_resource(text_contents("test://mixed-content-resource", "application/json",
                                    R"({"test":"data","value":123})"));
  }));
  server.add(plain_tool("test_tool_with_logging", "Logs", [](ToolContext& context) {
    context.log(mcp::LoggingLevel::info, "Tool execution started");
    context.log(mcp::LoggingLevel::info, "Tool processing data");
    context.log(mcp::LoggingLevel::info, "Tool execution completed");
    return ToolOutput("Logged.");
  }));
  server.add(plain_tool("test_tool_with_progress", "Reports", [](ToolContext& context) {
    for (const double done : {0, 50, 100}) context.progress(done, 100);
    return ToolOutput("Reported.");
  }));
  server.add(plain_tool("test_error_handling", "Fails", [](ToolContext&) -> ToolOutput {
    throw std::runtime_error("This tool intentionally returns an error for testing");
  }));
  server.add(raw_tool("json_schema_2020_12_tool", "Tool with JSON Schema 2020-12 features",
                      RawJson(R"({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": {"type": "object", "properties": {
          "street": {"type": "string"}, "city": {"type": "string"}}}},
        "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}},
        "additionalProperties": false})"),
                      [](const RawJson& input, ToolContext&) -> Result<ToolOutput> {
                        return ToolOutput(input.text);
                      }));
}

void add_tools_that_ask(McpServer& server) {
  server.add(tool("test_sampling", "Asks the client's model",
                  [](const SamplingArgs& arguments, ToolContext& context) {
                    mcp::CreateMessageParams ask;
                    ask.messages = PromptOutput(arguments.prompt).wire().messages;
                    ask.maxTokens = 100;
                    const auto answer = context.sample(ask);
                    if (!answer) return ToolOutput::error(answer.error().what());
                    const auto* text = std::get_if<mcp::TextContent>(&answer->content);
                    return ToolOutput("LLM response: " + (text ? text->text : "no text"));
                  }));
  server.add(tool("test_elicitation", "Asks the user",
                  [](const ElicitationArgs& arguments, ToolContext& context) {
                    return ask_form(context, arguments.message, R"({"type":"object","properties":{
                      "username":{"type":"string","description":"User's response"},
                      "email":{"type":"string","description":"User's email address"}},
                      "required":["username","email"]})");
                  }));
  server.add(plain_tool("test_elicitation_sep1034_defaults", "Defaults", [](ToolContext& context) {
    return ask_form(context, "Defaults?", R"({"type":"object","properties":{
      "name":{"type":"string","default":"John Doe"},
      "age":{"type":"integer","default":30},
      "score":{"type":"number","default":95.5},
      "status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},
      "verified":{"type":"boolean","default":true}},"required":[]})");
  }));
  server.add(plain_tool("test_elicitation_sep1330_enums", "Choices", [](ToolContext& context) {
    return ask_form(context, "Which?", R"({"type":"object","properties":{
      "untitledSingle":{"type":"string","enum":["option1","option2","option3"]},
      "titledSingle":{"type":"string","oneOf":[
        {"const":"value1","title":"First Option"},{"const":"value2","title":"Second Option"}]},
      "legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],
        "enumNames":["Option One","Option Two","Option Three"]},
      "untitledMulti":{"type":"array","items":{"type":"string",
        "enum":["option1","option2","option3"]}},
      "titledMulti":{"type":"array","items":{"anyOf":[
        {"const":"value1","title":"First Choice"},{"const":"value2","title":"Second Choice"}]}}},
      "required":[]})");
  }));
}

void add_resources(McpServer& server) {
  server.add(resource("test://static-text", "Text", "A text", [] {
               return "This is the content of the static text resource.";
             }).typed("text/plain"));
  server.add(resource("test://static-binary", "Image", "An image", [] {
               return ResourceOutput::bytes(kPng);
             }).typed("image/png"));
  server.add(resource("test://watched-resource", "Watched", "May change", [] {
               return "As it is now.";
             }).typed("text/plain"));
  server.add(resource_template("test://template/{id}/data", "Data", "The data of an id",
                               [](const ResourceRequest& ask) {
                                 const std::string id = ask["id"];
                                 return Json::object({{"id", id},
                                                      {"templateTest", true},
                                                      {"data", "Data for ID: " + id}})
                                     .dump();
                               })
                 .typed("application/json"));
}

void add_prompts(McpServer& server) {
  server.add(mcp_prompt("test_simple_prompt", "A text",
                        [] { return "This is a simple prompt for testing."; }));
  server.add(
      mcp_prompt("test_prompt_with_arguments", "A text with two places", [](const TwoArgs& x) {
        return "Prompt with arguments: arg1='" + x.arg1 + "', arg2='" + x.arg2 + "'";
      }).completing([](const std::string&, const std::string& value) {
        return std::vector<std::string>{value + "ing", value + "ed"};
      }));
  server.add(
      mcp_prompt("test_prompt_with_embedded_resource", "A resource", [](const EmbeddingArgs& x) {
        return PromptOutput()
            .add_resource(text_contents(x.resourceUri, "text/plain",
                                        "Embedded resource content for testing."))
            .add_text("Please process the embedded resource above.");
      }));
  server.add(mcp_prompt("test_prompt_with_image", "An image", [] {
    return PromptOutput().add_image(kPng, "image/png").add_text("Please analyze the image above.");
  }));
}

}  // namespace
}  // namespace parley

int main() {
  parley::McpServer server("everything");
  parley::add_tools(server);
  parley::add_tools_that_ask(server);
  parley::add_resources(server);
  parley::add_prompts(server);
  const auto served = parley::serve_stdio(server);
  if (!served) std::fprintf(stderr, "%s\n", served.error().what());
  return served ? 0 : 1;
}
