// A line of the wire through the typed messages: what decodes comes back as equal JSON, and doing
// it again changes nothing.
#include <cstdint>
#include <string>
#include <string_view>

#include "tests/fuzz/require.hpp"
#include "wire/json/json.hpp"
#include "wire/messages/messages.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace parley;
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  const Result<Message> first = decode_message(line);
  const Result<Json> json = Json::parse(line);
  if (!first.ok()) {
    require((first.error().code() == ErrorCode::malformed) == !json.ok());
    return 0;
  }
  require(json.ok());
  const std::string out = encode_message(*first);
  const Result<Json> again = Json::parse(out);
  require(again.ok() && *again == *json);
  const Result<Message> second = decode_message(out);
  require(second.ok() && encode_message(*second) == out);
  return 0;
}
