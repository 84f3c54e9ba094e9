#include "agent/hooks/hook_answer.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "wire/codec/codec.hpp"

namespace parley::agent {
namespace {

using Kind = HookAnswer::Kind;
using Permission = HookVerdict::Permission;

constexpr const char* kNoReason = "Blocked by hook";

/// The later of two permissions counts, and of two equal ones the later said.
void decide(HookVerdict& verdict, Permission permission, const std::string& reason) {
  if (permission < verdict.permission) return;
  verdict.permission = permission;
  verdict.permission_reason = reason;
}

void block(HookVerdict& verdict, std::string_view event, const std::string& reason) {
  verdict.blocked = true;
  verdict.block_reason = reason.empty() ? kNoReason : reason;
  if (event == "PreToolUse") decide(verdict, Permission::deny, verdict.block_reason);
}

/// The word on a tool call or a switch of models.
void apply_word(std::string_view word, const std::string& reason, std::string_view event,
                HookVerdict& verdict) {
  if (word == "deny") {
    block(verdict, event, reason);
    decide(verdict, Permission::deny, verdict.block_reason);
  } else if (word == "ask") {
    decide(verdict, Permission::ask, reason);
  } else if (word == "allow") {
    decide(verdict, Permission::allow, reason);
  } else if (word == "defer") {
    decide(verdict, Permission::defer, reason);
  }
}

// ---- what is special about some events ---------------------------------------------------------

struct ApplySpecific {
  std::string_view event;
  HookVerdict& verdict;

  void operator()(const hooks::PreToolUseOutput& output) const {
    if (output.permissionDecision) {
      apply_word(output.permissionDecision->text(), output.permissionDecisionReason.value_or(""),
                 event, verdict);
    }
    if (output.updatedInput) verdict.updated_input = output.updatedInput;
    add_context(output.additionalContext);
  }
  void operator()(const hooks::PreModelSwitchOutput& output) const {
    if (output.permissionDecision) {
      apply_word(output.permissionDecision->text(), output.permissionDecisionReason.value_or(""),
                 event, verdict);
    }
  }
  void operator()(const hooks::PermissionRequestOutput& output) const {
    if (const auto* allow = std::get_if<hooks::PermissionRequestAllow>(&output.decision)) {
      decide(verdict, Permission::allow, {});
      if (verdict.permission != Permission::allow) return;
      if (allow->updatedInput) verdict.updated_input = allow->updatedInput;
      if (allow->updatedPermissions) verdict.updated_permissions = *allow->updatedPermissions;
    } else if (const auto* deny = std::get_if<hooks::PermissionRequestDeny>(&output.decision)) {
      decide(verdict, Permission::deny, deny->message.value_or(""));
      verdict.interrupt = verdict.interrupt || deny->interrupt.value_or(false);
    }
  }
  void operator()(const hooks::PostToolUseOutput& output) const {
    if (output.updatedToolOutput) verdict.updated_output = output.updatedToolOutput;
    if (output.updatedMCPToolOutput) verdict.updated_output = output.updatedMCPToolOutput;
    add_context(output.additionalContext);
  }
  void operator()(const hooks::UserPromptSubmitOutput& output) const {
    if (output.sessionTitle) verdict.session_title = output.sessionTitle;
    verdict.hide_prompt = verdict.hide_prompt || output.suppressOriginalPrompt.value_or(false);
    add_context(output.additionalContext);
  }
  void operator()(const hooks::SessionStartOutput& output) const {
    if (output.sessionTitle) verdict.session_title = output.sessionTitle;
    if (output.initialUserMessage) verdict.first_prompt = output.initialUserMessage;
    add_context(output.additionalContext);
  }
  /// All others have at most something to tell the model.
  template <class T>
  void operator()(const T& output) const {
    if constexpr (requires { output.additionalContext; }) add_context(output.additionalContext);
  }

