#include "client/mcp/mcp_server.hpp"

#include <algorithm>

#include "client/mcp/uri_template.hpp"
#include "wire/mcp/names.hpp"

namespace parley {
namespace {

constexpr std::string_view kToolsChanged = "notifications/tools/list_changed";
constexpr std::string_view kResourcesChanged = "notifications/resources/list_changed";
constexpr std::string_view kPromptsChanged = "notifications/prompts/list_changed";

const std::string& key_of(const ToolDefinition& tool) { return tool.description.name; }
const std::string& key_of(const ResourceDefinition& resource) { return resource.description.uri; }
const std::string& key_of(const ResourceTemplateDefinition& resources) {
  return resources.description.uriTemplate;
}
const std::string& key_of(const PromptDefinition& prompt) { return prompt.description.name; }

template <class Definition>
auto find_definition(std::vector<Definition>& all, std::string_view key) {
  return std::find_if(all.begin(), all.end(),
                      [&](const Definition& one) { return key_of(one) == key; });
}

void tell_listeners(McpServer::State& state, std::string_view notification) {
  for (const auto& listener : state.alive()) listener->on_list_changed(notification);
}

template <class Definition>
void put_definition(McpServer::State& state, std::vector<Definition>& all, Definition one,
                    std::string_view notification) {
  {
    const std::lock_guard lock(state.mutex);
    const auto found = find_definition(all, key_of(one));
    if (found == all.end()) {
      all.push_back(std::move(one));
    } else {
      *found = std::move(one);
    }
  }
  tell_listeners(state, notification);
}

template <class Definition>
bool take_definition(McpServer::State& state, std::vector<Definition>& all, std::string_view key,
                     std::string_view notification) {
  {
    const std::lock_guard lock(state.mutex);
    const auto found = find_definition(all, key);
    if (found == all.end()) return false;
    all.erase(found);
  }
  tell_listeners(state, notification);
  return true;
}

}  // namespace

// ---- the handle ---------------------------------------------------------------------------------

McpServer::McpServer(std::string name, std::string version) : state_(std::make_shared<State>()) {
  state_->name = std::move(name);
  state_->version = std::move(version);
}

McpServer& McpServer::add(ToolDefinition tool) {
  put_definition(*state_, state_->tools, std::move(tool), kToolsChanged);
  return *this;
}

McpServer& McpServer::add(ResourceDefinition resource) {
  put_definition(*state_, state_->resources, std::move(resource), kResourcesChanged);
  return *this;
}

McpServer& McpServer::add(ResourceTemplateDefinition resources) {
  put_definition(*state_, state_->templates, std::move(resources), kResourcesChanged);
  return *this;
}

McpServer& McpServer::add(PromptDefinition prompt) {
  put_definition(*state_, state_->prompts, std::move(prompt), kPromptsChanged);
  return *this;
}

bool McpServer::remove(std::string_view name) {
  return take_definition(*state_, state_->tools, name, kToolsChanged);
}

bool McpServer::remove_resource(std::string_view uri) {
  return take_definition(*state_, state_->resources, uri, kResourcesChanged) ||
         take_definition(*state_, state_->templates, uri, kResourcesChanged);
}

bool McpServer::remove_prompt(std::string_view name) {
  return take_definition(*state_, state_->prompts, name, kPromptsChanged);
}

void McpServer::resource_changed(std::string_view uri) {
  for (const auto& listener : state_->alive()) listener->on_resource_changed(std::string(uri));
}

McpServer& McpServer::instructions(std::string text) {
  const std::lock_guard lock(state_->mutex);
  state_->instructions = std::move(text);
  return *this;
}

const std::string& McpServer::name() const { return state_->name; }

std::string McpServer::full_name(std::string_view tool) const {
  return mcp_tool_name(state_->name, tool);
}

// ---- the state ----------------------------------------------------------------------------------

void McpServer::State::listen(const std::weak_ptr<detail::McpListener>& listener) {
  const std::lock_guard lock(mutex);
  std::erase_if(listeners, [](const auto& old) { return old.expired(); });
  listeners.push_back(listener);
}

std::vector<std::shared_ptr<detail::McpListener>> McpServer::State::alive() {
  std::vector<std::shared_ptr<detail::McpListener>> strong;
  const std::lock_guard lock(mutex);
  for (const auto& listener : listeners) {
    if (auto one = listener.lock()) strong.push_back(std::move(one));
  }
  return strong;
}

std::optional<ToolDefinition> McpServer::State::find_tool(std::string_view tool_name) {
  const std::lock_guard lock(mutex);
  const auto found = find_definition(tools, tool_name);
  if (found == tools.end()) return std::nullopt;
  return *found;
}

std::optional<PromptDefinition> McpServer::State::find_prompt(std::string_view prompt_name) {
  const std::lock_guard lock(mutex);
  const auto found = find_definition(prompts, prompt_name);
  if (found == prompts.end()) return std::nullopt;
  return *found;
}

std::optional<McpServer::State::Found> McpServer::State::find_resource(const std::string& uri) {
  const std::lock_guard lock(mutex);
  if (const auto found = find_definition(resources, uri); found != resources.end()) {
    return Found{found->read, {uri, {}, {}}, found->description.mimeType};
  }
  for (const ResourceTemplateDefinition& one : templates) {
    if (auto variables = detail::match_uri_template(one.description.uriTemplate, uri)) {
      return Found{one.read, {uri, *std::move(variables), {}}, one.description.mimeType};
    }
  }
  return std::nullopt;
}

std::optional<Complete> McpServer::State::find_completion(
    const mcp::CompletionReference& reference) {
  const std::lock_guard lock(mutex);
  if (reference.type == "ref/prompt") {
    const auto found = find_definition(prompts, reference.name.value_or(""));
    if (found != prompts.end()) return found->complete;
  } else if (reference.type == "ref/resource") {
    const auto found = find_definition(templates, reference.uri.value_or(""));
    if (found != templates.end()) return found->complete;
  }
  return std::nullopt;
}

RawJson McpServer::State::capabilities() {
  Json all = Json::object({{"tools", Json::object({{"listChanged", true}})}});
  all.set("logging", Json::object());
  const std::lock_guard lock(mutex);
  if (!resources.empty() || !templates.empty()) {
    all.set("resources", Json::object({{"subscribe", true}, {"listChanged", true}}));
  }
  if (!prompts.empty()) all.set("prompts", Json::object({{"listChanged", true}}));
  const auto completes = [](const auto& one) { return static_cast<bool>(one.complete); };
  if (std::any_of(prompts.begin(), prompts.end(), completes) ||
      std::any_of(templates.begin(), templates.end(), completes)) {
    all.set("completions", Json::object());
  }
  return RawJson(all.dump());
}

bool McpServer::State::has_resources() {
  const std::lock_guard lock(mutex);
  return !resources.empty() || !templates.empty();
}

bool McpServer::State::has_prompts() {
  const std::lock_guard lock(mutex);
  return !prompts.empty();
}

}  // namespace parley
