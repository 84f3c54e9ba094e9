// The JSON tree: whatever parses is written as JSON that parses to the same tree again.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "wire/json/json.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto first = parley::Json::parse({reinterpret_cast<const char*>(data), size});
  if (!first.ok()) return 0;
  const auto second = parley::Json::parse(first->dump());
  if (!second.ok() || !(*second == *first)) std::abort();
  return 0;
}
