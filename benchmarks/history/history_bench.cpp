// Lists, prices, searches and pages through generated transcripts, beside the tools that people use
// for it today. Trees are made in TMPDIR; everything is measured with a warm page cache.
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <iostream>
#include <tuple>

#include "benchmarks/history/child.hpp"
#include "benchmarks/history/transcript_tree.hpp"
#include "history/conversation/transcript.hpp"
#include "history/listing/listing.hpp"
#include "support/process/environment.hpp"
#include "wire/json/json.hpp"

namespace {

using namespace parley;
using namespace parley::bench;

constexpr int kTimes = 5;

double median_ms(const std::function<void()>& work) {
  std::vector<double> times;
  for (int i = 0; i < kTimes; ++i) {
    const auto begun = std::chrono::steady_clock::now();
    work();
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun)
            .count());
  }
  std::sort(times.begin(), times.end());
  return times[kTimes / 2];
}

void put(const std::string& what, double milliseconds, double kilobytes, const std::string& note) {
  std::printf("  %-34s %9.1f ms  ", what.c_str(), milliseconds);
  if (kilobytes > 0) {
    std::printf("%7.1f MB  ", kilobytes / 1024);
  } else {
    std::printf("%12s", "");
  }
  std::printf("%s\n", note.c_str());
  std::fflush(stdout);
}

std::string times_faster(const Run& theirs, const Run& ours) {
  char text[64];
  std::snprintf(text, sizeof text, "%.1f times as fast", theirs.milliseconds / ours.milliseconds);
  return text;
}

/// A run that failed is told, not timed.
bool usable(const char* what, const Run& run) {
  if (run.exit_code == 0) return true;
  std::printf("  %-34s not available (exit code %d)\n", what, run.exit_code);
  return false;
}

class Bench {
 public:
  Bench()
      : parley_(environment_variable("PARLEY_BUILD_DIR") + "/bin/parley"),
        source_(environment_variable("PARLEY_SOURCE_DIR")),
        sdk_(environment_variable("PARLEY_SDK_MODULE")),
        ccusage_(environment_variable("PARLEY_CCUSAGE")) {}

  void tree(const std::string& root, const TreeShape& shape, const char* what = "") {
    std::filesystem::remove_all(root);
    const std::uint64_t bytes = make_tree(root, shape);
    std::printf("\n%d sessions, %.0f MB%s\n", shape.sessions, static_cast<double>(bytes) / 1e6,
                what);
    environment_ = {"HOME=" + environment_variable("HOME"), "PATH=" + environment_variable("PATH"),
                    "TZ=UTC", "CLAUDE_CONFIG_DIR=" + root};
    list(root);
    usage();
    search(root);
    std::filesystem::remove_all(root);
  }

  void last_page(const std::string& root, std::uint64_t bytes) {
    std::filesystem::remove_all(root);
    const std::string id = make_session(root, bytes);
    std::printf("\none session of %.0f MB\n", static_cast<double>(bytes) / 1e6);
    const history::SessionPlace place{root, "-home-dev-long", id};
    std::size_t messages = 0;
    const double page = median_ms([&] {
      messages =
          history::read_messages(place, {.limit = 50, .from_end = true}).value().messages.size();
    });
    put("last page, in process", page, 0, std::to_string(messages) + " messages");
    environment_.back() = "CLAUDE_CONFIG_DIR=" + root;
    const Run ours = measured({{parley_, "sessions", "--json", "show", id, "-n", "50"}}).front();
    put("last page, parley sessions show", ours.milliseconds, double(ours.peak_kilobytes), "");
    const double all = median_ms(
        [&] { messages = history::read_messages(place, {.limit = 50}).value().total.value_or(0); });
    put("first page (reads all)", all, 0, std::to_string(messages) + " messages in all");
    std::filesystem::remove_all(root);
  }

 private:
  [[nodiscard]] std::vector<Run> measured(const std::vector<Command>& commands) const {
    return median_runs(kTimes, commands, environment_);
  }

