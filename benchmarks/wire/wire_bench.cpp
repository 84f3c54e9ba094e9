// parley-bench-wire: how fast lines become typed messages and messages become lines, next to what
// else one could do with the same bytes. One thread, best of some rounds, warm memory.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "../table.hpp"
#include "traffic.hpp"
#include "wire/codec/codec.hpp"
#include "wire/messages/messages.hpp"

namespace parley::bench {
namespace {

struct Options {
  std::size_t megabytes = 200;
  int rounds = 3;
};

/// Everything that is measured adds to it and it is printed, so that no work can be left out.
std::size_t checksum = 0;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The least of what `work` returns or, if it returns nothing, of the time it takes.
template <class Work>
double best_of(int rounds, const Work& work) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < rounds; ++i) {
    const Clock::time_point start = Clock::now();
    if constexpr (std::is_void_v<decltype(work())>) {
      work();
      best = std::min(best, seconds_since(start));
    } else {
      best = std::min(best, work());
    }
  }
  return best;
}

std::vector<std::string_view> split(const std::string& file) {
  std::vector<std::string_view> lines;
  const char* p = file.data();
  const char* end = p + file.size();
  while (p < end) {
    const auto left = static_cast<std::size_t>(end - p);
    const auto* stop = static_cast<const char*>(std::memchr(p, '\n', left));
    lines.emplace_back(p, static_cast<std::size_t>(stop - p));
    p = stop + 1;
  }
  return lines;
}

[[noreturn]] void give_up(std::string_view what, std::string_view line) {
  std::fprintf(stderr, "%.*s\n%.*s\n", static_cast<int>(what.size()), what.data(),
               static_cast<int>(std::min<std::size_t>(line.size(), 500)), line.data());
  std::exit(1);
}

/// What is measured, and that it did its work: unknown messages would make the figures too good.
Result<Message> decode_line(std::string_view line) {
  Result<Message> message = decode<Message>(line);
  if (!message) give_up(message.error().what(), line);
  if (std::holds_alternative<Unknown>(*message)) give_up("decoded as Unknown", line);
  return message;
}

void decode_all(const std::vector<std::string_view>& lines) {
  for (const std::string_view line : lines) checksum += decode_line(line)->index();
}

/// Encodes in portions, because all messages at once would need gigabytes. Only the encoding
/// counts.
double encode_all(const std::vector<std::string_view>& lines) {
  constexpr std::size_t kPortion = 2000;
  double seconds = 0;
  std::vector<Message> messages;
  std::string out;
  for (std::size_t i = 0; i < lines.size(); i += kPortion) {
    messages.clear();
    for (std::size_t k = i; k < std::min(i + kPortion, lines.size()); ++k) {
      messages.push_back(*decode_line(lines[k]));
    }
    const Clock::time_point start = Clock::now();
    for (const Message& message : messages) {
      out.clear();
      encode(message, out);
      checksum += out.size();
    }
    seconds += seconds_since(start);
  }
  return seconds;
}

/// What comes out must be what went in, or the speed is worth nothing. A sample is enough here; the
/// tests look at everything.
void check_round_trip(const std::vector<std::string_view>& lines) {
  for (std::size_t i = 0; i < lines.size(); i += 1 + lines.size() / 2000) {
    const std::string out = encode(*decode_line(lines[i]));
    if (!(Json::parse(out).value() == Json::parse(lines[i]).value())) {
      give_up("does not come back as it was", lines[i]);
    }
  }
}

void check_only(const std::vector<std::string_view>& lines) {
  for (const std::string_view line : lines) {
    JsonReader reader(line);
    std::string_view raw;
    if (!reader.skip(raw)) give_up(reader.why(), line);
    checksum += raw.size();
  }
}

void parse_trees(const std::vector<std::string_view>& lines) {
  for (const std::string_view line : lines) checksum += Json::parse(line)->members().size();
}

void parse_nlohmann(const std::vector<std::string_view>& lines) {
  for (const std::string_view line : lines) checksum += nlohmann::json::parse(line).size();
}

