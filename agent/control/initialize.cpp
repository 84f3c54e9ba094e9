#include <future>

#include "agent/connection/init_message.hpp"
#include "agent/control/requests.hpp"
#include "agent/mcp/servers.hpp"

namespace parley::agent::requests {
namespace {

/// Callbacks of some events are registered and never called, as by the real one: when these happen,
/// nobody may be there yet, or any more.
void register_hooks(Hooks& hooks, const Map<std::vector<HookMatcher>>& wanted) {
  Map<std::vector<HookMatcher>> called;
  for (const auto& [event, matchers] : wanted) {
    if (event != "SessionStart" && event != "SessionEnd" && event != "Setup" &&
        event != "Notification") {
      called[event] = matchers;
    }
  }
  hooks.register_callbacks(called);
}

/// The text of a prompt that is one text or a list of them.
template <class Prompt>
std::string prompt_text(const Prompt& prompt) {
  std::string text;
  if (const auto* one = std::get_if<std::string>(&prompt)) text = *one;
  if (const auto* list = std::get_if<std::vector<std::string>>(&prompt)) {
    for (const std::string& part : *list) text += (text.empty() ? "" : "\n\n") + part;
  }
  return text;
}

/// What is wrong with the hooks that a client wants to register.
std::optional<ControlReply> check_hooks(const Map<std::vector<HookMatcher>>& hooks) {
  for (const auto& [event, matchers] : hooks) {
    for (const HookMatcher& matcher : matchers) {
      if (!matcher.hookCallbackIds.empty()) continue;
      return refuse("initialize: the hooks of " + event +
                    " need hookCallbackIds, an array of strings, in each matcher");
    }
  }
  return std::nullopt;
}

/// The servers that live in the client.
std::vector<McpServerEntry> servers_in_client(const control::Initialize& request) {
  std::vector<McpServerEntry> entries;
  for (const std::string& name : request.sdkMcpServers.value_or(std::vector<std::string>{})) {
    McpServerEntry entry;
    entry.name = name;
    entry.scope = "dynamic";
    entry.config.type = McpTransport::sdk;
    entry.config.name = name;
    if (request.sdkMcpServerConfigs) {
      const auto* const found = request.sdkMcpServerConfigs->find(name);
      if (found != nullptr) entry.config.timeout = found->timeout;
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

/// Does what the request wants. The body of the answer, or what is wrong with it.
ControlReply apply(ControlContext& context, const control::Initialize& request) {
  if (request.hooks) {
    if (const auto refused = check_hooks(*request.hooks)) return *refused;
    register_hooks(context.hooks, *request.hooks);
  }
  context.overrides.change([&](SessionOverrides& overrides) {
    if (request.systemPrompt) overrides.system_prompt = prompt_text(*request.systemPrompt);
    if (request.appendSystemPrompt) overrides.append_system_prompt = *request.appendSystemPrompt;
    if (request.promptSuggestions) overrides.prompt_suggestions = *request.promptSuggestions;
    overrides.stops_tasks_itself = request.perTaskStopAffordance.value_or(false);
    if (request.forwardSubagentText) overrides.forward_subagent_text = *request.forwardSubagentText;
  });
  if (request.jsonSchema) {
    if (auto made = context.tools.set_schema(*request.jsonSchema); !made) return made.error();
  }
  if (request.title) context.title.rename(*request.title);
  if (request.agents) context.add_agents(*request.agents);
  control::InitializeReply reply =
      initialize_reply(context.config, context.permissions.mode(), context.access);
  reply.agents = context.list_agents();
  if (request.hooks) reply.hooks_applied = true;
  return encoded(reply);
}

}  // namespace

void initialize(ControlContext& context, const control::Initialize& request,
                const Responder& responder) {
  const ControlReply reply = apply(context, request);
  // Servers in the client are greeted before the answer and hear the rest after it.
  std::promise<void> answered;
  const auto waiting = context.asker.pending();
  if (reply) {
    context.servers.start_in_client(servers_in_client(request), answered.get_future().share());
  }
  if (reply) {
    responder.send(*reply, waiting);
  } else {
    responder.send(reply);
  }
  answered.set_value();
}

}  // namespace parley::agent::requests
