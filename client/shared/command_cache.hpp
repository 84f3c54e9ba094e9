// Slash commands without a session: what a menu shows before anything is asked.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "../../wire/error.hpp"
#include "../../wire/messages/catalog.hpp"

namespace parley {

struct Options;

/// Keeps the slash commands that CLIs have told of, because asking one means starting it. Sessions
/// with DeliveryOptions::command_cache fill it: when they connect, when the agent says that its
/// commands have changed, and when plugins are reloaded. One object may serve all sessions of a
/// program.
///
/// Commands are kept by what they depend on: the CLI (Options::cli), folder, environment, user,
/// plugins, skills, settings and their sources, MCP servers, additional folders and extra flags.
/// So sessions that differ in other things share them, and another configuration of plugins has
/// commands of its own. Changes to files that none of these names, e.g. a plugin that was switched
/// on in a settings file, show when what is kept is too old, or after forget().
///
/// Thread-safe.
class CommandCache {
 public:
  /// What is older than this is asked for again; zero: always.
  explicit CommandCache(std::chrono::milliseconds max_age = std::chrono::minutes(5));
  ~CommandCache();
  CommandCache(const CommandCache&) = delete;
  CommandCache& operator=(const CommandCache&) = delete;

  /// The commands of a session with these options. If none are kept, or only old ones, a CLI is
  /// started, asked and closed, which may last as long as Session::connect() and fails as that
  /// does. Nothing is sent to a model. Several threads that ask for the same start one CLI.
  Result<std::vector<SlashCommand>> commands(const Options& options);
  /// What is kept for these options, however old; at once.
  [[nodiscard]] std::optional<std::vector<SlashCommand>> kept(const Options& options) const;
  /// Keeps these from now on. Sessions call it.
  void put(const Options& options, std::vector<SlashCommand> commands);
  /// Drops everything, e.g. after a plugin was installed.
  void forget();

  /// So many configurations are kept; beyond that the oldest goes.
  static constexpr std::size_t kMostEntries = 64;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace parley