/// Seconds of the best round in Node, or 0 if there is no Node.
double parse_in_node(const std::string& file, int rounds) {
  const char* source = std::getenv("PARLEY_SOURCE_DIR");
  const std::filesystem::path script =
      std::filesystem::path(source == nullptr ? "." : source) / "benchmarks/wire/node_parse.mjs";
  const std::filesystem::path input =
      std::filesystem::temp_directory_path() / "parley-bench-wire.jsonl";
  std::ofstream(input, std::ios::binary) << file;
  const std::string command =
      "node '" + script.string() + "' '" + input.string() + "' " + std::to_string(rounds);
  double nanoseconds = 0;
  if (std::FILE* output = popen(command.c_str(), "r")) {
    if (std::fscanf(output, "%lf", &nanoseconds) != 1) nanoseconds = 0;
    pclose(output);
  }
  std::filesystem::remove(input);
  return nanoseconds / 1e9;
}

void measure(const char* title, const std::string& file, const Options& options) {
  const std::vector<std::string_view> lines = split(file);
  std::printf("\n%s: %s bytes, %s lines of %s bytes on average\n", title,
              grouped(file.size()).c_str(), grouped(lines.size()).c_str(),
              grouped(file.size() / lines.size()).c_str());
  std::fflush(stdout);
  check_round_trip(lines);

  struct Row {
    const char* what;
    double seconds;
  };
  const int rounds = options.rounds;
  const std::vector<Row> rows = {
      {"find the line ends (memchr)", best_of(rounds, [&] { checksum += split(file).size(); })},
      {"check the grammar and UTF-8", best_of(rounds, [&] { check_only(lines); })},
      {"decode to typed messages", best_of(rounds, [&] { decode_all(lines); })},
      {"encode typed messages", best_of(rounds, [&] { return encode_all(lines); })},
      {"parse to a parley::Json tree", best_of(rounds, [&] { parse_trees(lines); })},
      {"parse with nlohmann::json", best_of(rounds, [&] { parse_nlohmann(lines); })},
      {"parse with Node's JSON.parse", parse_in_node(file, rounds)}};
  const double nlohmann = rows[5].seconds;
  const double node = rows[6].seconds;
  Table table({"", "GB/s", "lines/s", "ns/line", "x nlohmann", "x Node"});
  for (const Row& row : rows) {
    if (row.seconds <= 0) {
      table.add({row.what, "-", "-", "-", "-", "-"});
      continue;
    }
    const double count = static_cast<double>(lines.size());
    table.add({row.what, fixed(static_cast<double>(file.size()) / row.seconds / 1e9, 2),
               grouped(static_cast<std::size_t>(count / row.seconds)),
               fixed(row.seconds * 1e9 / count, 0), fixed(nlohmann / row.seconds, 1),
               fixed(node / row.seconds, 1)});
  }
  table.print();
}

Options parse_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    const long value = i + 1 < argc ? std::strtol(argv[i + 1], nullptr, 10) : 0;
    if ((name != "--megabytes" && name != "--rounds") || value <= 0) {
      std::fputs("usage: parley-bench-wire [--megabytes 200] [--rounds 3]\n", stderr);
      std::exit(name == "--help" ? 0 : 2);
    }
    if (name == "--megabytes") options.megabytes = static_cast<std::size_t>(value);
    if (name == "--rounds") options.rounds = static_cast<int>(value);
    ++i;
  }
  return options;
}

}  // namespace
}  // namespace parley::bench

int main(int argc, char** argv) {
  using namespace parley::bench;
  const Options options = parse_options(argc, argv);
  const std::size_t bytes = options.megabytes * 1'000'000;
  std::printf("sizeof(parley::Message) is %zu; one thread, best of %d rounds\n",
              sizeof(parley::Message), options.rounds);
  measure("Many small deltas", small_deltas(bytes), options);
  measure("A working session", session_mix(bytes), options);
  std::printf("\n(checksum %zu)\n", checksum % 1000);
}
