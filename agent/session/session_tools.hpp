// The tools of the session itself: which of them are offered, by flags, permissions and the client,
// and the ways from them to the rest of the agent.
#pragma once

#include <functional>
#include <memory>

#include "../connection/reporters.hpp"
#include "../permissions/permissions.hpp"
#include "../tools/tool_set.hpp"
#include "../tools/tool_state.hpp"
#include "config/session_config.hpp"
#include "guarded.hpp"

namespace parley::agent {

class McpServers;

/// Thread-safe.
class SessionTools final : public ToolSet {
 public:
  /// What the tools reach besides; lives longer than they do.
  struct Setup {
    const SessionConfig& config;
    Permissions& permissions;
    StatusReporter& status;
    const McpServers& servers;
    /// Puts a question to a model for side jobs.
    std::function<Result<std::string>(const std::string& question, std::stop_token stop)> ask_model;
  };
  explicit SessionTools(Setup setup);

  [[nodiscard]] std::vector<SharedTool> offered() const override;
  [[nodiscard]] SharedTool known(std::string_view name) const override;
  [[nodiscard]] bool is_deferred(const Tool& tool) const override;
  [[nodiscard]] SharedTool structured_output() const override { return structured_output_.copy(); }
  [[nodiscard]] ToolState& state() const override { return *state_; }

  /// Offers more tools, before the others, unless flags or rules leave them out. They live as long
  /// as the set. Before the first request to the model.
  void add(std::vector<SharedTool> tools) { added_ = std::move(tools); }
  /// Offers StructuredOutput with this schema from the next request to the model on.
  Result<void> set_schema(const RawJson& schema);
  /// Ends every command and whatever commands left running. None starts afterwards.
  void end() { state_->end(); }

 private:
  [[nodiscard]] bool is_wanted(const Tool& tool) const;
  [[nodiscard]] ToolState::Setup state_setup(const Setup& setup) const;
  [[nodiscard]] std::vector<SharedTool> server_tools() const;

  const SessionConfig& config_;
  const Permissions& permissions_;
  const McpServers& servers_;
  const std::vector<SharedTool> resource_tools_;
  const SharedTool tool_search_;
  Guarded<SharedTool> structured_output_;
  std::vector<SharedTool> added_;
  std::unique_ptr<ToolState> state_;
};

}  // namespace parley::agent
