// The reader seen from several sides, which must agree: stepping over a value, reading it piece by
// piece, the fast string scan and its portable twin, the text and what is written from it.
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "tests/fuzz/require.hpp"
#include "wire/json/json.hpp"
#include "wire/json/numbers.hpp"
#include "wire/json/raw_json.hpp"
#include "wire/json/reader.hpp"
#include "wire/json/writer.hpp"

namespace {

using parley::Json;
using parley::JsonReader;
using parley::RawJson;

void check_scan(std::string_view text) {
  using namespace parley::detail;
  const char* from = text.data();
  const char* end = from + text.size();
  require(find_special(from, end) == find_special_portable(from, end));
  bool fast_multi_byte = false;
  bool slow_multi_byte = false;
  require(find_string_stop(from, end, fast_multi_byte) ==
          find_string_stop_portable(from, end, slow_multi_byte));
  require(fast_multi_byte == slow_multi_byte);
  StringScan fast;
  StringScan slow;
  require(find_string_end(from, end, fast) == find_string_end_portable(from, end, slow));
  require((fast.why == nullptr) == (slow.why == nullptr));
  if (fast.why != nullptr) {
    require(std::strcmp(fast.why, slow.why) == 0);
    return;
  }
  require(fast.escaped == slow.escaped);
  require(fast.multi_byte || !slow.multi_byte);
}

// Any bytes can be written as a string, and come back mended.
void check_string(std::string_view bytes) {
  std::string text;
  parley::detail::write_string(bytes, text);
  JsonReader reader(text);
  std::string back;
  require(reader.string(back) && reader.at_end() && !reader.inexact());
  require(back == parley::to_utf8(bytes));
  require(parley::is_utf8(back));
  require(parley::is_utf8(bytes) == (back == bytes));
}

// Reading a string in one pass, and finding its end before unescaping it.
void check_two_ways(std::string_view text) {
  const std::string quoted = '"' + std::string(text);
  JsonReader at_once(quoted);
  JsonReader in_steps(quoted);
  std::string read;
  std::string unescaped;
  std::string_view inside;
  bool escaped = false;
  const bool whole = at_once.string(read);
  require(whole == in_steps.string_span(inside, escaped));
  require(at_once.fail_offset() == in_steps.fail_offset());
  require(std::strcmp(at_once.why(), in_steps.why()) == 0);
  if (!whole) return;
  const bool exact = JsonReader::unescape(inside, unescaped);
  require(read == unescaped && at_once.inexact() == !exact);
}

void check_number(std::string_view text) {
  JsonReader reader(text);
  std::string_view number;
  if (!reader.number(number)) return;
  const double value = parley::detail::to_double(number);
  std::string printed;
  parley::detail::write_number(value, printed);
  require(printed == "null" || parley::detail::to_double(printed) == value);
  const parley::detail::Integer integer = parley::detail::to_int64(number);
  if (integer.exact) require(std::to_string(integer.value) == number);
}

void check_text(std::string_view text) {
  JsonReader reader(text);
  std::string_view inside;
  const bool skipped = reader.skip(inside) && reader.at_end();
  const auto tree = Json::parse(text);
  const auto raw = RawJson::parse(text);
  require(skipped == tree.ok() && skipped == raw.ok());
  if (!skipped) return;
  require(raw->text == inside);
  const std::string dump = tree->dump();
  require(Json::parse(dump).value() == *tree);
  require(Json::parse(tree->dump(2)).value() == *tree);
  require(Json::parse(dump)->dump() == dump);
  require(raw->json().value() == *tree);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_scan(text);
  check_string(text);
  check_two_ways(text);
  check_number(text);
  check_text(text);
  return 0;
}
