// The inside of an McpServer: what it offers, and who hears of a change. Internal to client/.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../handlers/tools.hpp"
#include "mcp_prompts.hpp"
#include "resources.hpp"

namespace parley {

namespace detail {

/// Hears, from any thread, that a server offers something else. Called without the server's lock.
class McpListener {
 public:
  virtual ~McpListener() = default;
  /// `notification` is the method that tells a client so.
  virtual void on_list_changed(std::string_view notification) = 0;
  virtual void on_resource_changed(const std::string& uri) = 0;
};

}  // namespace detail

struct McpServer::State {
  std::string name, version;  ///< Fixed.

  std::mutex mutex;
  std::string instructions;
  std::vector<ToolDefinition> tools;
  std::vector<ResourceDefinition> resources;
  std::vector<ResourceTemplateDefinition> templates;
  std::vector<PromptDefinition> prompts;
  std::vector<std::weak_ptr<detail::McpListener>> listeners;

  void listen(const std::weak_ptr<detail::McpListener>& listener);
  /// Without the lock.
  [[nodiscard]] std::vector<std::shared_ptr<detail::McpListener>> alive();

  [[nodiscard]] std::optional<ToolDefinition> find_tool(std::string_view tool_name);
  [[nodiscard]] std::optional<PromptDefinition> find_prompt(std::string_view prompt_name);
  /// The function that reads what is there, the request for it, and its media type.
  struct Found {
    ReadResource read;
    ResourceRequest request;
    std::optional<std::string> media_type;
  };
  [[nodiscard]] std::optional<Found> find_resource(const std::string& uri);
  /// The function that completes what `reference` names; empty if nothing does, nothing if there is
  /// no such thing.
  [[nodiscard]] std::optional<Complete> find_completion(const mcp::CompletionReference& reference);

  [[nodiscard]] RawJson capabilities();
  [[nodiscard]] bool has_resources();
  [[nodiscard]] bool has_prompts();
};

}  // namespace parley
