#include "agent/assembly/client_host.hpp"

#include "agent/version.hpp"
#include "wire/codec/codec.hpp"

namespace parley::agent {
namespace {

/// How many characters a token stands for.
constexpr std::size_t kCharactersPerToken = 4;

control::McpMessage message_to(const std::string& server, const JsonRpcMessage& message) {
  control::McpMessage request;
  request.server_name = server;
  request.message = message;
  return request;
}

}  // namespace

McpSettings mcp_settings(const SessionConfig& config) {
  McpSettings settings;
  settings.cwd = config.cwd;
  settings.variables = config.variables;
  settings.network = ApiAccess::from(config.variables);
  settings.version = kVersion;
  const auto milliseconds_in = [&](const char* name, std::chrono::milliseconds& to) {
    if (const auto value = config.number_in(name)) to = std::chrono::milliseconds(*value);
  };
  milliseconds_in("MCP_TIMEOUT", settings.connect_patience);
  milliseconds_in("MCP_TOOL_TIMEOUT", settings.call_patience);
  if (const auto tokens = config.number_in("MAX_MCP_OUTPUT_TOKENS")) {
    settings.most_characters = static_cast<std::size_t>(*tokens) * kCharactersPerToken;
  }
  return settings;
}

Result<RawJson> ClientHost::pass(const std::string& server, const JsonRpcMessage& message,
                                 const std::stop_token& stop, std::chrono::milliseconds patience,
                                 const std::function<void()>& on_sent) {
  const Asker::Reply reply = asker_.pass_on(message_to(server, message), stop, patience, on_sent);
  switch (reply.end) {
    case Asker::End::answered: {
      const auto json = reply.body.json();
      const Json* const wrapped = json ? json->find("mcp_response") : nullptr;
      return wrapped != nullptr ? RawJson(wrapped->dump()) : RawJson();
    }
    case Asker::End::failed: return Error(ErrorCode::remote, reply.error);
    case Asker::End::closed: return Error(ErrorCode::closed, "the client has hung up");
    case Asker::End::withdrawn: return Error(ErrorCode::cancelled, "interrupted");
    case Asker::End::timeout: break;
  }
  return Error(ErrorCode::timeout, "Request timed out");
}

void ClientHost::tell(const std::string& server, const JsonRpcMessage& message) {
  asker_.tell(message_to(server, message));
}

control::ElicitationReply ClientHost::ask_user(const control::Elicitation& question,
                                               const std::stop_token& stop) {
  const Asker::Reply reply = asker_.ask_while_working(question, stop);
  if (reply.end != Asker::End::answered) return {};
  auto answer = reply.body.as<control::ElicitationReply>();
  return answer && answer->action.known() ? *std::move(answer) : control::ElicitationReply{};
}

void ClientHost::elicitation_complete(const std::string& server, const std::string& id) {
  ElicitationComplete message;
  message.mcp_server_name = server;
  message.elicitation_id = id;
  messages_.send(std::move(message));
}

}  // namespace parley::agent
