// What the client is told about the session beside the conversation itself: what becomes of its
// prompts, whether the agent works or waits, and the permission mode.
#pragma once

#include <string>

#include "message_sink.hpp"

namespace parley::agent {

/// What becomes of the client's prompts. Thread-safe.
class PromptReporter {
 public:
  struct Setup {
    std::string session_id;
    bool echo = false;  ///< --replay-user-messages.
  };
  PromptReporter(Setup setup, MessageSink& messages)
      : setup_(std::move(setup)), messages_(messages) {}

  /// Shows the client its own message, if it wants that.
  void echo(const UserMessage& prompt) { show(prompt); }
  /// The same for one that the turn which runs answers: with the time.
  void echo_answered(UserMessage prompt);
  /// "queued", "started", "completed" or "cancelled", of a prompt that has an id.
  void lifecycle(const std::string& uuid, const char* state);

 private:
  void show(UserMessage message);

  const Setup setup_;
  MessageSink& messages_;
};

/// How the session is doing. Thread-safe.
class StatusReporter {
 public:
  /// `state_events`: the client wants `session_state_changed`.
  StatusReporter(bool state_events, MessageSink& messages)
      : state_events_(state_events), messages_(messages) {}

  void state(SessionState state);
  /// After the permission mode has changed.
  void mode(const Enum<PermissionMode>& mode);

 private:
  const bool state_events_;
  MessageSink& messages_;
};

}  // namespace parley::agent
