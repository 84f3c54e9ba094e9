// What the tests of the client share: sessions with the fake CLI, and looking at messages.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "client/client.hpp"

namespace parley::testing {

using namespace std::chrono_literals;

/// Long enough for any machine; a test that waits this long has failed.
inline constexpr auto kPatience = 30s;

std::filesystem::path fake_cli();
/// Options that run the script (see tests/fake_cli) with short deadlines for closing.
Options fake(const std::string& script);

/// Actions of the script: the end of a turn, and a request of the CLI under the id "q".
inline const std::string kDone =
    R"(out {"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"s"})";
std::string request(const std::string& body);

/// A CLI that any user of the system may run: a shell script in a folder of its own, which answers
/// `initialize`, runs `commands`, and reads to the end of input.
class ShellCli {
 public:
  explicit ShellCli(const std::string& commands);
  ~ShellCli();
  ShellCli(const ShellCli&) = delete;
  ShellCli& operator=(const ShellCli&) = delete;
  [[nodiscard]] std::string program() const { return (folder_ / "cli.sh").string(); }

 private:
  std::filesystem::path folder_;
};

/// A file in the test's own temporary folder, removed at the end of the process.
std::filesystem::path temporary_file(const std::string& name);
std::vector<std::string> read_lines(const std::filesystem::path& file);

/// The text of an assistant message, or empty.
std::string text_of(const Message& message);

/// Receives up to the next result, whichever prompt it answers; an error if it is one.
Result<ResultMessage> next_result(Session& session,
                                  const std::function<void(const Message&)>& each = {});

/// Open descriptors of this process.
std::size_t open_descriptors();

/// A bell that one thread rings and another waits for.
class Bell {
 public:
  void ring() {
    const std::lock_guard lock(mutex_);
    ++rung_;
    changed_.notify_all();
  }
  [[nodiscard]] bool wait(int times = 1) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kPatience, [&] { return rung_ >= times; });
  }
  [[nodiscard]] int count() {
    const std::lock_guard lock(mutex_);
    return rung_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int rung_ = 0;
};

}  // namespace parley::testing
