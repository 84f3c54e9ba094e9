// Work that goes on beside the conversation: what is known of one piece of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace parley::agent {

/// A shell command or a subagent. It goes on after its call has been answered, or its call still
/// waits for it and it is worth a word to the client. A value.
struct BackgroundTask {
  enum class Kind { command, agent } kind = Kind::command;
  std::string id;           ///< "b" or "a", and letters or digits.
  std::string run_id = {};  ///< Of this run of it: an agent may be sent on again.
  std::string tool_use_id;
  std::string command;      ///< Of a command.
  std::string description;  ///< Of the call, or the command.
  std::filesystem::path output_file;
  enum class Status { running, completed, failed, killed } status = Status::running;
  std::optional<int> exit_code;  ///< Of a command.
  /// False: its call still waits for it.
  bool backgrounded = true;
  std::string parent_id = {};  ///< The agent that started it; empty: the session itself.

  /// Of an agent.
  struct Agent {
    std::string type;
    std::string prompt;
    std::int64_t depth = 1;  ///< 1: the session started it; 2: an agent of the session did.
  };
  std::optional<Agent> agent = {};

  // ---- of one that has ended ----

  std::string outcome = {};  ///< The last words of an agent, or why it failed.
  /// What an agent has used up.
  struct Use {
    std::int64_t tokens = 0, tool_uses = 0, milliseconds = 0;
  };
  std::optional<Use> use = {};
  /// False: whoever ended it knows, and the model is not told again.
  bool is_news = true;
};

[[nodiscard]] inline const char* task_type(const BackgroundTask& task) {
  return task.kind == BackgroundTask::Kind::agent ? "local_agent" : "local_bash";
}

}  // namespace parley::agent
