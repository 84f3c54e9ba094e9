// The questions that `parley run` puts to the person at the terminal.
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "apps/parley/run_view.hpp"
#include "client/options.hpp"

namespace parley::app {

/// Asks on standard error and reads lines from standard input; one question at a time. Where
/// standard input is no terminal nobody can be asked: tools are denied, questions declined, plans
/// rejected, each with a message that says so.
class RunPrompts {
 public:
  explicit RunPrompts(RunView& view);

  /// Puts itself into the options. Must outlive the session.
  void serve(Options& options);

 private:
  [[nodiscard]] PermissionAnswer permission(const PermissionAsk& ask);
  [[nodiscard]] QuestionAnswers questions(const QuestionAsk& ask);
  [[nodiscard]] PlanAnswer plan(const PlanAsk& ask);
  /// The next line; nothing if the question is withdrawn or the input has ended.
  [[nodiscard]] std::optional<std::string> read_line(const std::stop_token& stop);

  RunView& view_;
  bool someone_there_;
  std::string typed_;  ///< Read, and not yet used.
};

}  // namespace parley::app
