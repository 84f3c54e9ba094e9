// One subagent: a conversation of its own that works for a call of another one. It runs the same
// loop as a turn of the session, on a thread of its own, and can be sent on when it has ended.
#pragma once

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "../tools/background/background_task.hpp"
#include "../turn/agent_loop.hpp"
#include "subagent_messages.hpp"
#include "subagent_parts.hpp"
#include "subagent_transcript.hpp"

namespace parley::agent {

/// How a run of a subagent ended. A value.
struct SubagentOutcome {
  BackgroundTask::Status status = BackgroundTask::Status::kCompleted;
  std::string text;  ///< Its report; why it failed; what the caller is told if it was stopped.
  bool turned_off = false;  ///< It had no turns left: the report is what there was.
  Usage usage;              ///< Of its last response.
  SubagentWork work;
  ChangedLines lines;
  std::chrono::milliseconds took{0};

  [[nodiscard]] BackgroundTask::Use use() const;
};

/// What one run of it is given. A value.
struct SubagentTask {
  std::string prompt;
  std::string prompt_id;  ///< Of the turn that the work is for.
  std::string run_id;
  std::string tool_use_id;  ///< Of the call that wants it.
};

/// Of one thread at a time, but for what says otherwise.
class Subagent {
 public:
  /// `own_tools`: those that know whose they are.
  Subagent(const AgentHost& host, SubagentIdentity identity, bool background,
           const std::vector<SharedTool>& own_tools);

  /// Does the work. `begun` is called when hooks know of it, before the model is asked.
  SubagentOutcome run(const SubagentTask& task, const std::stop_token& stop,
                      const std::function<void()>& begun);
  /// Begins with what an earlier run of the session left of it.
  void restore(std::vector<MessageParam> messages, std::string last_uuid);

  // ---- of any thread ----

  [[nodiscard]] const SubagentIdentity& identity() const { return identity_; }
  [[nodiscard]] SubagentMessages& messages() { return messages_; }
  [[nodiscard]] std::string transcript_path() const { return transcript_.path(); }
  [[nodiscard]] std::string model() const { return requests_.model(); }
  /// Something to read for it, before it asks the model again.
  void tell(UserMessage message);
  /// Whether there is something that it has not read.
  [[nodiscard]] bool has_mail() const;

 private:
  [[nodiscard]] TurnContext context();
  void append(const MessageParam& message, const std::string& prompt_id);
  bool take_mail(const std::string& prompt_id);
  void run_start_hooks(TurnContext& context, const std::string& prompt_id,
                       const std::stop_token& stop, const std::function<void()>& begun);
  [[nodiscard]] SubagentOutcome outcome_of(const TurnRecord& record);

  const AgentHost& host_;
  const SubagentIdentity identity_;
  const bool background_;
  SubagentRequests requests_;
  SubagentTools tools_;
  SubagentPermissions permissions_;
  SubagentMessages messages_;
  SubagentTranscript transcript_;
  Conversation conversation_;
  Guarded<SessionTotals> totals_;
  PromptQueue prompts_;  ///< Of the loop; nothing is ever queued there.
  Guarded<std::vector<UserMessage>> mail_;
};

}  // namespace parley::agent
