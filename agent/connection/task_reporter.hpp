// What the client hears of work in the background and of what takes long, and the prompt that tells
// the model of the end of it.
#pragma once

#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "../tools/background/background_tasks.hpp"
#include "message_sink.hpp"
#include "prompt_queue.hpp"

namespace parley::agent {

/// Thread-safe.
class TaskReporter {
 public:
  /// Gives a message to a running agent; false if there is none of that id.
  using TellAgent = std::function<bool(const std::string& agent_id, UserMessage message)>;

  TaskReporter(MessageSink& messages, PromptQueue& prompts)
      : messages_(messages), prompts_(prompts) {}

  /// Who hears of the end of what agents started. Before the first task.
  void set_tell_agent(TellAgent tell_agent) { tell_agent_ = std::move(tell_agent); }

  void on_change(const BackgroundTask& task, BackgroundTasks::Change change);

 private:
  void started(const BackgroundTask& task);
  void moved(const BackgroundTask& task);
  void ended(const BackgroundTask& task);
  /// It does nothing more: the model may be told.
  void gone(const BackgroundTask& task);
  /// It is in the background from now on.
  void show_background(const BackgroundTask& task);
  void send_list();

  MessageSink& messages_;
  PromptQueue& prompts_;
  TellAgent tell_agent_;
  std::mutex mutex_;
  std::vector<BackgroundTask> background_;  ///< Those that run there, in the order of their start.
  std::set<std::string> stopped_;           ///< Those of them that were stopped and are not gone.
};

}  // namespace parley::agent
