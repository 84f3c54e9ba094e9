// A subagent that an earlier run of the session left behind: enough to have it go on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "../../history/listing/roots.hpp"
#include "../../wire/messages/messages.hpp"
#include "subagent_identity.hpp"

namespace parley::agent {

/// A value.
struct EarlierSubagent {
  SubagentIdentity identity;
  std::vector<MessageParam> messages;  ///< As the model is told.
  std::string last_uuid;
};

/// None if the session has no such agent, or its kind is not known any more.
[[nodiscard]] std::optional<EarlierSubagent> read_earlier_subagent(
    const history::SessionPlace& place, const std::string& id, const AgentCatalog& catalog);

}  // namespace parley::agent
