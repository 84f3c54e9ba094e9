// What a client may ask a session about itself. Everything here is called on the reader's thread,
// beside a running turn, and only looks.
#pragma once

#include "../../wire/control/control.hpp"
#include "../session/session.hpp"

namespace parley::agent {

/// How full the window of the model is, by what fills it. Tokens are estimated from the length of
/// the texts; only what the API said of its last answer is exact.
[[nodiscard]] control::GetContextUsageReply context_usage(const Session& session);

/// Time, money, tokens and changed lines so far.
[[nodiscard]] control::GetUsageReply usage_so_far(const Session& session);
/// The same for people.
[[nodiscard]] std::string usage_text(const Session& session);

/// The settings as they are now on disk and by flag, each source and all merged.
[[nodiscard]] Result<control::GetSettingsReply> list_settings(const Session& session);
/// The hooks of the settings that this session began with, and every event there is.
[[nodiscard]] control::GetHooksListingReply list_hooks(const Session& session);
[[nodiscard]] control::ListPermissionRulesReply list_rules(const Session& session);

/// The beginning of a file that the Read tool could read unasked. Everything else is one error, so
/// that nothing can be learned of what is forbidden.
[[nodiscard]] Result<control::ReadFileReply> read_file(const Session& session,
                                                       const control::ReadFile& request);
/// Files and folders that fit what somebody has typed of a path, best first.
[[nodiscard]] control::FileSuggestionsReply suggest_files(const Session& session,
                                                          const std::string& typed);

}  // namespace parley::agent
