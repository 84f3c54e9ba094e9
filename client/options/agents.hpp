// Options::agents: kinds of agents.
#pragma once

#include <string>

#include "../../wire/messages/catalog.hpp"

namespace parley {

/// The types of agents that a session knows beyond those in the user's and the project's files.
struct AgentOptions {
  /// Subagent types, by name: the main agent hands work to them. One that is given here wins over a
  /// file of the same name. Travels in `initialize`.
  Map<AgentDefinition> types;

  /// The type that the main agent itself is (`--agent`): one of `types`, or one from the files.
  /// Empty: the CLI's own.
  std::string main;
};

}  // namespace parley
