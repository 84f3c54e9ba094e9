// The same bytes in other portions say the same, and nothing is held beyond the limits. The first
// byte of the input chooses how the stream is cut.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "http/websocket_frames.hpp"
#include "support/text/utf8.hpp"
#include "tests/fuzz/require.hpp"

namespace {

using namespace parley::http;

constexpr std::size_t kMost = 512;
constexpr std::size_t kLongestHead = 14;
constexpr std::size_t kLongestControl = 125;

std::vector<Said> said_in(std::string_view bytes, std::size_t portion) {
  FrameReader reader(kMost);
  std::vector<Said> all;
  while (!bytes.empty()) {
    reader.push(bytes.substr(0, portion));
    bytes.remove_prefix(std::min(portion, bytes.size()));
    while (auto said = reader.next()) {
      require(said->kind == Said::Kind::broken || said->payload.size() <= kMost);
      require(said->kind != Said::Kind::text || parley::is_utf8(said->payload));
      all.push_back(*std::move(said));
    }
    require(reader.buffered() <= kMost + kLongestHead + kLongestControl + portion);
  }
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::size_t portion = 1 + data[0] % 64;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto whole = said_in(bytes, bytes.size());
  require(said_in(bytes, portion) == whole);
  require(said_in(bytes, 1) == whole);
  return 0;
}
