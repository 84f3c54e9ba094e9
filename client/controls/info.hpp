// session.info(): questions about a running session.
#pragma once

#include <string>
#include <vector>

#include "../../wire/messages/catalog.hpp"
#include "../session.hpp"

namespace parley {

// Whoever calls what gives these back includes wire/control/control.hpp.
namespace control {
struct GetContextUsageReply;
struct GetUsageReply;
}  // namespace control

/// What the agent says when it is asked. What the session knows without asking is in
/// Session::ledger().
class SessionInfo : public SessionView {
 public:
  using SessionView::SessionView;

  /// How full the context window is, and of what.
  Result<control::GetContextUsageReply> context_usage();
  /// What was used of the account's limits.
  Result<control::GetUsageReply> usage();
  /// What the session has cost, as a text for a person.
  Result<std::string> cost();
  /// The models that may be named in Session::set_model().
  Result<std::vector<ModelInfo>> models();
  /// The types of agents there are, as told in the answer to `initialize`.
  Result<std::vector<AgentInfo>> agents();
  /// Whose account it is, as told in the answer to `initialize`.
  Result<AccountInfo> account();
  /// The version of the CLI.
  Result<std::string> cli_version();
};

}  // namespace parley
