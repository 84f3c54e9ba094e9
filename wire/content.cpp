// Compiles the codecs of the Messages API's types.
#include "tables/content.hpp"

#include "tables/stream.hpp"

namespace parley {

PARLEY_DEFINE_CODEC(Usage)
PARLEY_DEFINE_CODEC(ModelUsage)
PARLEY_DEFINE_CODEC(Source)
PARLEY_DEFINE_CODEC(ContentBlock)
PARLEY_DEFINE_CODEC(ApiMessage)
PARLEY_DEFINE_CODEC(MessageParam)
PARLEY_DEFINE_CODEC(ApiEvent)

}  // namespace parley
