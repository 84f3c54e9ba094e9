// The same bytes in other portions give the same requests, and nothing is held beyond the limits.
// When rubbish within a body is refused may depend on the portions. The first byte of the input
// chooses how the stream is cut.
#include <cstdint>
#include <string>
#include <string_view>

#include "http/request_parser.hpp"
#include "tests/fuzz/require.hpp"

namespace {

using parley::http::RequestParser;

constexpr std::size_t kHeader = 512;
constexpr std::size_t kBody = 1024;
constexpr std::size_t kMostHeld = 64 * 1024;  // what the parser lets wait for its end, see there

std::string requests_in(std::string_view bytes, std::size_t portion) {
  RequestParser parser(kHeader, kBody);
  std::string text;
  while (!bytes.empty() && parser.state() != RequestParser::State::refused) {
    parser.push(bytes.substr(0, portion));
    bytes.remove_prefix(std::min(portion, bytes.size()));
    while (parser.state() == RequestParser::State::head ||
           parser.state() == RequestParser::State::done) {
      if (parser.state() == RequestParser::State::head) {
        parser.proceed();
        continue;
      }
      const auto request = parser.take();
      require(request.body.size() <= kBody);
      require(request.target.starts_with('/'));
      text += request.method + ' ' + request.target + ' ' + request.body + '\n';
      for (const auto& [name, value] : request.headers.fields()) text += name + ':' + value + '\n';
    }
    require(parser.buffered() <= kMostHeld + portion);
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::size_t portion = 1 + data[0] % 64;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string whole = requests_in(bytes, bytes.size());
  require(requests_in(bytes, portion) == whole);
  require(requests_in(bytes, 1) == whole);
  return 0;
}
