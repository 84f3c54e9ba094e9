// Compiles the codecs of the Messages API's types, and the comparisons of the recursive ones.
#include "../tables/content.hpp"

#include "../tables/stream.hpp"

namespace parley {

namespace {

/// Member by member. A defaulted comparison of a type that holds itself sends clang into an endless
/// recursion as soon as it may be inline.
template <class T>
bool equal_by_table(const T& a, const T& b) {
  for (const detail::FieldOps& field : detail::TableOf<T>::kFields) {
    if (!field.member->equal(field.at_const(&a), field.at_const(&b))) return false;
  }
  return a.extra == b.extra;
}

}  // namespace

bool ToolResultBlock::operator==(const ToolResultBlock& other) const {
  return equal_by_table(*this, other);
}
bool McpToolResultBlock::operator==(const McpToolResultBlock& other) const {
  return equal_by_table(*this, other);
}

PARLEY_DEFINE_CODEC(Usage)
PARLEY_DEFINE_CODEC(ModelUsage)
PARLEY_DEFINE_CODEC(Source)
PARLEY_DEFINE_CODEC(ContentBlock)
PARLEY_DEFINE_CODEC(ApiMessage)
PARLEY_DEFINE_CODEC(MessageParam)
PARLEY_DEFINE_CODEC(ApiEvent)

}  // namespace parley
