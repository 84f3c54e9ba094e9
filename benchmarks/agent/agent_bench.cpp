// parley-agent beside the real CLI (PARLEY_REAL_CLI), with one scripted model on loopback: start to
// result of a text turn, memory, a hundred tool turns, fifty at once, twenty subagents in one.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "benchmarks/table.hpp"

namespace parley::bench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int kRounds = 10;
constexpr int kAtOnce = 50;
constexpr int kToolTurns = 100;
constexpr int kSubagents = 20;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// One scripted model, alive as long as this object.
class Model {
 public:
  Model(const fs::path& folder, const std::string& script) {
    const fs::path file = folder / "script.json";
    std::ofstream(file) << script;
    const std::string program = std::string(std::getenv("PARLEY_BUILD_DIR")) + "/bin/parley";
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return;
    child_ = ::fork();
    if (child_ == 0) {
      ::dup2(ends[1], 1);
      ::execl(program.c_str(), program.c_str(), "model", file.c_str(), nullptr);
      ::_exit(127);
    }
    ::close(ends[1]);
    std::string line;
    char byte = 0;
    while (::read(ends[0], &byte, 1) == 1 && byte != '\n') line += byte;
    ::close(ends[0]);
    const std::size_t at = line.find("http://");
    if (at != std::string::npos) url_ = line.substr(at, line.find_first_of(" \"", at) - at);
  }
  ~Model() {
    ::kill(child_, SIGTERM);
    ::waitpid(child_, nullptr, 0);
  }
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  /// Empty if it did not start.
  [[nodiscard]] const std::string& url() const { return url_; }

 private:
  pid_t child_ = -1;
  std::string url_;
};

/// An agent with a home of its own and nothing else of this machine.
struct Agent {
  std::string name, program;
  fs::path folder;
};

pid_t start(const Agent& agent, const std::string& url, int number) {
  const fs::path home = agent.folder / ("home" + std::to_string(number));
  const fs::path work = agent.folder / ("work" + std::to_string(number));
  fs::create_directories(home);
  fs::create_directories(work);
  const pid_t child = ::fork();
  if (child != 0) return child;
  const int nothing = ::open("/dev/null", O_RDWR);
  ::dup2(nothing, 0);
  ::dup2(nothing, 1);
  ::dup2(nothing, 2);
  if (::chdir(work.c_str()) != 0) ::_exit(126);
  const std::string home_variable = "HOME=" + home.string();
  const std::string url_variable = "ANTHROPIC_BASE_URL=" + url;
  const char* environment[] = {home_variable.c_str(),
                               url_variable.c_str(),
                               "PATH=/usr/bin:/bin",
                               "ANTHROPIC_API_KEY=sk-dummy",
                               "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
                               "IS_SANDBOX=1",
                               nullptr};
  const char* arguments[] = {agent.program.c_str(), "-p",   "go",
                             "--output-format",     "json", "--permission-mode",
                             "bypassPermissions",   nullptr};
  ::execve(agent.program.c_str(), const_cast<char* const*>(arguments),
           const_cast<char* const*>(environment));
  ::_exit(127);
}

struct Run {
  double ms = 0;
  double megabytes = 0;
  bool good = false;
};

Run run(const Agent& agent, const std::string& url) {
  const auto started = Clock::now();
  const pid_t child = start(agent, url, 0);
  int status = 0;
  rusage usage{};
  ::wait4(child, &status, 0, &usage);
  return {ms_since(started), static_cast<double>(usage.ru_maxrss) / 1024,
          WIFEXITED(status) && WEXITSTATUS(status) == 0};
}

Run median(const Agent& agent, const std::string& url, int rounds) {
  std::vector<Run> runs;
  for (int i = 0; i < rounds; ++i) runs.push_back(run(agent, url));
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.ms < b.ms; });
  Run middle = runs[runs.size() / 2];
  for (const Run& one : runs) {
    middle.megabytes = std::max(middle.megabytes, one.megabytes);
    middle.good = middle.good && one.good;
  }
  return middle;
}

