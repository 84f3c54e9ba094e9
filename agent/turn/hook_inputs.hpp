// What every hook is told, and what hooks want the user to read.
#pragma once

#include "../session/session.hpp"

namespace parley::agent {

/// Fills in what every event carries.
void fill(hooks::Input& event, const Session& session);
/// Fills in what every event of a turn carries.
void fill(hooks::Input& event, const Session& session, const std::string& prompt_id);

/// Messages of hooks to the user, and failures that were taken as no answer.
void show_hook_messages(Session& session, const HookVerdict& verdict);

}  // namespace parley::agent
