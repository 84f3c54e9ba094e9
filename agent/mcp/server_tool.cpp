#include "agent/mcp/server_tool.hpp"

#include <algorithm>

#include "agent/mcp/call_result.hpp"
#include "agent/tools/schema/json_schema.hpp"
#include "agent/tools/tool_state.hpp"
#include "support/text/javascript_text.hpp"
#include "wire/mcp/names.hpp"

namespace parley::agent {
namespace {

/// What the Messages API takes.
constexpr std::size_t kLongestName = 128;
/// A description is shown to the model with every request.
constexpr std::size_t kLongestDescription = 2048;

/// "snake_case" as people read it: "Snake Case".
std::string in_words(std::string_view name) {
  std::string words(name);
  bool starts = true;
  for (char& c : words) {
    if (c == '_' || c == '-') {
      c = ' ';
      starts = true;
    } else {
      if (starts && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
      starts = false;
    }
  }
  return words;
}

std::string shown_name(const mcp::Tool& definition, const std::string& full_name) {
  if (definition.annotations && definition.annotations->title) {
    return *definition.annotations->title;
  }
  if (definition.title) return *definition.title;
  return in_words(normalize_mcp_name(definition.name) == definition.name ? definition.name
                                                                         : full_name);
}

std::string shown_description(const mcp::Tool& definition) {
  const std::string text = definition.description.value_or("");
  if (utf16_length(text) <= kLongestDescription) return text;
  return std::string(first_units(text, kLongestDescription)) + "… [truncated]";
}

class ServerTool final : public Tool {
 public:
  ServerTool(std::weak_ptr<McpServer> server, const mcp::Tool& definition, ToolOrigin origin,
             Json schema, std::string name, std::size_t most_characters)
      : server_(std::move(server)),
        origin_(std::move(origin)),
        name_(std::move(name)),
        display_name_(shown_name(definition, name_)),
        description_(shown_description(definition)),
        schema_(std::move(schema)),
        read_only_(definition.annotations && definition.annotations->readOnlyHint.value_or(false)),
        most_characters_(most_characters) {}

  std::string_view name() const override { return name_; }
  std::string description() const override { return description_; }
  Json input_schema() const override { return schema_; }
  std::string display_name() const override { return display_name_; }
  const ToolOrigin* origin() const override { return &origin_; }
  /// The server knows best what it can do with its input.
  bool needs_fitting_input() const override { return false; }
  RawJson normal_input(const RawJson& input) const override { return input; }
  bool concurrent(const RawJson& /*input*/) const override { return read_only_; }

  Intent intent(const ToolCall& /*call*/) const override {
    Intent intent;
    intent.kind = Intent::Kind::foreign;
    return intent;
  }

  ToolOutput run(const ToolCall& call) const override {
    const std::shared_ptr<McpServer> server = server_.lock();
    if (!server) return ToolOutput::error("MCP server not connected: " + origin_.server);
    McpServer::CallOptions options;
    options.stop = call.stop;
    options.tool_use_id = call.id;
    const auto result = server->call(origin_.tool, call.input, options);
    if (!result) return ToolOutput::error(result.error().message());
    McpCallSite site;
    site.server = origin_.server;
    site.tool = origin_.tool;
    site.tool_name = name_;
    site.results_folder = call.state.results_folder();
    site.most_characters = most_characters_;
    return output_of(*result, site);
  }

 private:
  const std::weak_ptr<McpServer> server_;
  const ToolOrigin origin_;
  const std::string name_, display_name_, description_;
  const Json schema_;
  const bool read_only_;
  const std::size_t most_characters_;
};

}  // namespace

Result<SharedTool> make_server_tool(McpServer& server, const mcp::Tool& definition,
                                    const std::string& server_name, std::size_t most_characters) {
  if (definition.name.empty()) return Error(ErrorCode::invalid, "it has no name");
  std::string name = mcp_tool_name(server.entry().name, definition.name);
  if (name.size() > kLongestName) return Error(ErrorCode::invalid, "its name is too long");
  auto schema = definition.inputSchema.json();
  if (!schema) return schema.error();
  if ((*schema)["type"].as_string() != "object") {
    return Error(ErrorCode::invalid, "its schema does not describe an object");
  }
  if (auto usable = check_json_schema(*schema); !usable) {
    return Error(ErrorCode::invalid,
                 "its schema cannot be used: " + std::string(usable.error().what()));
  }
  ToolOrigin origin{server.entry().name, server.entry().source(), server_name, definition.name};
  return SharedTool(std::make_shared<ServerTool>(server.weak_from_this(), definition,
                                                 std::move(origin), *std::move(schema),
                                                 std::move(name), most_characters));
}

}  // namespace parley::agent
