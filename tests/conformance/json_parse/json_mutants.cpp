// Writes mutated texts with our verdicts to stdout, for a judge who reads JSON in another way:
//   u32 size, text, u8 accepted, u32 size, dump of the tree, u8 size, the number as we print it
// The last two are empty for refused texts, the last one for all that are not a bare number.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "mutator.hpp"
#include "wire/json/json.hpp"
#include "wire/json/writer.hpp"

namespace {

using parley::Json;

template <class Int>
void put(Int value, std::string& out) {
  for (unsigned i = 0; i < sizeof(Int); ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
}

void put_text(std::string_view text, std::string& out) {
  put(static_cast<std::uint32_t>(text.size()), out);
  out += text;
}

std::string record(const std::string& text) {
  std::string out;
  put_text(text, out);
  const auto json = Json::parse(text);
  put(static_cast<std::uint8_t>(json.ok()), out);
  put_text(json.ok() ? json->dump() : "", out);
  std::string number;
  if (json.ok() && json->is_number()) parley::detail::write_number(json->as_double(), number);
  put(static_cast<std::uint8_t>(number.size()), out);
  return out + number;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: json_mutants SEED COUNT\n", stderr);
    return 2;
  }
  using namespace parley::test;
  auto seeds = small_seeds();
  // As many recorded lines as small seeds, give or take: both kinds of text get their share.
  for (std::string& line : recorded_seeds(60)) seeds.push_back(std::move(line));
  Mutator mutator(std::strtoull(argv[1], nullptr, 10), std::move(seeds));
  for (long long i = std::atoll(argv[2]); i > 0; --i) {
    const std::string out = record(mutator.next());
    if (std::fwrite(out.data(), 1, out.size(), stdout) != out.size()) return 1;
  }
}
