// An MCP server that is a child process: one message a line, on its stdin and stdout.
#pragma once

#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "../../../support/files/unique_fd.hpp"
#include "../../../support/process/wake_event.hpp"
#include "../../../wire/framing.hpp"
#include "../transport.hpp"

namespace parley::agent {

class StdioTransport final : public ServerTransport {
 public:
  struct Setup {
    std::string command;  ///< A path, or a name that is looked up in the PATH of the environment.
    std::vector<std::string> arguments;
    std::map<std::string, std::string> environment;  ///< The whole of it.
    std::string cwd;
    /// Told what the server writes to stderr, a piece at a time, on a thread of the transport.
    std::function<void(std::string_view text)> on_stderr;
  };
  explicit StdioTransport(Setup setup) : setup_(std::move(setup)) {}
  ~StdioTransport() override { close(); }

  Result<void> open(McpReceiver& receiver, const McpSendOptions& options) override;
  Result<void> send(const JsonRpcMessage& message, const McpSendOptions& options) override;
  void close() override;

 private:
  Result<pid_t> start();
  void run(McpReceiver& receiver);
  /// False if there was nothing to read.
  bool read_output(McpReceiver& receiver);
  void end_process();
  bool wait_for_end(std::chrono::milliseconds patience);

  const Setup setup_;
  const WakeEvent stop_;
  std::thread thread_;  ///< Starts the process and reads what it says; it is the child's parent.

  // Of the thread.
  pid_t pid_ = -1;
  UniqueFd pidfd_, output_, errors_;
  LineFramer framer_{kLongestMcpMessage};

  std::mutex mutex_;  ///< Guards `input_`: one message at a time.
  UniqueFd input_;
  std::mutex closing_;
};

}  // namespace parley::agent