Run at_once(const Agent& agent, const std::string& url, int count) {
  const auto started = Clock::now();
  std::vector<pid_t> children;
  for (int i = 0; i < count; ++i) children.push_back(start(agent, url, i));
  Run all{0, 0, true};
  for (const pid_t child : children) {
    int status = 0;
    rusage usage{};
    ::wait4(child, &status, 0, &usage);
    all.megabytes = std::max(all.megabytes, static_cast<double>(usage.ru_maxrss) / 1024);
    all.good = all.good && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  all.ms = ms_since(started);
  return all;
}

std::string shown(const Run& run) {
  return (run.good ? "" : "failed, ") + fixed(run.ms, 1) + " ms, " + fixed(run.megabytes, 1) +
         " MB";
}

std::string text_script() {
  return R"([{"content":[{"type":"text","text":"Hello."}],"repeat":true}])";
}

std::string tool_script() {
  std::string turns = "[";
  for (int i = 0; i < kToolTurns; ++i) {
    turns += R"({"content":[{"type":"tool_use","id":"toolu_)" + std::to_string(i) +
             R"(","name":"Bash","input":{"command":"echo )" + std::to_string(i) + R"("}}]},)";
  }
  return turns + R"({"content":[{"type":"text","text":"Done."}]}])";
}

/// One answer with so many calls of Agent; each agent runs a command and reports.
std::string subagent_script(int count) {
  std::string calls, turns;
  for (int i = 0; i < count; ++i) {
    const std::string name = "SUBTASK-" + std::to_string(i) + "-";
    calls += (i == 0 ? "" : ",") +
             (R"({"type":"tool_use","id":"toolu_)" + std::to_string(i) +
              R"(","name":"Agent","input":{"description":"work","prompt":")" + name +
              R"(","subagent_type":"general-purpose","run_in_background":false}})");
    turns += R"({"when_first":")" + name + R"(","content":[{"type":"tool_use","id":"toolu_sub)" +
             std::to_string(i) + R"(","name":"Bash","input":{"command":"echo )" +
             std::to_string(i) + R"("}}]},{"when_first":")" + name +
             R"(","content":[{"type":"text","text":"Report."}]},)";
  }
  return "[" + turns + R"({"content":[)" + calls +
         R"(]},{"content":[{"type":"text","text":"Done."}]}])";
}

}  // namespace
}  // namespace parley::bench

int main() {
  using namespace parley::bench;
  const fs::path scratch = fs::temp_directory_path() / "parley-bench-agent";
  fs::remove_all(scratch);
  fs::create_directories(scratch);
  std::vector<Agent> agents = {{"parley-agent",
                                std::string(std::getenv("PARLEY_BUILD_DIR")) + "/bin/parley-agent",
                                scratch / "ours"}};
  if (const char* real = std::getenv("PARLEY_REAL_CLI"); real != nullptr) {
    agents.push_back({"the real CLI", real, scratch / "real"});
  }
  std::vector<std::string> head = {""};
  for (const Agent& agent : agents) head.push_back(agent.name);
  if (agents.size() > 1) head.push_back("ratio");
  Table table(head);
  std::vector<Run> runs;  // of what was measured last
  const auto measure = [&](const std::string& what, const std::string& script, const auto& runner) {
    std::vector<std::string> row = {what};
    runs.clear();
    for (const Agent& agent : agents) {
      // A fresh model each time: scripts are used up.
      const Model model(scratch, script);
      if (model.url().empty()) {
        std::fputs("parley model did not start\n", stderr);
        std::exit(1);
      }
      runs.push_back(runner(agent, model.url()));
      row.push_back(shown(runs.back()));
    }
    if (runs.size() > 1) row.push_back(fixed(runs[1].ms / runs[0].ms, 1) + "x");
    table.add(row);
  };
  measure("start to result of a text turn (median of 10)", text_script(),
          [](const Agent& a, const std::string& url) { return median(a, url, kRounds); });
  measure("100 tool turns", tool_script(),
          [](const Agent& a, const std::string& url) { return run(a, url); });
  measure("50 text turns at once", text_script(),
          [](const Agent& a, const std::string& url) { return at_once(a, url, kAtOnce); });
  const auto once = [](const Agent& a, const std::string& url) { return run(a, url); };
  measure("one subagent with a command", subagent_script(1), once);
  const std::vector<Run> alone = runs;
  measure("20 subagents at once, a command each", subagent_script(kSubagents), once);
  std::vector<std::string> each = {"memory of one more subagent"};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    each.push_back(fixed((runs[i].megabytes - alone[i].megabytes) / (kSubagents - 1), 2) + " MB");
  }
  if (runs.size() > 1) {
    each.push_back(fixed((runs[1].megabytes - alone[1].megabytes) /
                             std::max(runs[0].megabytes - alone[0].megabytes, 0.01),
                         1) +
                   "x");
  }
  table.add(each);
  table.print();
  struct stat info {};
  if (::stat(agents[0].program.c_str(), &info) == 0) {
    std::printf("\nparley-agent is %.1f MB on disk.\n", static_cast<double>(info.st_size) / 1e6);
  }
  fs::remove_all(scratch);
}
