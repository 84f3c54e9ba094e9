// What one subagent is: its names, its place below others, and what its kind says of it.
#pragma once

#include <cstdint>
#include <string>

#include "agent_catalog.hpp"

namespace parley::agent {

/// A value.
struct SubagentIdentity {
  std::string id;           ///< "a" and sixteen letters or digits.
  std::string tool_use_id;  ///< Of the call that made it.
  std::string description;  ///< Of the work, by who gave it.
  std::string parent_id;    ///< Of the agent that made it; empty: the session.
  std::int64_t depth = 1;   ///< 1: made by the session itself.
  KnownAgent kind;
  std::string model = {};  ///< The full name, if it is not that of who made it.
};

/// So deep agents make agents.
inline constexpr std::int64_t kDeepestAgent = 3;

}  // namespace parley::agent
