// The hooks of a session: how they ask the client and show themselves, and those that run at its
// beginning and its end.
#pragma once

#include <memory>

#include "../connection/asker.hpp"
#include "../hooks/hooks.hpp"
#include "../session/config/session_config.hpp"

namespace parley::agent {

/// The hooks of the settings; those of the client come with its `initialize`.
[[nodiscard]] Hooks::Setup hook_setup(const SessionConfig& config, Asker& asker,
                                      MessageSink& messages);

/// Runs the SessionStart hooks.
[[nodiscard]] HookVerdict run_start_hooks(Hooks& hooks, const hooks::Input& about, bool resumed,
                                          const std::string& model, const std::stop_token& stop);
/// Runs the SessionEnd hooks.
void run_end_hooks(Hooks& hooks, const hooks::Input& about);

}  // namespace parley::agent