  void add_context(const std::optional<std::string>& context) const {
    if (context && !context->empty()) verdict.contexts.push_back(*context);
  }
};

/// Whether every word in the answer is one that this build knows.
bool is_understood(const HookOutput& output) {
  if (output.decision && !output.decision->known()) return false;
  if (!output.hookSpecificOutput) return true;
  return std::visit(
      [](const auto& specific) {
        using T = std::remove_cvref_t<decltype(specific)>;
        if constexpr (std::is_same_v<T, hooks::PermissionRequestOutput>) {
          return !std::holds_alternative<Unknown>(specific.decision);
        } else if constexpr (requires { specific.permissionDecision; }) {
          return !specific.permissionDecision || specific.permissionDecision->known().has_value();
        } else {
          return true;
        }
      },
      static_cast<const HookSpecificOutput::variant&>(*output.hookSpecificOutput));
}

// ---- answers by their kind ---------------------------------------------------------------------

void merge_output(const HookOutput& output, std::string_view event, const std::string& name,
                  HookVerdict& verdict) {
  if (output.async_.value_or(false)) return;
  if (output.continue_ == false) {
    verdict.stop = true;
    verdict.stop_reason = output.stopReason.value_or("");
  }
  if (output.systemMessage) {
    verdict.system_messages.push_back(name + " says: " + *output.systemMessage);
  }
  if (output.decision) {
    const std::string reason = output.reason.value_or("");
    if (*output.decision == HookDecision::block) {
      block(verdict, event, reason);
    } else if (event == "PreToolUse") {
      decide(verdict, Permission::allow, reason);
    }
  }
  if (output.hookSpecificOutput) {
    std::visit(ApplySpecific{event, verdict},
               static_cast<const HookSpecificOutput::variant&>(*output.hookSpecificOutput));
  }
}

void complain(HookVerdict& verdict, const std::string& text) {
  if (!verdict.failure.empty()) verdict.failure += '\n';
  verdict.failure += text;
}

/// The call is not made; `what` happened.
void refuse_call(HookVerdict& verdict, const char* what) {
  verdict.failed_closed = true;
  verdict.failure = std::string("PreToolUse hook ") + what +
                    ". The tool call was not executed; other configured hooks may not have "
                    "completed.";
}

void merge_failure(const HookAnswer& answer, std::string_view event, HookVerdict& verdict) {
  const std::string what = "Hook callback " + answer.callback_id +
                           " failed: the SDK host replied with an error or an invalid answer.";
  const std::string told = std::string(event) + ": " + what;
  if (answer.block_on_failure) {
    complain(verdict, told + " onFailure is \"block\", so this failure counts as a block.");
    block(verdict, event, "[callback]: failed; blocking because onFailure is \"block\"\n" + what);
  } else {
    complain(verdict, told + " Its answer was treated as empty.");
  }
}

void merge_timeout(const HookAnswer& answer, std::string_view event, const std::string& name,
                   HookVerdict& verdict) {
  if (event == "PreToolUse") {
    refuse_call(verdict, "did not respond before its timeout (host client may be unreachable)");
  } else if (event == "UserPromptSubmit") {
    verdict.failed_closed = verdict.hide_prompt = true;
    block(verdict, event,
          std::string(event) + " hook callback timed out after " +
              std::to_string(answer.timeout.count()) + "ms");
  } else if (event == "Stop" || event == "SubagentStop") {
    verdict.system_messages.push_back(
        name +
        " says: The app driving this session didn't respond, so this turn ended without it.");
  }
}

void merge_wrong_event(const HookAnswer& answer, std::string_view event, HookVerdict& verdict) {
  if (event == "PreToolUse") {
    refuse_call(verdict, "failed with an unexpected error");
  } else if (event == "UserPromptSubmit") {
    // The real CLI ends with an error here. A prompt that no hook could judge is not sent either.
    verdict.failed_closed = true;
    block(verdict, event, answer.text);
  } else if (event == "Stop" || event == "SubagentStop") {
    complain(verdict, std::string(event) + " hook failed: " + answer.text);
  }
}

/// Whether what a command prints is meant for the model.
bool prints_context(std::string_view event) {
  return event == "UserPromptSubmit" || event == "SessionStart" || event == "Setup" ||
         event == "SubagentStart";
}

}  // namespace

HookAnswer read_hook_output(std::string_view json, std::string_view event) {
  HookAnswer answer;
  auto output = decode<HookOutput>(json);
  const auto tree = Json::parse(json);
  if (!output || !tree || !tree->is_object()) {
    answer.kind = Kind::failed;
    answer.text = output ? "expected an object" : output.error().what();
    return answer;
  }
  if (const Json* specific = tree->find("hookSpecificOutput")) {
    const Json& named = (*specific)["hookEventName"];
    if (!named.is_string()) {
      answer.kind = Kind::failed;
      answer.text = "hookSpecificOutput.hookEventName: expected string";
      return answer;
    }
    if (named.as_string() != event) {
      answer.kind = Kind::wrong_event;
      answer.text = "Hook returned incorrect event name: expected '" + std::string(event) +
                    "' but got '" + std::string(named.as_string()) +
                    "'. Full stdout: " + tree->dump(2);
      return answer;
    }
  }
  if (!is_understood(*output)) {
    answer.kind = Kind::failed;
    answer.text = "a decision that is not known";
    return answer;
  }
  answer.kind = Kind::output;
  answer.output = *std::move(output);
  return answer;
}

void merge_hook_answer(const HookAnswer& answer, std::string_view event, const std::string& name,
                       HookVerdict& verdict) {
  // A command that fails in any of these ways has said nothing.
  const bool failed = answer.kind == Kind::failed || answer.kind == Kind::wrong_event ||
                      answer.kind == Kind::timed_out;
  if (failed && !answer.from_callback) return;
  switch (answer.kind) {
    case Kind::output: return merge_output(answer.output, event, name, verdict);
    case Kind::text:
      if (prints_context(event) && !answer.text.empty()) verdict.contexts.push_back(answer.text);
      return;
    case Kind::exit_two: return block(verdict, event, answer.text);
    case Kind::failed: return merge_failure(answer, event, verdict);
    case Kind::wrong_event: return merge_wrong_event(answer, event, verdict);
    case Kind::timed_out: return merge_timeout(answer, event, name, verdict);
    case Kind::hung_up: verdict.hung_up = true; return;
    case Kind::stopped: return;
  }
}

}  // namespace parley::agent
