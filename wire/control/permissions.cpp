// Compiles the codecs of the permission types.
#include "../tables/permissions.hpp"

namespace parley {

PARLEY_DEFINE_UNION(PermissionUpdate)
PARLEY_DEFINE_UNION(PermissionResult)
PARLEY_DEFINE_CODEC(PermissionUpdate)
PARLEY_DEFINE_CODEC(PermissionResult)
PARLEY_DEFINE_CODEC(PermissionDenial)

}  // namespace parley
