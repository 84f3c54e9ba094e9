// A session against the official TypeScript SDK: the same CLI, the same file, each in a process of
// its own. The traffic is generated in TMPDIR.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string_view>

#include "benchmarks/history/child.hpp"
#include "benchmarks/sdk/measured.hpp"
#include "benchmarks/table.hpp"
#include "benchmarks/wire/traffic.hpp"
#include "support/process/environment.hpp"
#include "wire/json/json.hpp"

namespace {

using namespace parley;
using namespace parley::bench;

constexpr int kTimes = 5;

/// Writes the lines of one turn: those that would be answered, or end it, are left out. How many.
std::size_t write_turn(const std::string& traffic, const std::string& file) {
  std::ofstream out(file, std::ios::binary);
  std::size_t lines = 0;
  for (std::size_t start = 0; start < traffic.size();) {
    const auto end = std::min(traffic.find('\n', start), traffic.size() - 1);
    const std::string_view line(traffic.data() + start, end + 1 - start);
    start = end + 1;
    // The type need not be the first member.
    const bool answered = line.find(R"("type":"control_request")") != line.npos;
    if (answered || line.find(R"("type":"result")") != line.npos) continue;
    out << line;
    ++lines;
  }
  return lines;
}

struct Figures {
  double lines_per_second = 0;
  double megabytes = 0;
};

/// What a run printed; all zero if it failed or did not deliver that many messages.
Figures figures(const Run& run, std::size_t messages) {
  const auto json = Json::parse(run.output.substr(0, run.output.find('\n')));
  if (run.exit_code != 0 || !json) return {};
  const auto delivered = static_cast<std::size_t>((*json)["messages"].as_int());
  if (delivered != messages) {
    std::printf("  %zu messages instead of %zu\n", delivered, messages);
    return {};
  }
  const double seconds = (*json)["milliseconds"].as_double() / 1000;
  return {static_cast<double>(delivered) / seconds, (*json)["kilobytes"].as_double() / 1024};
}

class Bench {
 public:
  explicit Bench(std::string self) : self_(std::move(self)) {}

  void stream(const char* name, const std::string& traffic, Table& table) {
    const std::string file = environment_variable("TMPDIR") + "/stream.jsonl";
    const std::size_t lines = write_turn(traffic, file);
    const std::vector<std::string> environment = {"HOME=" + environment_variable("HOME"),
                                                  "PATH=" + environment_variable("PATH"),
                                                  "PARLEY_BENCH_STREAM=" + file};
    const Figures ours =
        figures(median_runs(kTimes, {{self_, "--read", cli_}}, environment).front(), lines + 1);
    const Figures stalled = figures(run_child({self_, "--stall", cli_}, environment), 0);
    Figures theirs;
    if (!sdk_.empty()) {
      const std::string script =
          environment_variable("PARLEY_SOURCE_DIR") + "/benchmarks/sdk/sdk_stream.mjs";
      theirs = figures(median_runs(kTimes, {{"node", script, sdk_, cli_}}, environment).front(),
                       lines + 1);
    }
    table.add({name, grouped(lines), grouped(static_cast<std::size_t>(ours.lines_per_second)),
               grouped(static_cast<std::size_t>(theirs.lines_per_second)),
               theirs.lines_per_second > 0
                   ? fixed(ours.lines_per_second / theirs.lines_per_second, 1)
                   : "-",
               fixed(ours.megabytes, 1), fixed(stalled.megabytes, 1), fixed(theirs.megabytes, 1)});
    std::filesystem::remove(file);
  }

  void start() const {
    constexpr int kStarts = 51;
    std::vector<double> ours, bare;
    for (int i = 0; i < kStarts; ++i) {
      bare.push_back(bare_spawn_to_message(cli_));
      ours.push_back(connect_to_message(cli_));
    }
    std::sort(ours.begin(), ours.end());
    std::sort(bare.begin(), bare.end());
    std::printf(
        "\nfrom connect to the first message: %.2f ms; bare spawn: %.2f ms (median of %d)\n",
        ours[kStarts / 2], bare[kStarts / 2], kStarts);
  }

 private:
  std::string self_;
  std::string cli_ = environment_variable("PARLEY_BUILD_DIR") + "/bin/parley-bench-stream-cli";
  std::string sdk_ = environment_variable("PARLEY_SDK_MODULE");
};

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == "--read") return read_stream(argv[2]);
  if (argc == 3 && std::string_view(argv[1]) == "--stall") return stall(argv[2]);
  // An argument scales the traffic down, for a quick look: 0.1 for a tenth.
  const double scale = argc > 1 ? std::atof(argv[1]) : 1;
  const auto bytes = static_cast<std::size_t>(100e6 * scale);
  Bench bench(std::filesystem::read_symlink("/proc/self/exe").string());
  Table table(
      {"stream", "lines", "lines/s", "TypeScript SDK", "times", "MB", "MB stalled", "MB TS"});
  bench.stream("session mix", session_mix(bytes), table);
  bench.stream("small deltas", small_deltas(bytes), table);
  table.print();
  bench.start();
}
