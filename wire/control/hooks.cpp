// Compiles the codecs of hook inputs and outputs.
#include "../tables/hooks.hpp"

namespace parley {

namespace hooks {
PARLEY_DEFINE_UNION(PermissionRequestDecision)
}  // namespace hooks

PARLEY_DEFINE_UNION(HookSpecificOutput)
PARLEY_DEFINE_UNION(HookInput)
PARLEY_DEFINE_CODEC(HookInput)
PARLEY_DEFINE_CODEC(HookMatcher)
PARLEY_DEFINE_CODEC(HookOutput)

}  // namespace parley
