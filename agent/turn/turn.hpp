// One turn: prompts in, a result out. In between the model answers, tools run, hooks have their
// say, and the user may interrupt.
#pragma once

#include "model_response.hpp"
#include "tools/tool_runs.hpp"

namespace parley::agent {

class Turn {
 public:
  explicit Turn(Session& session) : session_(session) {}

  /// Answers the prompts together, up to the result.
  void run(std::vector<UserMessage> prompts);
  /// Carries out the call that a hook put off in the earlier run, and lets the model go on.
  void run_deferred();

 private:
  /// Whether the loop goes on with another answer.
  enum class Next { kGoOn, kEnd };
  /// Whose words a prompt is. The agent's own are not shown, and not what the user said last.
  enum class Author { kClient, kAgent };

  void begin();
  void end();
  bool execute_deferred(const DeferredCall& deferred);
  void report_unavailable(const DeferredCall& deferred);
  void submit(std::vector<UserMessage> prompts, Author author);
  void append_prompt(const UserMessage& prompt, Author author);
  void send_init();
  void run_loop();
  Next after_answer(ModelResponse& answer);
  Next after_tools(const ToolRuns& tools);
  void append_results(const ToolRuns& tools);
  bool end_by_tools(const ToolRuns& tools);
  Next after_cut(const ModelResponse& answer);
  Next after_last_answer(const ModelResponse& answer);
  Next run_stop_hooks(const ModelResponse& answer);
  using HeldCalls = std::vector<std::pair<ToolUseBlock, std::string>>;
  void append_unexecuted(const HeldCalls& calls);
  bool over_budget();
  bool structured_output_fails(const ToolRuns& tools);

  void say_synthetic(const std::string& text, std::optional<std::string> refused_id = {});
  void append_answer(const ModelResponse& answer);
  void interrupted(ModelResponse& answer);
  void fail_max_tokens();
  void append_queued_prompts();

  void finish();
  void show_lifecycle(const std::string& uuid, const char* state);

  Session& session_;
  std::stop_token stop_;
  TurnClock clock_;
  std::string prompt_id_;
  std::vector<UserMessage> prompts_;
  ResultMessage result_;
  Usage usage_;
  std::int64_t answers_ = 0;
  std::int64_t turns_ = 1;
  int continuations_ = 0;  ///< After max_tokens.
  int pauses_ = 0;
  int empty_answers_ = 0;
  int refusals_ = 0;
  int cuts_ = 0;
  std::int64_t structured_tries_ = 0;  ///< Calls of StructuredOutput that failed.
  bool stop_hook_active_ = false;
  bool nudged_ = false;
  bool cancelled_ = false;
};

/// The tokens of `more` added to `sum`.
void add_usage(Usage& sum, const Usage& more);

}  // namespace parley::agent
