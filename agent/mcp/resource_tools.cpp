#include "agent/mcp/resource_tools.hpp"

#include "agent/mcp/call_result.hpp"
#include "agent/tools/schema/input_schema.hpp"
#include "agent/tools/typed_tool.hpp"
#include "support/text/base64.hpp"
#include "support/text/javascript_text.hpp"

namespace parley::agent {
namespace {

constexpr int kMostResourcePages = 20;
/// Of a resource that is mentioned in a prompt.
constexpr std::size_t kMostMentionedCharacters = 100'000;

Error unknown_server(const McpServers& servers, const std::string& name) {
  std::string names;
  for (const auto& server : servers.all()) {
    names += (names.empty() ? "" : ", ") + server->entry().name;
  }
  return Error(ErrorCode::not_found,
               "Server \"" + name + "\" not found. Available servers: " + names);
}

/// The resources of one server, each with the server's name.
Result<void> list_resources(McpServer& server, const std::stop_token& stop, Json& list) {
  std::optional<RawJson> params;
  for (int page = 0; page < kMostResourcePages; ++page) {
    const auto answer = server.ask("resources/list", params, stop);
    if (!answer) return answer.error();
    const auto json = answer->json();
    if (!json) return json.error();
    for (const Json& resource : (*json)["resources"].items()) {
      Json shown = Json::object();
      for (const char* const member : {"name", "title", "uri", "description", "mimeType", "size"}) {
        if (const Json* const value = resource.find(member)) shown.set(member, *value);
      }
      shown.set("server", server.entry().name);
      list.push(std::move(shown));
    }
    const std::string_view next = (*json)["nextCursor"].as_string();
    if (next.empty()) break;
    params = RawJson(Json::object({{"cursor", next}}).dump());
  }
  return {};
}

Result<mcp::ReadResourceResult> read_resource(McpServer& server, const std::string& uri,
                                              const std::stop_token& stop) {
  const auto answer =
      server.ask("resources/read", RawJson(Json::object({{"uri", uri}}).dump()), stop);
  if (!answer) return answer.error();
  return answer->as<mcp::ReadResourceResult>();
}

class ListResourcesTool final : public TypedTool<tools::ListMcpResourcesInput> {
 public:
  explicit ListResourcesTool(const McpServers& servers) : servers_(servers) {}

  std::string_view name() const override { return "ListMcpResourcesTool"; }
  std::string description() const override {
    return "Lists the resources that MCP servers offer, each with the server that has it. Give "
           "`server` to see those of one server only.";
  }
  Json input_schema() const override {
    return schema::object({{"server", schema::string("Only of this server"), false}});
  }
  bool concurrent(const RawJson& /*input*/) const override { return true; }

 protected:
  ToolOutput perform(const tools::ListMcpResourcesInput& input,
                     const ToolCall& call) const override {
    if (input.server && !servers_.find(*input.server)) {
      return ToolOutput::error(unknown_server(servers_, *input.server).message());
    }
    Json list = Json::array();
    std::string problems;
    for (const auto& server : servers_.all()) {
      if (input.server && server->entry().name != *input.server) continue;
      if (!server->view().has_resources) continue;
      if (auto listed = list_resources(*server, call.stop, list); !listed) {
        problems += "\n" + server->entry().name + ": " + listed.error().message();
      }
    }
    if (list.items().empty() && problems.empty()) {
      return ToolOutput::success(
          "No resources found. MCP servers may still provide tools even if they have no resources.",
          list);
    }
    if (list.items().empty()) return ToolOutput::error("No resources could be read:" + problems);
    std::string text = list.dump();
    if (!problems.empty()) text += "\n\nOf some servers they could not be read:" + problems;
    return ToolOutput::success(std::move(text), list);
  }

 private:
  const McpServers& servers_;
};

class ReadResourceTool final : public TypedTool<tools::ReadMcpResourceInput> {
 public:
  explicit ReadResourceTool(const McpServers& servers) : servers_(servers) {}

