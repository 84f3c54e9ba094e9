// Compiles the codecs of the Messages API's types, and the comparisons of the recursive ones.
#include "../tables/content.hpp"

#include "../tables/stream.hpp"

namespace parley {

// A defaulted comparison of a type that holds itself sends clang into an endless recursion as soon
// as it may be inline.
bool ToolResultBlock::operator==(const ToolResultBlock& other) const {
  return detail::equal_objects(detail::TableOf<ToolResultBlock>::kObject, this, &other);
}
bool McpToolResultBlock::operator==(const McpToolResultBlock& other) const {
  return detail::equal_objects(detail::TableOf<McpToolResultBlock>::kObject, this, &other);
}

PARLEY_DEFINE_UNION(Source)
PARLEY_DEFINE_UNION(ContentBlock)
PARLEY_DEFINE_UNION(BlockDelta)
PARLEY_DEFINE_UNION(ApiEvent)

PARLEY_DEFINE_CODEC(Usage)
PARLEY_DEFINE_CODEC(ModelUsage)
PARLEY_DEFINE_CODEC(Source)
PARLEY_DEFINE_CODEC(ContentBlock)
PARLEY_DEFINE_CODEC(ApiMessage)
PARLEY_DEFINE_CODEC(MessageParam)
PARLEY_DEFINE_CODEC(ApiEvent)

}  // namespace parley
