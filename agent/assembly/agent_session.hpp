// A session, put together: makes the parts, gives each what it needs of the others, and hands out
// the two views that the rest of the program works with: what a turn needs, and what the client may
// reach beside it. Nothing but the program itself (agent.cpp) knows this class.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "../agents/subagents.hpp"
#include "../connection/output.hpp"
#include "../connection/task_reporter.hpp"
#include "../control/control_context.hpp"
#include "../session/transcript.hpp"
#include "../turn/turn.hpp"
#include "api_model.hpp"
#include "client_host.hpp"

namespace parley::agent {

/// A resource: made once, before the first message.
class AgentSession {
 public:
  /// Both live longer than the session.
  AgentSession(const SessionConfig& config, Output& output);
  AgentSession(const AgentSession&) = delete;
  AgentSession& operator=(const AgentSession&) = delete;

  /// Reads the earlier run, if one is resumed. Before everything else.
  Result<void> resume();

  /// What a client reaches, on any thread.
  [[nodiscard]] ControlContext& control() { return *control_; }
  /// What turns need, on the turn thread.
  [[nodiscard]] SessionTurnContext& turns() { return *turns_; }

  /// Begins to connect to the MCP servers. Returns at once.
  void start_servers() { servers_.start(config_.mcp_servers); }

  /// Runs the SessionStart hooks. What they want said in the user's place is the first prompt.
  void run_start_hooks();
  /// Runs the SessionEnd hooks.
  void run_end_hooks();
  /// Ends every subagent, every command, whatever commands left running, and every MCP server.
  /// Nothing runs after it.
  void end_tools();

 private:
  /// How the model is asked in the session's own conversation.
  class Requests final : public RequestBuilder {
   public:
    explicit Requests(const AgentSession& session) : session_(session) {}
    [[nodiscard]] std::string model() const override;
    [[nodiscard]] ApiRequest request(const std::string& model) const override;

   private:
    const AgentSession& session_;
  };

  void make_checkpoints(const EarlierRun& run);
  void make_views();
  [[nodiscard]] hooks::Input about() const;

  // In the order of their needs: what is below uses what is above, and ends before it.
  const SessionConfig& config_;
  Output& output_;
  const DebugLog debug_;
  Asker asker_;
  PromptQueue prompts_;
  PromptReporter reporter_;
  StatusReporter status_;
  Guarded<SessionOverrides> overrides_;
  Guarded<SessionTotals> totals_;
  SessionCost cost_;
  Conversation conversation_;
  Permissions permissions_;
  Transcript transcript_;
  SessionTitle title_;
  std::unique_ptr<FileCheckpoints> checkpoints_;  ///< If they are switched on.
  ApiModel model_;
  Requests requests_;
  TaskReporter tasks_;
  ClientHost host_;
  McpServers servers_;
  SessionTools tools_;
  Hooks hooks_;
  AgentCatalog agents_;
  BackgroundThreads threads_;
  RunningTurn running_;
  std::optional<DeferredCall> deferred_;  ///< Of the earlier run, until make_views().

  std::optional<TurnContext> turn_;
  std::optional<Subagents> subagents_;
  std::optional<SessionTurnContext> turns_;
  std::optional<ControlContext> control_;
};

}  // namespace parley::agent
