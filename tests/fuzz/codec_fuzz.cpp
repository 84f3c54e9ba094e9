// Decode and encode give the same JSON back, whatever the type knows of it, and doing it again
// changes nothing. The first byte of the input chooses the type.
#include <cstdint>
#include <string>
#include <string_view>

#include "tests/fuzz/require.hpp"
#include "tests/unit/wire/sample_types.hpp"

namespace {

using namespace parley;

template <class T>
void check(std::string_view text) {
  const Result<T> first = decode<T>(text);
  const Result<Json> json = Json::parse(text);
  if (!first.ok()) {
    require(!std::string_view(first.error().what()).empty());
    require((first.error().code() == ErrorCode::malformed) == !json.ok());
    return;
  }
  require(json.ok());
  const std::string out = encode(*first);
  const Result<Json> again = Json::parse(out);
  require(again.ok() && *again == *json);
  const Result<T> second = decode<T>(out);
  require(second.ok());
  require(encode(*second) == out);
  const T copy = *second;
  require(copy == *second);
}

/// For a type that drops what it does not know: what is left must be stable.
template <class T>
void check_lossy(std::string_view text) {
  const Result<T> first = decode<T>(text);
  if (!first.ok()) return;
  const std::string out = encode(*first);
  const Result<T> second = decode<T>(out);
  require(second.ok() && encode(*second) == out);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0]) {
    case 'a': check<sample::Kinds>(text); break;
    case 'b': check<sample::Presences>(text); break;
    case 'c': check<sample::Tree>(text); break;
    case 'd': check<sample::Shape>(text); break;
    case 'e': check<sample::Event>(text); break;
    case 'f': check_lossy<sample::Point>(text); break;
    case 'g': check_lossy<Map<std::vector<std::int64_t>>>(text); break;
    default: break;
  }
  return 0;
}
