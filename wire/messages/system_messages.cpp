// Compiles the codecs of the system messages.
#include "../tables/system_messages.hpp"

namespace parley {

PARLEY_DEFINE_CODEC(CompactBoundary)
PARLEY_DEFINE_CODEC(SystemInit)
PARLEY_DEFINE_CODEC(SystemStatus)
PARLEY_DEFINE_CODEC(ApiRetry)
PARLEY_DEFINE_CODEC(ControlRequestProgress)
PARLEY_DEFINE_CODEC(ModelRefusalFallback)
PARLEY_DEFINE_CODEC(ModelRefusalNoFallback)
PARLEY_DEFINE_CODEC(ModelFallback)
PARLEY_DEFINE_CODEC(LocalCommandOutput)
PARLEY_DEFINE_CODEC(HookStarted)
PARLEY_DEFINE_CODEC(HookProgress)
PARLEY_DEFINE_CODEC(HookResponse)
PARLEY_DEFINE_CODEC(PluginInstall)
PARLEY_DEFINE_CODEC(TaskNotification)
PARLEY_DEFINE_CODEC(TaskStarted)
PARLEY_DEFINE_CODEC(TaskUpdated)
PARLEY_DEFINE_CODEC(TaskProgress)
PARLEY_DEFINE_CODEC(BackgroundTasksChanged)
PARLEY_DEFINE_CODEC(ThinkingTokens)
PARLEY_DEFINE_CODEC(SessionStateChanged)
PARLEY_DEFINE_CODEC(WorkerShuttingDown)
PARLEY_DEFINE_CODEC(CommandsChanged)
PARLEY_DEFINE_CODEC(Notification)
PARLEY_DEFINE_CODEC(FilesPersisted)
PARLEY_DEFINE_CODEC(MemoryRecall)
PARLEY_DEFINE_CODEC(ElicitationComplete)
PARLEY_DEFINE_CODEC(PermissionDenied)
PARLEY_DEFINE_CODEC(MirrorError)
PARLEY_DEFINE_CODEC(Informational)
PARLEY_DEFINE_CODEC(SessionWritesLost)
PARLEY_DEFINE_CODEC(SessionTitleChanged)

}  // namespace parley
