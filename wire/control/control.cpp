// Compiles the codecs of the control requests.
#include "control.hpp"

#include "../tables/control.hpp"
#include "../tables/control_requests.hpp"

namespace parley {

PARLEY_DEFINE_UNION(ControlBody)
PARLEY_DEFINE_CODEC(ControlBody)
PARLEY_DEFINE_CODEC(ControlRequest)
PARLEY_DEFINE_CODEC(ControlOutcome)
PARLEY_DEFINE_CODEC(ControlResponse)

}  // namespace parley
