// The real parley-agent as a child of the test, and everything that can be measured of its life:
// what it said, how long it took, how much memory it held, and what it left behind.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "support/files/temporary.hpp"
#include "wire/json/json.hpp"

namespace parley::testing {

/// A folder for one test with a home and a place to work in, removed with all that is in it.
class Workspace {
 public:
  Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  /// A path in the folder where the agent works.
  [[nodiscard]] std::string path(const std::string& name) const { return work() / name; }
  [[nodiscard]] std::filesystem::path work() const { return root_ / "work"; }
  [[nodiscard]] std::filesystem::path home() const { return root_ / "home"; }
  /// Beside the folder where the agent works.
  [[nodiscard]] std::filesystem::path outside() const { return root_ / "outside"; }
  void write(const std::string& name, const std::string& text) const;
  [[nodiscard]] std::string read(const std::string& name) const;

 private:
  TemporaryFolder temporary_ = TemporaryFolder::make("hostile-").value();
  std::filesystem::path root_;
};

/// How an agent ended. A value.
struct AgentEnd {
  bool hung = false;  ///< It had to be killed because its time was over.
  int code = 0;       ///< Its exit code, 128 + n after signal n.
  std::chrono::milliseconds took{0};
  long memory_mb = 0;                    ///< At its largest, of the agent or one command.
  std::vector<Json> messages;            ///< The first megabytes, and the last one.
  std::vector<std::string> no_json;      ///< Lines on stdout that are no JSON objects.
  std::string errors;                    ///< The beginning of stderr.
  std::vector<std::string> left_behind;  ///< Processes that outlived it.

  /// The last result; null if there is none.
  [[nodiscard]] Json result() const;
  /// The tool results, in the order in which they came.
  [[nodiscard]] std::vector<Json> tool_results() const;
};

class AgentRun {
 public:
  struct Setup {
    std::string url;                     ///< Of the model.
    std::vector<std::string> arguments;  ///< Behind the usual ones; see the .cpp.
    std::map<std::string, std::string> environment;
  };
  AgentRun(const Workspace& workspace, const Setup& setup);
  ~AgentRun();
  AgentRun(const AgentRun&) = delete;
  AgentRun& operator=(const AgentRun&) = delete;

  /// To its stdin, whole; false if it does not read any more.
  bool say(std::string_view bytes) const;
  void close_input();
  /// Nobody reads its stdout any more.
  void close_output();
  void signal(int number) const;
  /// Waits for a message; false if the agent ends or `patience` is over first.
  bool wait_for(const std::function<bool(const Json&)>& wanted,
                std::chrono::milliseconds patience = std::chrono::seconds(20));
  /// Closes its stdin and waits for its end, at most `patience`. Once.
  AgentEnd finish(std::chrono::milliseconds patience);

 private:
  void read_output();
  void read_errors();

  pid_t pid_ = -1;
  int pidfd_ = -1, input_ = -1, output_ = -1, errors_fd_ = -1;
  int output_closed_[2] = {-1, -1};  ///< A pipe that tells the reader to close the output.
  std::chrono::steady_clock::time_point started_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Json> messages_;
  std::vector<std::string> no_json_;
  std::string errors_;
  bool output_ended_ = false;
  std::thread reader_, error_reader_;
};

}  // namespace parley::testing
