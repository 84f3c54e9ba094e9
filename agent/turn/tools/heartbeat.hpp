// Tells the client from time to time that a tool still works, so that a long silence is not taken
// for a dead agent.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "../../../wire/messages/messages.hpp"

namespace parley::agent {

/// From its construction to its destruction, which waits for nothing.
class Heartbeat {
 public:
  static constexpr std::chrono::milliseconds kInterval{30'000};

  /// `show` is called on a thread of the heartbeat's own.
  Heartbeat(std::string tool_use_id, std::string tool_name, std::function<void(ToolProgress)> show,
            std::chrono::milliseconds interval = kInterval);

 private:
  std::jthread thread_;
};

}  // namespace parley::agent
