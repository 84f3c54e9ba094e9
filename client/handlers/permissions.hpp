// Permission: what the agent asks before it runs a tool, and how to answer.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../wire/control/requests.hpp"
#include "declarations.hpp"

namespace parley {

/// One question. A value; the request as the agent sent it, and what is needed beside it.
struct PermissionAsk : control::CanUseTool {
  std::string request_id;
  /// Stopped when the agent no longer wants the answer: an interrupt, a hook that was faster, the
  /// end of Deadlines::question or of the session. A handler that waits for a person should give up
  /// then; its answer is not sent any more.
  std::stop_token stop;

  /// The subagent that wants the tool, or empty: the main one does.
  [[nodiscard]] std::string_view subagent() const {
    return agent_id ? std::string_view(*agent_id) : std::string_view();
  }
};

/// A tool, or some of its calls. An empty tool name throws std::invalid_argument.
class Rule {
 public:
  /// Every call of the tool: Rule::tool("Bash").
  static Rule tool(std::string name);
  /// The calls whose input matches: Rule::match("Bash", "touch:*"). Empty content throws too.
  static Rule match(std::string name, std::string content);

  [[nodiscard]] const PermissionRule& wire() const { return rule_; }

 private:
  explicit Rule(PermissionRule rule) : rule_(std::move(rule)) {}
  PermissionRule rule_;
};

/// Changes to rules, mode and folders that travel with an allow. The CLI drops a whole list for one
/// malformed entry without saying so; this builder makes none, and throws std::invalid_argument
/// where one would arise (no rules, no folder, an unknown destination).
class PermissionChanges {
 public:
  using Destination = PermissionDestination;

  PermissionChanges& add(PermissionBehavior behavior, std::vector<Rule> rules,
                         Destination destination = Destination::session);
  PermissionChanges& replace(PermissionBehavior behavior, std::vector<Rule> rules,
                             Destination destination = Destination::session);
  PermissionChanges& remove(PermissionBehavior behavior, std::vector<Rule> rules,
                            Destination destination = Destination::session);
  PermissionChanges& mode(PermissionMode mode, Destination destination = Destination::session);
  PermissionChanges& add_folders(std::vector<std::string> folders,
                                 Destination destination = Destination::session);
  PermissionChanges& remove_folders(std::vector<std::string> folders,
                                    Destination destination = Destination::session);
  /// What the agent suggested, unchanged.
  PermissionChanges& suggested(const PermissionAsk& ask);

  [[nodiscard]] const std::vector<PermissionUpdate>& wire() const { return updates_; }

 private:
  std::vector<PermissionUpdate> updates_;
};

/// An answer. Made by allow() and deny() below. A value: what is added changes the answer in place
/// and gives it back, so both chains and steps work.
class PermissionAnswer {
 public:
  /// Runs the tool with another input; only with allow(). The wrong kind throws std::logic_error,
  /// here as below.
  PermissionAnswer& with_input(RawJson input) &;
  PermissionAnswer with_input(RawJson input) && { return std::move(with_input(std::move(input))); }
  /// Changes rules along the way; only with allow().
  PermissionAnswer& with_changes(const PermissionChanges& changes) &;
  PermissionAnswer with_changes(const PermissionChanges& changes) && {
    return std::move(with_changes(changes));
  }
  /// Also ends the turn; only with deny().
  PermissionAnswer& and_stop() &;
  PermissionAnswer and_stop() && { return std::move(and_stop()); }

  /// What is sent, given what was asked: the input is always there, for older CLIs insist on it.
  [[nodiscard]] PermissionResult wire(const PermissionAsk& ask) const;
  [[nodiscard]] bool allows() const { return allow_; }

 private:
  friend PermissionAnswer allow();
  friend PermissionAnswer deny(std::string message);
  PermissionAnswer() = default;

  bool allow_ = false;
  bool stop_ = false;
  std::string message_;
  std::optional<RawJson> input_;
  std::vector<PermissionUpdate> updates_;
};

/// allow().with_input(...).with_changes(PermissionChanges().suggested(ask))
[[nodiscard]] PermissionAnswer allow();
/// deny("not in this folder").and_stop(). The model reads the message.
[[nodiscard]] PermissionAnswer deny(std::string message);

}  // namespace parley
