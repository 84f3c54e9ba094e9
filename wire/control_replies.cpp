// Compiles the codecs of the replies to control requests.
#include "tables/control_replies.hpp"

#include "tables/control_settings.hpp"
#include "tables/control_usage.hpp"

namespace parley {

PARLEY_DEFINE_CODEC(control::McpMessageReply)
PARLEY_DEFINE_CODEC(control::InitializeReply)
PARLEY_DEFINE_CODEC(control::InterruptReply)
PARLEY_DEFINE_CODEC(control::SetPermissionModeReply)
PARLEY_DEFINE_CODEC(control::SetModelReply)
PARLEY_DEFINE_CODEC(control::SetMaxThinkingTokensReply)
PARLEY_DEFINE_CODEC(control::ElicitationReply)
PARLEY_DEFINE_CODEC(control::RequestUserDialogReply)
PARLEY_DEFINE_CODEC(control::EndSessionReply)
PARLEY_DEFINE_CODEC(control::RenameSessionReply)
PARLEY_DEFINE_CODEC(control::SetColorReply)
PARLEY_DEFINE_CODEC(control::SetHasSubscribersReply)
PARLEY_DEFINE_CODEC(control::CancelAsyncMessageReply)
PARLEY_DEFINE_CODEC(control::GetBinaryVersionReply)
PARLEY_DEFINE_CODEC(control::ListModelsReply)
PARLEY_DEFINE_CODEC(control::ListPermissionRulesReply)
PARLEY_DEFINE_CODEC(control::SetMcpPermissionModeOverrideReply)
PARLEY_DEFINE_CODEC(control::McpStatusReply)
PARLEY_DEFINE_CODEC(control::McpSetServersReply)
PARLEY_DEFINE_CODEC(control::McpReconnectReply)
PARLEY_DEFINE_CODEC(control::McpToggleReply)
PARLEY_DEFINE_CODEC(control::McpReadResourceReply)
PARLEY_DEFINE_CODEC(control::McpCallReply)
PARLEY_DEFINE_CODEC(control::StopTaskReply)
PARLEY_DEFINE_CODEC(control::BackgroundTasksReply)
PARLEY_DEFINE_CODEC(control::GetTaskOutputReply)
PARLEY_DEFINE_CODEC(control::RewindFilesReply)
PARLEY_DEFINE_CODEC(control::ReadFileReply)
PARLEY_DEFINE_CODEC(control::SeedReadStateReply)
PARLEY_DEFINE_CODEC(control::FileSuggestionsReply)
PARLEY_DEFINE_CODEC(control::RegisterRepoRootReply)
PARLEY_DEFINE_CODEC(control::ApplyFlagSettingsReply)
PARLEY_DEFINE_CODEC(control::UpdateSettingsReply)
PARLEY_DEFINE_CODEC(control::GetSettingsReply)
PARLEY_DEFINE_CODEC(control::GetHooksListingReply)
PARLEY_DEFINE_CODEC(control::ReloadPluginsReply)
PARLEY_DEFINE_CODEC(control::ReloadSkillsReply)
PARLEY_DEFINE_CODEC(control::ReloadOutputStylesReply)
PARLEY_DEFINE_CODEC(control::GetContextUsageReply)
PARLEY_DEFINE_CODEC(control::GetSessionCostReply)
PARLEY_DEFINE_CODEC(control::GetUsageReply)

}  // namespace parley