  std::string_view name() const override { return "ReadMcpResourceTool"; }
  std::string description() const override {
    return "Reads one resource of an MCP server, by the name of the server and the address of the "
           "resource.";
  }
  Json input_schema() const override {
    return schema::object({{"server", schema::string("The name of the server"), true},
                           {"uri", schema::string("The address of the resource"), true}});
  }
  bool concurrent(const RawJson& /*input*/) const override { return true; }

 protected:
  ToolOutput perform(const tools::ReadMcpResourceInput& input,
                     const ToolCall& call) const override {
    const auto server = servers_.find(input.server);
    if (!server) return ToolOutput::error(unknown_server(servers_, input.server).message());
    if (!server->view().has_resources) {
      return ToolOutput::error("Server \"" + input.server + "\" does not support resources");
    }
    const auto read = read_resource(*server, input.uri, call.stop);
    if (!read) return ToolOutput::error(read.error().message());
    Json contents = Json::array();
    for (const mcp::ResourceContents& part : read->contents) {
      contents.push(shown(part, input.server, call.state.results_folder()));
    }
    const Json result = Json::object({{"contents", std::move(contents)}});
    std::string text = result.dump();
    const std::size_t most = servers_.settings().most_characters;
    if (utf16_length(text) <= most) return ToolOutput::success(std::move(text), result);
    const auto file = store_bytes(call.state.results_folder(), "mcp-resource", "text/plain", text);
    if (!file) return ToolOutput::error("The resource is too long: " + file.error().message());
    text = "Error: result (" + std::to_string(utf16_length(text)) +
           " characters) exceeds maximum allowed tokens. Output has been saved to " +
           file->string() + ".";
    return ToolOutput::success(text, Json(text));
  }

 private:
  static Json shown(const mcp::ResourceContents& part, const std::string& server,
                    const std::filesystem::path& folder) {
    Json json = Json::object({{"uri", part.uri}});
    const std::string type = part.mimeType.value_or("application/octet-stream");
    if (part.mimeType) json.set("mimeType", type);
    if (part.text) return json.set("text", *part.text);
    const auto bytes = part.blob ? from_base64(*part.blob) : std::nullopt;
    if (!bytes) return json.set("text", "(nothing that can be read)");
    const auto file = store_bytes(folder, "mcp-resource", type, *bytes);
    const std::string about = "[Resource from " + server + " at " + part.uri +
                              "] Binary content (" + type + ", " + std::to_string(bytes->size()) +
                              " bytes) ";
    if (!file) return json.set("text", about + "could not be saved: " + file.error().message());
    json.set("blobSavedTo", file->string());
    return json.set("text", about + "saved to " + file->string());
  }

  const McpServers& servers_;
};

}  // namespace

std::vector<SharedTool> make_resource_tools(const McpServers& servers) {
  return {std::make_shared<ListResourcesTool>(servers),
          std::make_shared<ReadResourceTool>(servers)};
}

std::optional<std::string> read_mentioned_resource(const McpServers& servers,
                                                   const std::string& mention,
                                                   const std::stop_token& stop) {
  const std::size_t colon = mention.find(':');
  if (colon == std::string::npos) return std::nullopt;
  const auto server = servers.find(mention.substr(0, colon));
  if (!server) return std::nullopt;
  const std::string uri = mention.substr(colon + 1);
  const auto read = read_resource(*server, uri, stop);
  if (!read) return std::nullopt;
  std::string text;
  for (const mcp::ResourceContents& part : read->contents) {
    if (part.text) text += (text.empty() ? "" : "\n") + *part.text;
  }
  if (text.empty()) return std::nullopt;
  const bool cut = utf16_length(text) > kMostMentionedCharacters;
  return "Resource " + uri + " of the MCP server " + server->entry().name +
         (cut ? " (the beginning)" : "") + ":\n\n" +
         std::string(first_units(text, kMostMentionedCharacters));
}

}  // namespace parley::agent