  void list(const std::string& root) {
    const std::vector<Run> runs =
        measured({{parley_, "sessions", "--json", "list", "--all"},
                  {"node", source_ + "/benchmarks/history/sdk_list.mjs", sdk_}});
    const Run &ours = runs[0], &sdk = runs[1];
    std::size_t count = 0;
    const double call =
        median_ms([&] { count = history::list_sessions({.scope = {{root}}}).sessions.size(); });
    put("list, in process", call, 0, std::to_string(count) + " sessions");
    put("list, parley sessions list", ours.milliseconds, double(ours.peak_kilobytes), "");
    if (!usable("list, official SDK", sdk)) return;
    const Json said = Json::parse(sdk.output).value();
    char note[96];
    std::snprintf(note, sizeof note, "%lld sessions; we are %.1f times as fast",
                  static_cast<long long>(said["sessions"].as_int()),
                  said["milliseconds"].as_double() / call);
    put("list, official SDK, the call", said["milliseconds"].as_double(), 0, note);
    put("list, official SDK, with node", sdk.milliseconds, double(sdk.peak_kilobytes),
        times_faster(sdk, ours));
  }

  void usage() {
    const std::vector<Run> runs =
        measured({{parley_, "sessions", "--json", "usage", "day", "--utc"},
                  {ccusage_, "claude", "daily", "--json", "--offline"}});
    const Run &ours = runs[0], &other = runs[1];
    const Json mine = Json::parse(ours.output).value()["total"];
    put("usage, parley sessions usage", ours.milliseconds, double(ours.peak_kilobytes),
        mine["totalTokens"].number_text().data() + std::string(" tokens, $") +
            std::to_string(mine["costUSD"].as_double()));
    if (!usable("usage, ccusage", other)) return;
    const Json theirs = Json::parse(other.output).value()["totals"];
    const bool equal = theirs["totalTokens"].as_int() == mine["totalTokens"].as_int() &&
                       std::abs(theirs["totalCost"].as_double() - mine["costUSD"].as_double()) <
                           1e-6 * mine["costUSD"].as_double();
    put("usage, ccusage", other.milliseconds, double(other.peak_kilobytes),
        (equal ? "equal totals; " : "DIFFERENT TOTALS; ") + times_faster(other, ours));
  }

  void search(const std::string& root) {
    const std::vector<Run> runs = measured(
        {{parley_, "sessions", "--json", "search", kRareWord, "-C", "1", "-n", "100000"},
         {parley_, "sessions", "--json", "search", "-e", "-i", "chryso[a-z]+se\\b", "-n", "100000"},
         {"rg", "-F", "-c", "--no-ignore", kRareWord, root}});
    const Run &ours = runs[0], &regex = runs[1], &rg = runs[2];
    put("search, parley sessions search", ours.milliseconds, double(ours.peak_kilobytes),
        std::to_string(Json::parse(ours.output).value()["hits"].as_int()) + " hits");
    put("search, regular expression", regex.milliseconds, double(regex.peak_kilobytes),
        std::to_string(Json::parse(regex.output).value()["hits"].as_int()) + " hits");
    if (!usable("search, ripgrep", rg)) return;
    char note[64];
    std::snprintf(note, sizeof note, "we take %.1f times as long",
                  ours.milliseconds / rg.milliseconds);
    put("search, ripgrep -F -c", rg.milliseconds, double(rg.peak_kilobytes), note);
  }

  std::string parley_, source_, sdk_, ccusage_;
  std::vector<std::string> environment_;
};

}  // namespace

int main(int argc, char** argv) {
  // An argument scales everything down, for a quick look: 0.1 for a tenth.
  const double scale = argc > 1 ? std::atof(argv[1]) : 1;
  const std::string root = environment_variable("TMPDIR") + "/tree";
  Bench bench;
  std::printf("Median of %d runs in turns, warm page cache, %s.\n", kTimes,
              "whole processes unless said otherwise");
  for (const auto& [sessions, bytes] : {std::pair(60, 70e6), {600, 700e6}, {1700, 2000e6}}) {
    bench.tree(root, {std::max(1, static_cast<int>(sessions * scale)),
                      static_cast<std::uint64_t>(bytes * scale)});
  }
  // Trees that nothing here was tuned for.
  using enum TreeStyle;
  for (const auto& [style, sessions, bytes, what] :
       {std::tuple(older_version, 600, 100e6, ", of an older version"),
        {other_writer, 600, 100e6, ", of another writer"},
        {long_lines, 60, 300e6, ", with long lines"},
        {non_ascii, 600, 100e6, ", not in ASCII"},
        {short_lines, 600, 300e6, ", 2,000 short lines each"}}) {
    bench.tree(root,
               {std::max(1, static_cast<int>(sessions * scale)),
                static_cast<std::uint64_t>(bytes * scale), style},
               what);
  }
  bench.last_page(root, static_cast<std::uint64_t>(600e6 * scale));
}
