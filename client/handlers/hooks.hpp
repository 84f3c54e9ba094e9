// Hooks: callbacks that the agent waits for at certain points of its work, typed by event.
//
//   options.hooks.on<hooks::PreToolUse>({.matcher = "Bash"}, [](const hooks::PreToolUse& call) {
//     return hooks::PreToolUseOutput{.permissionDecision = hooks::PermissionDecision::deny};
//   });
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "../../wire/control/hooks.hpp"
#include "declarations.hpp"

namespace parley {

/// An answer made for one event: hooks::PreToolUseOutput, …
template <class T>
concept HookOutputType =
    detail::kIsAlternative<T, HookSpecificOutput> && !std::is_same_v<T, Unknown>;

namespace detail {

// Which output belongs to which event. An event without a line answers with HookOutput only.
template <class Event>
struct OutputOf {
  using type = void;
};
#define PARLEY_HOOK_OUTPUT(Event)      \
  template <>                          \
  struct OutputOf<hooks::Event> {      \
    using type = hooks::Event##Output; \
  };
PARLEY_HOOK_OUTPUT(PreToolUse)
PARLEY_HOOK_OUTPUT(PostToolUse)
PARLEY_HOOK_OUTPUT(PostToolUseFailure)
PARLEY_HOOK_OUTPUT(PostToolBatch)
PARLEY_HOOK_OUTPUT(PermissionDenied)
PARLEY_HOOK_OUTPUT(PermissionRequest)
PARLEY_HOOK_OUTPUT(Notification)
PARLEY_HOOK_OUTPUT(UserPromptSubmit)
PARLEY_HOOK_OUTPUT(UserPromptExpansion)
PARLEY_HOOK_OUTPUT(MessageDisplay)
PARLEY_HOOK_OUTPUT(SessionStart)
PARLEY_HOOK_OUTPUT(Setup)
PARLEY_HOOK_OUTPUT(Stop)
PARLEY_HOOK_OUTPUT(SubagentStart)
PARLEY_HOOK_OUTPUT(SubagentStop)
PARLEY_HOOK_OUTPUT(PreModelSwitch)
PARLEY_HOOK_OUTPUT(PostModelSwitch)
PARLEY_HOOK_OUTPUT(Elicitation)
PARLEY_HOOK_OUTPUT(ElicitationResult)
PARLEY_HOOK_OUTPUT(WorktreeCreate)
PARLEY_HOOK_OUTPUT(CwdChanged)
PARLEY_HOOK_OUTPUT(FileChanged)
#undef PARLEY_HOOK_OUTPUT

}  // namespace detail

/// What a hook for `Event` may return: a HookOutput, or the output made for that event. The output
/// of another event does not compile.
template <HookEventType Event>
struct HookAnswer {
  HookOutput output;

  HookAnswer() = default;
  HookAnswer(HookOutput all) : output(std::move(all)) {}
  template <HookOutputType Specific>
  requires(std::is_same_v<Specific, typename detail::OutputOf<Event>::type>)
      HookAnswer(Specific specific) {
    output.hookSpecificOutput = HookSpecificOutput(std::move(specific));
  }
};

/// `{}`: the hook has no opinion.
[[nodiscard]] inline HookOutput no_opinion() { return {}; }
/// Keeps a Stop from stopping, or a prompt from being sent; the model reads the reason.
[[nodiscard]] HookOutput block(std::string reason);
/// Ends the turn after this.
[[nodiscard]] HookOutput stop_turn(std::string reason);

/// An event as it came, for hooks that are not bound to one type.
struct HookAsk {
  HookInput input;
  std::optional<std::string> tool_use_id;
  std::stop_token stop;  ///< Stopped when the agent no longer waits, or Deadlines::hook is over.
};

template <HookEventType Event, class F>
Hooks& Hooks::on(HookFilter filter, F handler) {
  return on_event(
      event_name<Event>(), std::move(filter),
      HookHandler([handler = std::move(handler)](const HookAsk& ask) mutable -> HookOutput {
        const auto& event = std::get<Event>(ask.input);
        if constexpr (std::is_invocable_v<F&, const Event&, const HookAsk&>) {
          return HookAnswer<Event>(handler(event, ask)).output;
        } else {
          return HookAnswer<Event>(handler(event)).output;
        }
      }));
}

template <HookEventType Event, class F>
Hooks& Hooks::on(F handler) {
  return on<Event>(HookFilter{}, std::move(handler));
}

template <HookEventType Event>
std::string Hooks::event_name() {
  constexpr auto index = detail::kIndexIn<Event, HookInput::variant>;
  return std::string(parley_enum(Tag<HookEvent>{})[index]);
}

/// Why an event never reaches a callback; empty if it does.
[[nodiscard]] std::string_view never_delivered(std::string_view event);

}  // namespace parley
