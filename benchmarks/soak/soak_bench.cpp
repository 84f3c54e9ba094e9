// Many sessions over many turns against parley-agent: with tools, permissions, interrupts and
// agents that are killed. What the program holds must not grow with the number of turns.
//
//   ./bench soak [-- SESSIONS [TURNS]]
#include <malloc.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "benchmarks/soak/soak_model.hpp"
#include "benchmarks/table.hpp"
#include "client/handlers/permissions.hpp"
#include "client/handlers/tools.hpp"
#include "client/mcp/mcp_server.hpp"
#include "client/session.hpp"
#include "support/process/environment.hpp"

namespace {

/// What was allocated and not freed yet, in the whole program. (What mallinfo2() calls in use
/// includes what every thread keeps for its next allocations.)
std::atomic<std::size_t> live_bytes{0};

void* counted(std::size_t size) {
  void* block = std::malloc(size);
  if (block == nullptr) throw std::bad_alloc();
  live_bytes += ::malloc_usable_size(block);
  return block;
}

void uncounted(void* block) {
  live_bytes -= ::malloc_usable_size(block);
  std::free(block);
}

}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void operator delete(void* block) noexcept { uncounted(block); }
void operator delete(void* block, std::size_t) noexcept { uncounted(block); }

namespace parley::bench {
namespace {

namespace fs = std::filesystem;

/// The program is looked at whenever each session has had so many turns, and rests.
constexpr int kTurnsBetweenSamples = 100;

struct Sample {
  int turns = 0;
  double resident_megabytes = 0;
  double live_kilobytes = 0;
  std::size_t descriptors = 0;
  std::size_t threads = 0;
};

std::size_t entries(const char* folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

Sample take_sample(int turns) {
  std::ifstream statm("/proc/self/statm");
  std::size_t pages = 0, resident = 0;
  statm >> pages >> resident;
  const auto page = static_cast<double>(::sysconf(_SC_PAGESIZE));
  return {turns, static_cast<double>(resident) * page / (1 << 20),
          static_cast<double>(live_bytes) / 1024, entries("/proc/self/fd"),
          entries("/proc/self/task")};
}

/// What went wrong, of all sessions; and how often what was done.
struct Tally {
  std::mutex mutex;
  std::vector<std::string> problems;
  std::atomic<int> answers{0}, permissions{0}, calls_wanted{0}, calls{0}, interrupts{0}, kills{0};

  void problem(std::string text) {
    const std::lock_guard lock(mutex);
    problems.push_back(std::move(text));
  }
};

/// One conversation. It goes on with a new agent when its agent was killed.
class Conversation {
 public:
  Conversation(int number, const std::string& url, Tally& tally)
      : number_(number), url_(url), tally_(tally) {
    const fs::path folder =
        fs::path(environment_variable("TMPDIR")) / ("soak" + std::to_string(number));
    home_ = folder / "home";
    work_ = folder / "work";
    fs::create_directories(home_);
    fs::create_directories(work_);
    std::ofstream(work_ / "notes.txt") << "Some words.\n";
    start();
  }

  void turn(int index) {
    if (!session_) return;
    const std::string number = std::to_string(number_) + "-" + std::to_string(index);
    if (index % 100 == 99) return kill(number);
    if (index % 10 == 5) return interrupt(number);
    static constexpr const char* kKinds[] = {kSayText, kRunCommand, kCallTool, kReadFile};
    const char* const kind = kKinds[index % 4];
    if (kind == kCallTool) ++tally_.calls_wanted;
    answer(kind, number);
  }

 private:
  void start() {
    Options options;
    options.cli.program = environment_variable("PARLEY_BUILD_DIR") + "/bin/parley-agent";
    options.cwd = work_;
    options.process.environment = {{"HOME", home_},
                                   {"PATH", "/usr/bin:/bin"},
                                   {"ANTHROPIC_BASE_URL", url_},
                                   {"ANTHROPIC_API_KEY", "sk-dummy"}};
    options.process.replace_environment = true;
    options.delivery.partial_messages = true;
    options.resume.id = id_;
    options.tools.allowed = {"mcp__soak__count"};
    options.on_permission = [this](const PermissionAsk&) -> PermissionAnswer {
      if (++tally_.permissions % 2 == 0) return deny("not this time");
      return allow();
    };
    McpServer server("soak");
    server.add(raw_tool("count", "Counts.", RawJson(R"({"type":"object"})"),
                        [this](const RawJson&, ToolContext&) -> Result<ToolOutput> {
                          return ToolOutput(std::to_string(++tally_.calls));
                        }));
    options.tools.in_process.push_back(std::move(server));
    session_.emplace(std::move(options));
    if (const auto connected = session_->connect(); !connected) {
      tally_.problem("session " + std::to_string(number_) + ": " + connected.error().what());
      session_.reset();
    }
  }

  void answer(const std::string& kind, const std::string& number) {
    const auto answered =
        session_->ask(kind + " " + number + " " + (work_ / "notes.txt").string()).answer();
    if (!answered) return tally_.problem(kind + " " + number + ": " + answered.error().what());
    if (*answered != "The answer to " + number + ".") {
      return tally_.problem(kind + " " + number + " was answered with: " + *answered);
    }
    ++tally_.answers;
  }

  /// A turn that runs and will not end by itself; none if it did not begin.
  std::optional<Turn> begin_endless(const std::string& number) {
    Turn turn = session_->ask(kBeSlow + (" " + number));
    const auto piece = turn.text().next();
    if (piece) return turn;
    tally_.problem("slow " + number + ": " + piece.error().what());
    return std::nullopt;
  }

  void interrupt(const std::string& number) {
    auto turn = begin_endless(number);
    if (!turn) return;
    if (const auto done = turn->interrupt(); !done) {
      return tally_.problem("interrupt " + number + ": " + done.error().what());
    }
    if (!turn->over()) return tally_.problem("interrupt " + number + ": the turn goes on");
    ++tally_.interrupts;
  }

  void kill(const std::string& number) {
    auto turn = begin_endless(number);
    if (!turn) return;
    id_ = session_->session_id();
    ::kill(session_->pid().value(), SIGKILL);
    const auto result = turn->result();
    if (result || result.error().code() != ErrorCode::process) {
      return tally_.problem("kill " + number + ": " +
                            (result ? "the turn has a result" : result.error().what()));
    }
    ++tally_.kills;
    turn.reset();
    session_.reset();
    start();
  }

  int number_;
  std::string url_;
  Tally& tally_;
  fs::path home_, work_;
  std::string id_;
  std::optional<Session> session_;
};

/// Whether the second half of the samples stays below the first, but for `slack`.
bool is_flat(const std::vector<Sample>& samples, const std::function<double(const Sample&)>& value,
             double slack) {
  double early = 0, late = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    double& most = i < (samples.size() + 1) / 2 ? early : late;
    most = std::max(most, value(samples[i]));
  }
  return late <= early * (1 + slack);
}

void print(const std::vector<Sample>& samples) {
  Table table({"turns each", "MB resident", "KB allocated", "descriptors", "threads"});
  for (const Sample& sample : samples) {
    table.add({std::to_string(sample.turns), fixed(sample.resident_megabytes, 1),
               fixed(sample.live_kilobytes, 0), std::to_string(sample.descriptors),
               std::to_string(sample.threads)});
  }
  table.print();
}

int soak(const std::string& self, int sessions, int turns) {
  const ModelProcess model(self);
  if (model.url().empty()) {
    std::fprintf(stderr, "the model did not start\n");
    return 1;
  }
  Tally tally;
  std::vector<Sample> samples;
  int done = 0;
  const auto look = [&]() noexcept {
    samples.push_back(take_sample(done += kTurnsBetweenSamples));
  };
  std::barrier rest(sessions, look);
  {
    std::vector<std::jthread> threads;
    for (int number = 0; number < sessions; ++number) {
      threads.emplace_back([&, number] {
        Conversation conversation(number, model.url(), tally);
        for (int index = 0; index < turns; ++index) {
          conversation.turn(index);
          if ((index + 1) % kTurnsBetweenSamples == 0) rest.arrive_and_wait();
        }
      });
    }
  }
  print(samples);
  std::printf("%d answers, %d permissions asked, %d calls of our tool, %d interrupts, %d kills\n",
              tally.answers.load(), tally.permissions.load(), tally.calls.load(),
              tally.interrupts.load(), tally.kills.load());
  if (tally.calls != tally.calls_wanted) {
    tally.problem("our tool was to be called " + std::to_string(tally.calls_wanted) + " times");
  }
  for (const std::string& problem : tally.problems) std::printf("  %s\n", problem.c_str());
  const bool memory = is_flat(
      samples, [](const Sample& s) { return s.resident_megabytes; }, 0.05);
  const bool live = is_flat(
      samples, [](const Sample& s) { return s.live_kilobytes; }, 0.1);
  const bool descriptors = is_flat(
      samples, [](const Sample& s) { return static_cast<double>(s.descriptors); }, 0);
  std::printf("flat: memory %s, allocations %s, descriptors %s\n", memory ? "yes" : "NO",
              live ? "yes" : "NO", descriptors ? "yes" : "NO");
  return memory && live && descriptors && tally.problems.empty() ? 0 : 1;
}

}  // namespace
}  // namespace parley::bench

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--model") return parley::bench::serve_model();
  const int sessions = argc > 1 ? std::atoi(argv[1]) : 8;
  const int turns = argc > 2 ? std::atoi(argv[2]) : 2000;
  if (sessions < 1 || turns < 100) {
    std::fprintf(stderr, "Usage: parley-bench-soak [SESSIONS [TURNS]], at least 1 and 100\n");
    return 2;
  }
  return parley::bench::soak(std::filesystem::read_symlink("/proc/self/exe").string(), sessions,
                             turns);
}
