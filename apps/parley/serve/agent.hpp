// Which agent `parley serve` runs, and the demo that it falls back to.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "client/options.hpp"
#include "model/model_server.hpp"

namespace parley::app {

struct ServeAgent {
  Options options;
  std::string command;                        ///< For people.
  std::vector<std::string> transcript_roots;  ///< Where it keeps its sessions.
  /// The demo: the model that the agent talks to, and where its sessions run.
  std::unique_ptr<model::ModelServer> model;
  std::filesystem::path scratch;
};

struct ServeAgentChoice {
  std::string command;  ///< --agent: a program and its arguments, blanks between.
  bool demo = false;    ///< --demo
  std::filesystem::path data;
};

/// --agent; else `claude` where it is usually found; else the parley-agent beside this program.
/// With the latter and without a key for a model, or if asked for, the demo.
[[nodiscard]] Result<ServeAgent> choose_agent(const ServeAgentChoice& choice);

}  // namespace parley::app
