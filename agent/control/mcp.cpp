// MCP servers: what a client asks about them and does with them. What takes time is done on a
// thread of its own and answered when it is done.
#include "agent/control/requests.hpp"
#include "agent/mcp/status.hpp"
#include "wire/mcp/names.hpp"

namespace parley::agent::requests {
namespace {

using std::chrono::milliseconds;

/// No call is given less time.
constexpr milliseconds kShortestCall{1000};

ControlReply no_such_server(const std::string& name) { return refuse("Server not found: " + name); }

ControlReply reply_of(const Result<void>& done) {
  if (!done) return refuse(done.error().message());
  return no_body();
}

/// What became of a call: an error of the tool is an error of the request.
ControlReply call_reply(const RawJson& result) {
  const auto decoded = result.as<mcp::CallToolResult>();
  if (!decoded) return decoded.error();
  if (decoded->isError.value_or(false)) {
    std::string text;
    for (const mcp::ContentBlock& block : decoded->content) {
      const auto* words = std::get_if<mcp::TextContent>(&block);
      if (words != nullptr) text += (text.empty() ? "" : "\n") + words->text;
    }
    return refuse(text.empty() ? "The tool failed and did not say why." : text);
  }
  const Json json = result.json().value();
  control::McpCallReply reply;
  reply.content = RawJson(json["content"].dump());
  if (decoded->structuredContent) {
    reply.content = RawJson(Json(decoded->structuredContent->json().value().dump()).dump());
    reply.structuredContent = decoded->structuredContent;
  }
  reply.meta = decoded->meta;
  return encoded(reply);
}

/// A call that took longer than the client wanted to wait.
ControlReply late_reply(milliseconds patience) {
  return body(Json::object(
      {{"staging", Json::object({{"ok", false},
                                 {"error_code", "timeout"},
                                 {"detail", "tool call exceeded " +
                                                std::to_string(patience.count()) + "ms"}})}}));
}

}  // namespace

ControlReply mcp_status(ControlContext& context, const control::McpStatus& /*request*/) {
  control::McpStatusReply reply;
  reply.mcpServers = status_of(context.servers);
  return encoded(reply);
}

void mcp_set_servers(ControlContext& context, const control::McpSetServers& request,
                     const Responder& responder) {
  std::vector<McpServerEntry> wanted;
  Map<std::string> errors;
  for (const auto& [name, config] : request.servers) {
    auto entry = complete_server(name, config, "dynamic", context.config.variables);
    if (entry) {
      wanted.push_back(*std::move(entry));
    } else {
      errors[name] = entry.error().message();
    }
  }
  context.servers.in_background(
      [&servers = context.servers, wanted, errors, responder](const std::stop_token& stop) {
        responder.send(encoded(servers.set_servers(wanted, errors, stop)));
      });
}

void mcp_reconnect(ControlContext& context, const control::McpReconnect& request,
                   const Responder& responder) {
  const auto server = context.servers.find(request.serverName);
  if (!server) return responder.send(no_such_server(request.serverName));
  context.servers.in_background([server, responder](const std::stop_token& stop) {
    McpConnectOptions options;
    options.stop = stop;
    responder.send(reply_of(server->connect(options)));
  });
}

void mcp_toggle(ControlContext& context, const control::McpToggle& request,
                const Responder& responder) {
  const auto server = context.servers.find(request.serverName);
  if (!server) return responder.send(no_such_server(request.serverName));
  context.servers.in_background(
      [server, enabled = request.enabled, responder](const std::stop_token& stop) {
        if (!enabled) {
          server->disable();
          return responder.send(no_body());
        }
        McpConnectOptions options;
        options.stop = stop;
        (void)!server->connect(options);
        responder.send(no_body());
      });
}

void mcp_read_resource(ControlContext& context, const control::McpReadResource& request,
                       const Responder& responder) {
  // Other addresses are for the model, which is asked for permission; these are for displays.
  if (!request.uri.starts_with("ui://")) {
    return responder.send(refuse("mcp_read_resource: uri must use the ui:// scheme"));
  }
  const auto server = context.servers.find(request.serverName);
  if (!server) return responder.send(no_such_server(request.serverName));
  context.servers.in_background(
      [server, uri = request.uri, responder](const std::stop_token& stop) {
        const auto answer =
            server->ask("resources/read", RawJson(Json::object({{"uri", uri}}).dump()), stop);
        if (!answer) return responder.send(refuse(answer.error().message()));
        const auto read = answer->as<mcp::ReadResourceResult>();
        if (!read) return responder.send(read.error());
        control::McpReadResourceReply reply;
        reply.contents = read->contents;
        responder.send(encoded(reply));
      });
}

void mcp_call(ControlContext& context, const control::McpCall& request,
              const Responder& responder) {
  const auto parts = split_mcp_name(request.tool);
  if (!parts || !parts->tool) {
    return responder.send(refuse("Not a fully-qualified MCP tool name: " + request.tool));
  }
  if (request.input_files || request.output_files) {
    return responder.send(refuse("mcp_call: files cannot be staged here"));
  }
  McpServers& servers = context.servers;
  if (context.permissions.removed(request.tool)) {
    return responder.send(refuse("Permission to use " + request.tool + " has been denied."));
  }
  servers.in_background([&servers, request, responder,
                         server_name = std::string(parts->server)](const std::stop_token& stop) {
    servers.wait_until_settled(stop);
    const auto address = servers.address_of(request.tool);
    if (!address || address->server->view().state != parley::McpConnection::connected) {
      return responder.send(refuse("MCP server not connected: " + server_name));
    }
    McpServer::CallOptions options;
    options.stop = stop;
    if (request.timeout_ms) {
      options.patience = std::max(kShortestCall, milliseconds(*request.timeout_ms));
    }
    const auto result =
        address->server->call(address->tool, request.arguments.value_or(RawJson("{}")), options);
    if (result) return responder.send(call_reply(*result));
    if (options.patience && result.error().code() == ErrorCode::timeout) {
      return responder.send(late_reply(*options.patience));
    }
    responder.send(refuse(result.error().message()));
  });
}

void mcp_message(ControlContext& context, const control::McpMessage& request,
                 const Responder& responder) {
  const auto server = context.servers.find(request.server_name);
  if (!server || !server->entry().lives_in_client()) {
    return responder.send(no_such_server(request.server_name));
  }
  server->deliver(request.message);
  responder.send(no_body());
}

}  // namespace parley::agent::requests
