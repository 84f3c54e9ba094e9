// What the client hears of shell commands that take long or run in the background, and the prompt
// that tells the model of the end of one.
#pragma once

#include <mutex>
#include <set>
#include <string>

#include "../tools/tool_state.hpp"
#include "message_sink.hpp"
#include "prompt_queue.hpp"

namespace parley::agent {

/// Thread-safe.
class TaskReporter {
 public:
  TaskReporter(MessageSink& messages, PromptQueue& prompts)
      : messages_(messages), prompts_(prompts) {}

  /// A task has started, has gone to the background, or has ended.
  void on_change(const BackgroundTask& task);

 private:
  void started(const BackgroundTask& task);
  void ended(const BackgroundTask& task);

  MessageSink& messages_;
  PromptQueue& prompts_;
  std::mutex mutex_;
  std::set<std::string> background_;  ///< Tasks whose end is told to the model.
};

}  // namespace parley::agent
