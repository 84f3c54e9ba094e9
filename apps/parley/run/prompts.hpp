// The questions that `parley run` puts to the person at the terminal.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "apps/parley/run/keyboard.hpp"
#include "apps/parley/run/view.hpp"
#include "client/handlers/permissions.hpp"
#include "client/handlers/questions.hpp"
#include "client/options.hpp"

namespace parley::app {

/// Asks on standard error and takes single keys; one question at a time. Where nobody is at a
/// terminal nobody can be asked: tools are denied, questions declined, plans rejected, each with a
/// message that says so.
class RunPrompts {
 public:
  explicit RunPrompts(RunView& view) : view_(view) {}

  /// Puts itself into the options. Must outlive the session.
  void serve(Options& options);

 private:
  [[nodiscard]] PermissionAnswer permission(const PermissionAsk& ask);
  [[nodiscard]] QuestionAnswers questions(const QuestionAsk& ask);
  [[nodiscard]] PlanAnswer plan(const PlanAsk& ask);

  RunView& view_;
};

}  // namespace parley::app
