// Whether a tool call may run: what PreToolUse hooks, rules and modes say, and the client where
// these leave it open.
#pragma once

#include <variant>

#include "call_outcome.hpp"
#include "call_scope.hpp"

namespace parley::agent {

/// A permission that was given, with what the call runs with.
struct Permit {
  RawJson input;
  PermissionDecision decision;
};
/// A hook wants the call left alone until the session is resumed.
struct Deferral {};
/// An outcome: the call does not run, and that is why.
using CallDecision = std::variant<Permit, CallOutcome, Deferral>;

/// Runs the PreToolUse hooks, judges the call, and asks the client if that is needed. Blocks until
/// it is decided or the scope is stopped.
[[nodiscard]] CallDecision decide_permission(const CallScope& scope, const Tool& tool);

/// Asks the client, and PermissionRequest hooks at the same time; whoever answers first counts.
/// `verdict` says what it is told.
[[nodiscard]] CallDecision ask_permission(const CallScope& scope, const Tool& tool,
                                          const RawJson& input, const Verdict& verdict);

}  // namespace parley::agent
