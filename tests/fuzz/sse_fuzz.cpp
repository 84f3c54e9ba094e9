// The same bytes in other portions give the same events, and nothing is held back beyond the limit.
// The first two bytes of the input choose the limit and where the stream is cut.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "agent/api/sse_parser.hpp"
#include "tests/fuzz/require.hpp"

namespace {

using parley::agent::SseParser;

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
  same_in_any_portions(data, size, events_of);
  return 0;
}
