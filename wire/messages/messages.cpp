#include "messages.hpp"

#include "../tables/messages.hpp"

namespace parley {

PARLEY_DEFINE_UNION(Message)
PARLEY_DEFINE_CODEC(Message)

Result<void> decode_message_into(Message& out, std::string_view line) {
  JsonReader reader(line);
  if (reader.peek() == '{') return decode_into(out, line);
  // Valid JSON that is no object has no type to go by, but is still delivered.
  Result<RawJson> raw = RawJson::parse(line);
  if (!raw) return raw.error();
  out = Unknown{{}, {}, *std::move(raw)};
  return {};
}

Result<Message> decode_message(std::string_view line) {
  Result<Message> result(std::in_place);
  if (auto decoded = decode_message_into(*result, line); !decoded) result = decoded.error();
  return result;
}

void encode_message(const Message& message, std::string& out) { encode(message, out); }

std::string encode_message(const Message& message) { return encode(message); }

}  // namespace parley
