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
#include "handler.hpp"

namespace parley {

namespace detail {

template <class T, class Variant>
struct IndexIn;
template <class T, class... All>
struct IndexIn<T, std::variant<All...>> {
  static constexpr std::size_t value = [] {
    std::size_t index = 0;
    (void)((std::is_same_v<T, All> ? true : (++index, false)) || ...);
    return index;
  }();
  static constexpr bool found = value < sizeof...(All);
};

template <class... T>
std::variant<T...> as_variant(const std::variant<T...>&);
template <class V>
using VariantOf = decltype(as_variant(std::declval<const V&>()));

}  // namespace detail

/// An event that this build knows: hooks::PreToolUse, hooks::Stop, …
template <class T>
concept HookEventType =
    detail::IndexIn<T, detail::VariantOf<HookInput>>::found && !std::is_same_v<T, Unknown>;
/// An answer made for one event: hooks::PreToolUseOutput, …
template <class T>
concept HookOutputType =
    detail::IndexIn<T, detail::VariantOf<HookSpecificOutput>>::found && !std::is_same_v<T, Unknown>;

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

/// Which events go to a hook, and what happens if it fails.
struct HookFilter {
  /// A tool name, names joined by `|`, or a regular expression; empty matches everything.
  std::string matcher = {};
  /// After this the agent gives up waiting (and refuses the tool call); none: the CLI's own limit.
  std::optional<std::chrono::milliseconds> timeout = {};
  /// What an error of the hook means to the agent. Only newer CLIs know it.
  std::optional<HookFailurePolicy> on_failure = {};
};

/// An event as it came, for hooks that are not bound to one type.
struct HookAsk {
  HookInput input;
  std::optional<std::string> tool_use_id;
  std::stop_token stop;  ///< Stopped when the agent no longer waits.
};
using HookHandler = Handler<HookAsk, HookOutput>;

/// All hooks of a session, in the order of registration.
class Hooks {
 public:
  struct Entry {
    std::string event;
    HookFilter filter;
    HookHandler handler;
  };

  /// The handler takes `const Event&`, or `const Event&, const HookAsk&` if it also wants the stop
  /// token. Throws Error(kInvalid) for an event that the CLI accepts but never delivers to a
  /// program: it would be a hook that silently never runs.
  template <HookEventType Event, class F>
  Hooks& on(HookFilter filter, F handler) {
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
  Hooks& on(F handler) {
    return on<Event>(HookFilter{}, std::move(handler));
  }
  /// By name, also for events that are newer than this build. Throws as above.
  Hooks& on_event(std::string event, HookFilter filter, HookHandler handler);

  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  [[nodiscard]] bool empty() const { return entries_.empty(); }

 private:
  template <HookEventType Event>
  static std::string event_name() {
    constexpr auto index = detail::IndexIn<Event, detail::VariantOf<HookInput>>::value;
    return std::string(parley_enum(Tag<HookEvent>{})[index]);
  }

  std::vector<Entry> entries_;
};

/// Why an event never reaches a callback; empty if it does.
[[nodiscard]] std::string_view never_delivered(std::string_view event);

}  // namespace parley
