#include "messages.hpp"

#include "tables/messages.hpp"

namespace parley {

PARLEY_DEFINE_UNION(Message)
PARLEY_DEFINE_CODEC(Message)

Result<Message> decode_message(std::string_view line) {
  JsonReader reader(line);
  if (reader.peek() == '{') return decode<Message>(line);
  // Valid JSON that is no object has no type to go by, but is still delivered.
  Result<RawJson> raw = RawJson::parse(line);
  if (!raw) return raw.error();
  return Message(Unknown{{}, {}, *std::move(raw)});
}

void encode_message(const Message& message, std::string& out) { encode(message, out); }

std::string encode_message(const Message& message) { return encode(message); }

}  // namespace parley
