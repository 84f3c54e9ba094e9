// The same bytes in other portions give the same events, and nothing is held back beyond the limit.
// The first two bytes of the input choose the limit and where the stream is cut.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "agent/api/sse_parser.hpp"

namespace {

using parley::agent::SseParser;

void require(bool condition) {
  if (!condition) std::abort();
}

std::vector<std::string> events_of(std::string_view bytes, std::size_t limit, std::size_t portion) {
  SseParser parser(limit);
  std::vector<std::string> events;
  for (std::size_t at = 0; at < bytes.size(); at += portion) {
    const bool more = parser.push(bytes.substr(at, portion), [&](std::string_view data) {
      require(data.size() <= limit);
      events.emplace_back(data);
      return true;
    });
    require(more == !parser.too_large());
    require(parser.pending() <= limit + 1);
  }
  return events;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::size_t limit = data[0];
  const std::size_t portion = 1 + data[1] % 32;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  const auto whole = events_of(bytes, limit, bytes.size() + 1);
  require(events_of(bytes, limit, portion) == whole);
  require(events_of(bytes, limit, 1) == whole);
  return 0;
}
