// What makes the conversation of a subagent different from that of its session: how the model is
// asked, which tools there are, and under which permissions they run.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "../../history/listing/roots.hpp"
#include "../permissions/permissions.hpp"
#include "../session/config/session_config.hpp"
#include "../session/guarded.hpp"
#include "../session/session_state.hpp"
#include "../tools/tool_state.hpp"
#include "../turn/turn_context.hpp"
#include "subagent_identity.hpp"

namespace parley::agent {

/// The session as its subagents see it. References: the session lives longer.
struct AgentHost {
  TurnContext& session;
  const SessionConfig& config;
  Guarded<SessionOverrides>& overrides;
  Permissions& permissions;
  AgentCatalog& catalog;
  std::function<history::SessionPlace()> place;  ///< Where the files of the session are.
};

/// How the model is asked.
class SubagentRequests final : public RequestBuilder {
 public:
  SubagentRequests(const AgentHost& host, const SubagentIdentity& identity)
      : host_(host), identity_(identity) {}
  [[nodiscard]] std::string model() const override;
  [[nodiscard]] ApiRequest request(const std::string& model) const override;
  /// What hooks want the agent to know.
  void add_note(const std::string& text);

 private:
  const AgentHost& host_;
  const SubagentIdentity& identity_;
  Guarded<std::string> notes_;
};

/// The tools of the session as far as the kind of the agent has them, without those that speak with
/// the user.
class SubagentTools final : public ToolSet {
 public:
  /// `own`: tools that take the place of the session's of the same names.
  SubagentTools(const ToolSet& session, const SubagentIdentity& identity,
                std::vector<SharedTool> own);

  [[nodiscard]] std::vector<SharedTool> offered() const override;
  [[nodiscard]] SharedTool known(std::string_view name) const override;
  [[nodiscard]] SharedTool structured_output() const override { return nullptr; }
  [[nodiscard]] ToolState& state() const override { return *state_; }

 private:
  [[nodiscard]] bool wants(const Tool& tool) const;

  const ToolSet& session_;
  const SubagentIdentity& identity_;
  const std::vector<SharedTool> own_;
  const std::unique_ptr<ToolState> state_;
};

/// The rules of the session in the mode of the agent's kind. A session that asks less than that
/// kind would stays in charge.
class SubagentPermissions final : public PermissionPolicy {
 public:
  SubagentPermissions(Permissions& session, const SubagentIdentity& identity)
      : session_(session), identity_(identity) {}

  [[nodiscard]] Enum<PermissionMode> mode() const override;
  [[nodiscard]] Verdict judge(std::string_view tool, const RawJson& input, const Intent& intent,
                              const std::filesystem::path& cwd) const override;
  [[nodiscard]] std::function<bool(const std::filesystem::path&)> hidden_from(
      std::string_view tool) const override;
  Result<std::optional<Enum<PermissionMode>>> apply(
      const std::vector<PermissionUpdate>& updates) override;

 private:
  Permissions& session_;
  const SubagentIdentity& identity_;
};

}  // namespace parley::agent
