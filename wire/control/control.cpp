// Compiles the codecs of the control requests.
#include "control.hpp"

#include "../tables/control.hpp"
#include "../tables/control_requests.hpp"

namespace parley {

template class Box<ControlBody>;
// Fresh, it is nothing this build knows, rather than a request that nobody made.
PARLEY_DEFINE_UNION(ControlBody, Unknown{})
PARLEY_DEFINE_UNION(PendingRequest)
PARLEY_DEFINE_UNION(ControlOutcome)
PARLEY_DEFINE_CODEC(ControlBody)
PARLEY_DEFINE_CODEC(ControlRequest)
PARLEY_DEFINE_CODEC(ControlOutcome)
PARLEY_DEFINE_CODEC(ControlResponse)

}  // namespace parley
