#include "agent/session/session_tools.hpp"

#include <algorithm>

#include "agent/api/page_fetch.hpp"
#include "agent/mcp/resource_tools.hpp"
#include "agent/session/config/debug_log.hpp"
#include "agent/tools/shell/sandbox.hpp"
#include "agent/tools/structured_output.hpp"
#include "agent/tools/tool_search.hpp"
#include "agent/tools/toolbox.hpp"
#include "support/process/spawn.hpp"
#include "wire/tools/registry.hpp"

namespace parley::agent {
namespace {

/// So many characters of descriptions and schemas of MCP tools are sent with every request; of
/// more, the model is told the names only.
constexpr std::size_t kMostDescriptions = 60'000;

bool is_working_folder(const Permissions& permissions, const std::filesystem::path& folder) {
  for (const std::filesystem::path& allowed : permissions.folders()) {
    const auto [end, ignored] =
        std::mismatch(allowed.begin(), allowed.end(), folder.begin(), folder.end());
    if (end == allowed.end()) return true;
  }
  return false;
}

void set_plan_mode(Permissions& permissions, StatusReporter& status, bool on) {
  // An answer that approved the plan may have chosen the mode already.
  if (!on && permissions.mode() != PermissionMode::plan) return;
  const PermissionMode mode = on ? PermissionMode::plan : PermissionMode::default_;
  if (permissions.set_mode(mode)) status.mode(permissions.mode());
}

Result<FetchedPage> fetch(const std::string& url, const std::stop_token& stop) {
  auto page = fetch_page(url, stop);
  if (!page) return page.error();
  return FetchedPage{page->status, page->status_text, page->content_type, std::move(page->body),
                     page->location};
}

}  // namespace

SessionTools::SessionTools(Setup setup)
    : config_(setup.config),
      permissions_(setup.permissions),
      servers_(setup.servers),
      resource_tools_(make_resource_tools(setup.servers)),
      tool_search_(make_tool_search([this] {
        std::vector<SharedTool> deferred;
        for (const SharedTool& tool : server_tools()) {
          if (is_deferred(*tool)) deferred.push_back(tool);
        }
        return deferred;
      })),
      structured_output_(setup.config.structured_output),
      state_(std::make_unique<ToolState>(state_setup(setup))) {}

ToolState::Setup SessionTools::state_setup(const Setup& setup) const {
  ToolState::Setup tools;
  tools.cwd = config_.cwd;
  tools.results_folder = config_.results_folder();
  tools.scratch_folder = config_.scratch_folder();
  tools.environment = config_.variables;
  tools.session_id = config_.session_id;
  tools.sandbox.enabled = config_.settings.sandbox;
  if (config_.settings.sandbox &&
      !find_program("bwrap", variable(config_.variables, "PATH", "/usr/bin:/bin"))) {
    complain(
        "Warning: sandbox.enabled is set, and bubblewrap (bwrap) is not installed: commands are "
        "refused until it is.");
  }
  Permissions& permissions = setup.permissions;
  tools.is_working_folder = [&permissions](const std::filesystem::path& folder) {
    return is_working_folder(permissions, folder);
  };
  tools.hidden_from = [&permissions](std::string_view tool) {
    return permissions.hidden_from(tool);
  };
  tools.in_plan_mode = [&permissions] { return permissions.mode() == PermissionMode::plan; };
  tools.set_plan_mode = [&permissions, &status = setup.status](bool on) {
    set_plan_mode(permissions, status, on);
  };
  tools.plan_file = config_.plan_file();
  if (!config_.flags.no_session_persistence) {
    tools.tasks_folder =
        std::filesystem::path(config_.config_folder) / "tasks" / config_.session_id;
  }
  tools.ask_model = setup.ask_model;
  tools.fetch = fetch;
  return tools;
}

Result<void> SessionTools::set_schema(const RawJson& schema) {
  auto json = schema.json();
  if (!json) return json.error();
  auto made = make_structured_output(*std::move(json));
  if (!made) return made.error();
  structured_output_.set(*std::move(made));
  return {};
}

std::vector<SharedTool> SessionTools::offered() const {
  OfferOptions options;
  options.tools = config_.flags.tools;
  options.can_ask = config_.can_ask();
  for (const auto& tool : all_tools()) {
    if (permissions_.removed(tool->name())) options.disallowed.emplace_back(tool->name());
  }
  std::vector<SharedTool> offered;
  for (const SharedTool& tool : added_) {
    if (!permissions_.removed(tool->name()) && is_wanted(*tool)) offered.push_back(tool);
  }
  // Those live as long as the program: nobody owns them.
  for (const Tool* tool : offered_tools(options)) offered.emplace_back(SharedTool(), tool);
  const auto add = [&](const SharedTool& tool) {
    if (!permissions_.removed(tool->name())) offered.push_back(tool);
  };
  const std::vector<SharedTool> from_servers = server_tools();
  if (servers_.any_resources()) {
    for (const SharedTool& tool : resource_tools_) add(tool);
  }
  if (!from_servers.empty() && is_deferred(*from_servers.front())) add(tool_search_);
  std::sort(offered.begin(), offered.end(),
            [](const SharedTool& a, const SharedTool& b) { return a->name() < b->name(); });
  if (SharedTool structured = structured_output()) offered.push_back(std::move(structured));
  for (const SharedTool& tool : from_servers) offered.push_back(tool);
  return offered;
}

/// By --tools, for a tool that is offered by default.
bool SessionTools::is_wanted(const Tool& tool) const {
  const auto& named = config_.flags.tools;
  if (!named || *named == std::vector<std::string>{"default"}) return true;
  return std::any_of(named->begin(), named->end(),
                     [&](const std::string& name) { return known(name).get() == &tool; });
}

/// Those of MCP servers.
std::vector<SharedTool> SessionTools::server_tools() const {
  std::vector<SharedTool> tools = servers_.tools();
  std::erase_if(tools, [this](const SharedTool& tool) {
    // The one that decides about the others is nothing for the model.
    return permissions_.removed(tool->name()) ||
           tool->name() == config_.flags.permission_prompt_tool;
  });
  return tools;
}

bool SessionTools::is_deferred(const Tool& tool) const {
  if (tool.origin() == nullptr) return false;
  const std::string wanted = variable(config_.environment, "ENABLE_TOOL_SEARCH");
  if (wanted == "false" || wanted == "0") return false;
  return wanted == "true" || wanted == "1" || servers_.description_length() > kMostDescriptions;
}

SharedTool SessionTools::known(std::string_view name) const {
  const tools::ToolInfo* const info = tools::find_tool(name);
  for (const SharedTool& tool : added_) {
    if (tool->name() == name || (info != nullptr && tool->name() == info->name)) return tool;
  }
  if (const Tool* const own = find_tool(name)) return {SharedTool(), own};
  for (const SharedTool& tool : resource_tools_) {
    if (tool->name() == name) return tool;
  }
  if (tool_search_->name() == name) return tool_search_;
  return servers_.tool(name);
}

}  // namespace parley::agent
