// One shell command on a thread of its own, from its start until nothing of it is left.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "../../../support/files/unique_fd.hpp"
#include "../../../support/process/wake_event.hpp"
#include "../../../wire/error.hpp"
#include "child_process.hpp"

namespace parley::agent {

/// Thread-safe. Everything it writes goes to a file; the beginning is kept in memory, too.
class ShellJob {
 public:
  struct Setup {
    ChildProcess::Setup process;
    std::filesystem::path output_file;
    std::function<void()> on_end;  ///< On the job's own thread, once, before any wait returns.
  };
  /// What is kept in memory of the output: more than any tool shows, however long its characters.
  static constexpr std::size_t kHeadBytes = std::size_t{128} << 10;
  /// A command that writes more than this is ended.
  static constexpr std::uint64_t kMostOutput = std::uint64_t{64} << 20;

  static Result<std::shared_ptr<ShellJob>> start(Setup setup);
  /// Ends the command and whatever it left running.
  ~ShellJob();
  ShellJob(const ShellJob&) = delete;
  ShellJob& operator=(const ShellJob&) = delete;

  /// True when the command has ended; false when the time is over or `stop` was asked for.
  bool wait_until(std::chrono::steady_clock::time_point deadline, const std::stop_token& stop);
  [[nodiscard]] bool ended() const;
  /// After the end.
  [[nodiscard]] int exit_code() const;
  /// Ended because it wrote too much.
  [[nodiscard]] bool overflowed() const;
  /// Nothing of it is left: neither the command nor what it started.
  [[nodiscard]] bool gone() const;
  /// Asks the thread to end the command and what it left; does not wait.
  void kill();
  /// The same, at a time to come.
  void kill_at(std::chrono::steady_clock::time_point when);

  [[nodiscard]] std::string head() const;
  [[nodiscard]] std::uint64_t output_bytes() const;
  [[nodiscard]] const std::filesystem::path& output_file() const { return setup_.output_file; }

 private:
  ShellJob(Setup setup, ChildProcess process, UniqueFd file, WakeEvent wake);
  void run();
  /// Takes what is there; false at the end of the output.
  bool drain();
  void finish(int code);
  /// Waits for output, the end (`ended` of the command or of a leftover) or an order; true if it is
  /// time to end the command.
  bool wait_for_order(int ended, bool open, bool& has_output, bool& has_ended);

  const Setup setup_;
  ChildProcess process_;  // of the thread alone
  UniqueFd file_;
  WakeEvent wake_;

  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::string head_;
  std::uint64_t bytes_ = 0;
  bool ended_ = false, told_ = false, gone_ = false, overflowed_ = false, kill_ = false;
  std::optional<std::chrono::steady_clock::time_point> kill_at_;
  int exit_code_ = 0;
  std::jthread thread_;
};

}  // namespace parley::agent
