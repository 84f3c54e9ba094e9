#include "agent/connection/init_message.hpp"

#include <unistd.h>

#include "agent/api/models.hpp"
#include "agent/mcp/servers.hpp"
#include "agent/version.hpp"
#include "wire/control/control.hpp"

namespace parley::agent {
namespace {

std::string key_source(const ApiAccess& access) {
  if (!access.auth_token.empty()) return "none";
  if (!access.api_key.empty()) return "ANTHROPIC_API_KEY";
  return access.find_key ? "apiKeyHelper" : "none";
}

/// Commands that the real CLI has in a terminal, and nobody has over the wire.
std::vector<std::string> terminal_commands() {
  return {"doctor", "color", "focus", "reload-plugins"};
}

/// What clients may rely on, by the names under which they look for it. What the real CLI can do
/// and this one cannot is not in it.
std::vector<std::string> capabilities() {
  return {"interrupt_receipt_v1", "interrupt_cancel_queued_v1", "msg_lifecycle_v1"};
}

}  // namespace

std::vector<parley::ModelInfo> model_list() {
  std::vector<parley::ModelInfo> models;
  const auto add = [&](const char* value, const char* name, const char* description) {
    parley::ModelInfo info;
    info.value = value;
    info.displayName = name;
    info.description = description;
    info.resolvedModel = resolve_model(value);
    const ModelInfo limits = model_info(*info.resolvedModel);
    info.supportsEffort = !limits.effort.empty();
    if (*info.supportsEffort) {
      info.supportedEffortLevels.emplace();
      for (const Effort level :
           {Effort::low, Effort::medium, Effort::high, Effort::xhigh, Effort::max}) {
        info.supportedEffortLevels->emplace_back(level);
      }
    }
    info.supportsAdaptiveThinking = limits.thinking == ThinkingKind::adaptive;
    models.push_back(std::move(info));
  };
  add("default", "Default", "What the endpoint is best at");
  add("opus", "Opus", "For the hardest work");
  add("sonnet", "Sonnet", "For everyday work");
  add("haiku", "Haiku", "For quick answers");
  return models;
}

SystemInit init_message(const SessionConfig& config, const std::string& model, const ToolSet& tools,
                        const Enum<PermissionMode>& mode, const ApiAccess& access,
                        const McpServers& servers) {
  SystemInit init;
  init.cwd = config.cwd;
  init.tools.emplace();
  for (const auto& tool : tools.offered()) {
    // Clients know it under its older name.
    init.tools->emplace_back(tool->name() == "Agent" ? "Task" : tool->name());
  }
  init.mcp_servers.emplace();
  for (const auto& server : servers.all()) {
    InitMcpServer shown;
    shown.name = server->entry().name;
    shown.status = std::string(server->view().state.text());
    shown.source = server->entry().source();
    init.mcp_servers->push_back(std::move(shown));
  }
  if (auto problems = servers.problems(); !problems.empty()) {
    init.mcp_server_errors = std::move(problems);
  }
  init.model = model;
  init.permissionMode = mode;
  init.slash_commands.emplace();
  init.apiKeySource = key_source(access);
  init.claude_code_version = kBehavesLike;
  init.output_style = config.output_style.name;
  init.agents.emplace();
  init.skills.emplace();
  init.plugins.emplace();
  if (!config.flags.betas.empty()) init.betas = config.flags.betas;
  init.terminal_slash_commands = terminal_commands();
  init.capabilities = capabilities();
  init.fast_mode_state = FastModeState::off;
  init.fast_mode_disabled_reason = FastModeDisabledReason::sdk_opt_in_required;
  init.view_mode = ViewMode::default_;
  return init;
}

control::InitializeReply initialize_reply(const SessionConfig& config,
                                          const Enum<PermissionMode>& mode,
                                          const ApiAccess& access) {
  control::InitializeReply reply;
  reply.commands.emplace();
  reply.agents.emplace();
  reply.output_style = config.output_style.name;
  reply.available_output_styles = output_style_names(config.setting_sources);
  reply.models = model_list();
  AccountInfo account;
  account.tokenSource = access.auth_token.empty() ? "none" : "ANTHROPIC_AUTH_TOKEN";
  account.apiKeySource = key_source(access);
  account.apiProvider = ApiProvider::firstParty;
  reply.account = std::move(account);
  reply.pid = ::getpid();
  reply.claude_code_version = kBehavesLike;
  reply.current_permission_mode = mode;
  reply.hook_on_failure_supported = true;
  reply.fast_mode_state = FastModeState::off;
  reply.fast_mode_disabled_reason = FastModeDisabledReason::sdk_opt_in_required;
  return reply;
}

}  // namespace parley::agent
