#include "agent/turn/tools/heartbeat.hpp"

#include <condition_variable>
#include <mutex>

namespace parley::agent {

Heartbeat::Heartbeat(std::string tool_use_id, std::string tool_name,
                     std::function<void(ToolProgress)> show, std::chrono::milliseconds interval)
    : thread_([=](const std::stop_token& stop) {
        std::mutex mutex;
        std::condition_variable_any never;
        std::unique_lock lock(mutex);
        for (int beat = 0;; ++beat) {
          never.wait_for(lock, stop, interval, [] { return false; });
          if (stop.stop_requested()) return;
          ToolProgress message;
          message.tool_use_id = tool_use_id + "-heartbeat-" + std::to_string(beat);
          message.tool_name = tool_name;
          message.parent_tool_use_id = tool_use_id;
          const std::chrono::duration<double> elapsed = (beat + 1) * interval;
          message.elapsed_time_seconds = elapsed.count();
          message.heartbeat = true;
          show(std::move(message));
        }
      }) {}

}  // namespace parley::agent
