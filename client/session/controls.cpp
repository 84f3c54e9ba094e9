// The control requests by name.
#include <thread>

#include "client/session/session_impl.hpp"
#include "wire/control/control.hpp"

namespace parley {
namespace {

/// The interesting part of a reply, or its error.
template <class Reply, class Part>
auto part(Result<Reply> reply, Part Reply::*member) -> Result<Part> {
  if (!reply) return reply.error();
  return std::move((*reply).*member);
}

template <class Reply>
Result<void> done(const Result<Reply>& reply) {
  if (!reply) return reply.error();
  return {};
}

}  // namespace

Result<std::optional<std::string>> Session::set_model(std::optional<std::string> model) {
  control::SetModel body;
  body.model = std::move(model);
  return part(request(std::move(body)), &control::SetModelReply::model);
}

Result<void> Session::set_permission_mode(PermissionMode mode) {
  control::SetPermissionMode body;
  body.mode = mode;
  return done(request(std::move(body)));
}

Result<void> Session::set_max_thinking_tokens(std::optional<std::int64_t> tokens) {
  control::SetMaxThinkingTokens body;
  if (tokens) {
    body.max_thinking_tokens = control::Change<std::int64_t>(*tokens);
  } else {
    body.max_thinking_tokens = control::Change<std::int64_t>(std::nullopt);
  }
  return done(request(std::move(body)));
}

Result<void> Session::stop_task(std::string task_id) {
  control::StopTask body;
  body.task_id = std::move(task_id);
  return done(request(std::move(body)));
}

Result<bool> Session::background_tasks(std::optional<std::string> tool_use_id) {
  control::BackgroundTasks body;
  body.tool_use_id = std::move(tool_use_id);
  const auto reply = request(std::move(body));
  if (!reply) return reply.error();
  return reply->backgrounded.value_or(false);
}

Result<control::GetTaskOutputReply> Session::task_output(std::string task_id) {
  control::GetTaskOutput body;
  body.task_id = std::move(task_id);
  return request(std::move(body));
}

Result<control::RewindFilesReply> Session::rewind_files(std::string user_message_uuid,
                                                        bool dry_run) {
  control::RewindFiles body;
  body.user_message_id = std::move(user_message_uuid);
  if (dry_run) body.dry_run = true;
  return request(std::move(body));
}

Result<void> Session::rename(std::string title) {
  control::RenameSession body;
  body.title = std::move(title);
  return done(request(std::move(body)));
}

Result<void> Session::set_color(std::string color) {
  control::SetColor body;
  body.color = std::move(color);
  return done(request(std::move(body)));
}

Result<void> Session::set_has_subscribers(std::optional<bool> has) {
  control::SetHasSubscribers body;
  if (has) body.has_subscribers = Nullable<bool>(*has);
  return done(request(std::move(body)));
}

Result<void> Session::end_session() { return done(request(control::EndSession{})); }

// ---- questions about the session ----------------------------------------------------------------

Result<control::GetContextUsageReply> Session::context_usage() {
  return request(control::GetContextUsage{});
}
Result<control::GetUsageReply> Session::usage() { return request(control::GetUsage{}); }
Result<std::string> Session::cost() {
  return part(request(control::GetSessionCost{}), &control::GetSessionCostReply::text);
}

Result<std::vector<ModelInfo>> Session::models() {
  return part(request(control::ListModels{}), &control::ListModelsReply::models);
}

Result<std::vector<AgentInfo>> Session::agents() {
  const auto reply = initialized();
  if (!reply) return Error(ErrorCode::kInvalid, "the session is not connected");
  return reply->agents.value_or(std::vector<AgentInfo>{});
}

Result<AccountInfo> Session::account() {
  const auto reply = initialized();
  if (!reply) return Error(ErrorCode::kInvalid, "the session is not connected");
  return reply->account.value_or(AccountInfo{});
}

Result<std::string> Session::cli_version() {
  if (const auto reply = initialized(); reply && reply->claude_code_version) {
    return *reply->claude_code_version;
  }
  return part(request(control::GetBinaryVersion{}), &control::GetBinaryVersionReply::version);
}

// ---- settings -----------------------------------------------------------------------------------

Result<control::GetSettingsReply> Session::settings() { return request(control::GetSettings{}); }

Result<void> Session::apply_settings(RawJson settings) {
  control::ApplyFlagSettings body;
  body.settings = std::move(settings);
  return done(request(std::move(body)));
}

Result<void> Session::update_settings(control::SettingsSource file, RawJson settings) {
  control::UpdateSettings body;
  body.source = file;
  body.settings = std::move(settings);
  return done(request(std::move(body)));
}

Result<control::GetHooksListingReply> Session::hooks_listing() {
  return request(control::GetHooksListing{});
}
Result<control::ListPermissionRulesReply> Session::permission_rules() {
  return request(control::ListPermissionRules{});
}

// ---- MCP ----------------------------------------------------------------------------------------

Result<std::vector<McpServerStatus>> Session::mcp_status() {
  return part(request(control::McpStatus{}), &control::McpStatusReply::mcpServers);
}

Result<void> Session::mcp_reconnect(std::string server) {
  control::McpReconnect body;
  body.serverName = std::move(server);
  return done(request(std::move(body)));
}

Result<void> Session::mcp_toggle(std::string server, bool enabled) {
  control::McpToggle body;
  body.serverName = std::move(server);
  body.enabled = enabled;
  return done(request(std::move(body)));
}

Result<control::McpSetServersReply> Session::mcp_set_servers(Map<McpServerConfig> servers) {
  control::McpSetServers body;
  body.servers = std::move(servers);
  return request(std::move(body));
}

Result<std::vector<mcp::ResourceContents>> Session::mcp_read_resource(std::string server,
                                                                      std::string uri) {
  control::McpReadResource body;
  body.serverName = std::move(server);
  body.uri = std::move(uri);
  return part(request(std::move(body)), &control::McpReadResourceReply::contents);
}

Result<control::McpCallReply> Session::mcp_call(std::string full_tool_name, RawJson arguments) {
  control::McpCall body;
  body.tool = std::move(full_tool_name);
  body.arguments = std::move(arguments);
  return request(std::move(body));
}

Result<void> Session::mcp_permission_mode(std::string server, std::optional<PermissionMode> mode) {
  control::SetMcpPermissionModeOverride body;
  body.serverName = std::move(server);
  if (mode) body.mode = Enum<PermissionMode>(*mode);
  return done(request(std::move(body)));
}

Result<std::vector<McpServerStatus>> Session::wait_mcp_ready(std::chrono::milliseconds timeout) {
  // The wire has no event for it, so the state is asked for until it is settled.
  constexpr std::chrono::milliseconds kPause{50};
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  for (;;) {
    auto servers = mcp_status();
    if (!servers) return servers;
    std::string connecting;
    for (const McpServerStatus& server : *servers) {
      if (server.status == McpConnection::pending) {
        connecting += (connecting.empty() ? "" : ", ") + server.name;
      }
    }
    if (connecting.empty()) return servers;
    if (std::chrono::steady_clock::now() + kPause > deadline) {
      return Error(ErrorCode::kTimeout, "MCP servers are still connecting: " + connecting);
    }
    std::this_thread::sleep_for(kPause);
  }
}

// ---- files, plugins, environment ----------------------------------------------------------------

Result<control::ReadFileReply> Session::read_file(std::string path) {
  control::ReadFile body;
  body.path = std::move(path);
  return request(std::move(body));
}

Result<std::vector<control::FileSuggestion>> Session::file_suggestions(std::string query) {
  control::FileSuggestions body;
  body.query = std::move(query);
  return part(request(std::move(body)), &control::FileSuggestionsReply::suggestions);
}

Result<void> Session::seed_read_state(std::string path, std::int64_t mtime_ms) {
  control::SeedReadState body;
  body.path = std::move(path);
  body.mtime = mtime_ms;
  return done(request(std::move(body)));
}

Result<void> Session::register_repo_root(std::string directory) {
  control::RegisterRepoRoot body;
  body.directory = std::move(directory);
  return done(request(std::move(body)));
}

Result<control::ReloadPluginsReply> Session::reload_plugins() {
  auto reply = request(control::ReloadPlugins{});
  if (reply && reply->commands) inside()->keep_commands(*reply->commands);
  return reply;
}
Result<std::vector<SlashCommand>> Session::reload_skills() {
  return part(request(control::ReloadSkills{}), &control::ReloadSkillsReply::skills);
}
Result<std::vector<std::string>> Session::reload_output_styles() {
  return part(request(control::ReloadOutputStyles{}),
              &control::ReloadOutputStylesReply::available_output_styles);
}

}  // namespace parley
