// What a session can ask its program, by name: enough to hold handlers, hooks and tools, as Options
// does. What is asked and answered is in permissions.hpp, questions.hpp, hooks.hpp and tools.hpp;
// include the one whose handlers you write.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "../../wire/codec/values.hpp"
#include "handler.hpp"

namespace parley {

struct HookInput;
struct HookOutput;
enum class HookFailurePolicy : std::int16_t;
namespace control {
struct ElicitationReply;
struct RequestUserDialogReply;
}  // namespace control

// ---- questions: permissions.hpp, questions.hpp ----

struct PermissionAsk;
class PermissionAnswer;
using PermissionHandler = Handler<PermissionAsk, PermissionAnswer>;

struct QuestionAsk;
class QuestionAnswers;
using QuestionHandler = Handler<QuestionAsk, QuestionAnswers>;

struct PlanAsk;
struct PlanAnswer;
using PlanHandler = Handler<PlanAsk, PlanAnswer>;

struct ElicitationAsk;
/// accept_form(to_raw(form)), decline_form(), cancel_form()
using ElicitationAnswer = control::ElicitationReply;
/// Without a handler, forms are declined.
using ElicitationHandler = Handler<ElicitationAsk, ElicitationAnswer>;

struct DialogAsk;
using DialogAnswer = control::RequestUserDialogReply;
/// Asked only for the kinds named in Options::dialog_kinds.
using DialogHandler = Handler<DialogAsk, DialogAnswer>;

// ---- hooks: hooks.hpp ----

struct HookAsk;
using HookHandler = Handler<HookAsk, HookOutput>;

namespace detail {

/// Whether T is an alternative of the union V, which need not be known before this is asked.
template <class T, class V>
inline constexpr bool kIsAlternative =
    kIndexIn<T, typename V::variant> < std::variant_size_v<typename V::variant>;
template <class T, class Input = HookInput>
inline constexpr bool kIsHookEvent = kIsAlternative<T, Input>;

}  // namespace detail

/// An event that this build knows: hooks::PreToolUse, hooks::Stop, …
template <class T>
concept HookEventType = detail::kIsHookEvent<T> && !std::is_same_v<T, Unknown>;

/// Which events go to a hook, and what happens if it fails.
struct HookFilter {
  /// A tool name, names joined by `|`, or a regular expression; empty matches everything.
  std::string matcher = {};
  /// After this the agent gives up waiting (and refuses the tool call); none: the CLI's own limit.
  std::optional<std::chrono::milliseconds> timeout = {};
  /// What an error of the hook means to the agent. Only newer CLIs know it.
  std::optional<HookFailurePolicy> on_failure = {};
};

/// All hooks of a session, in the order of registration.
class Hooks {
 public:
  struct Entry {
    std::string event;
    HookFilter filter;
    HookHandler handler;
  };

  /// The handler takes `const Event&`, or `const Event&, const HookAsk&` if it also wants the stop
  /// token. Throws Error(`invalid`) for an event that the CLI accepts but never delivers to a
  /// program: it would be a hook that silently never runs.
  template <HookEventType Event, class F>
  Hooks& on(HookFilter filter, F handler);
  template <HookEventType Event, class F>
  Hooks& on(F handler);
  /// By name, also for events that are newer than this build. Throws as above.
  Hooks& on_event(std::string event, HookFilter filter, HookHandler handler);

  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  [[nodiscard]] bool empty() const { return entries_.empty(); }

 private:
  template <HookEventType Event>
  static std::string event_name();

  std::vector<Entry> entries_;
};

// ---- MCP servers: tools.hpp, resources.hpp, mcp_prompts.hpp ----

struct ToolDefinition;
struct ResourceDefinition;
struct ResourceTemplateDefinition;
struct PromptDefinition;

/// A named set of tools, and of resources and prompts. A handle: copies are the same server, which
/// may serve several sessions at once, or a client at the other end of stdin (serve_stdio.hpp).
/// What it offers may be added and removed while it is in use; the agents are told. Thread-safe.
class McpServer {
 public:
  explicit McpServer(std::string name, std::string version = "1.0.0");

  /// Replaces a tool of the same name.
  McpServer& add(ToolDefinition tool);
  /// Replaces a resource, or a template, of the same address.
  McpServer& add(ResourceDefinition resource);
  McpServer& add(ResourceTemplateDefinition resources);
  /// Replaces a prompt of the same name.
  McpServer& add(PromptDefinition prompt);
  /// Takes a tool away; false if there is none of that name.
  bool remove(std::string_view name);
  /// By its address, or that of the template.
  bool remove_resource(std::string_view uri);
  bool remove_prompt(std::string_view name);
  /// Tells the agents that have subscribed to it that it now holds something else.
  void resource_changed(std::string_view uri);
  /// Told to the model when it connects.
  McpServer& instructions(std::string text);

  [[nodiscard]] const std::string& name() const;
  /// The name under which the model and permission rules know a tool: mcp__<server>__<tool>.
  [[nodiscard]] std::string full_name(std::string_view tool) const;

  struct State;
  [[nodiscard]] const std::shared_ptr<State>& state() const { return state_; }

 private:
  std::shared_ptr<State> state_;
};

}  // namespace parley
