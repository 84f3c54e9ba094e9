#include "agent/hooks/hooks.hpp"

#include <algorithm>
#include <deque>
#include <latch>
#include <mutex>
#include <thread>
#include <utility>

#include "agent/hooks/hook_answer.hpp"
#include "agent/hooks/matcher.hpp"
#include "agent/hooks/shell_command.hpp"
#include "support/text/text.hpp"
#include "wire/codec/codec.hpp"

namespace parley::agent {
namespace {

using Kind = HookAnswer::Kind;
using std::chrono::milliseconds;

constexpr double kLongestSeconds = 24 * 3600;

/// Of a hook that names none, as the real CLI has it: a prompt is not kept waiting for long.
milliseconds timeout_of(std::string_view event, std::optional<double> seconds) {
  const double fallback = event == "UserPromptSubmit" ? 30 : 600;
  return milliseconds(static_cast<milliseconds::rep>(
      std::clamp(seconds.value_or(fallback), 0.0, kLongestSeconds) * 1000));
}

/// A hook that waits for its event.
struct Listener {
  std::string event;
  Matcher matcher;
  std::string target;  ///< A command, or the id of a callback.
  bool is_callback = false;
  milliseconds timeout;
  bool block_on_failure = false;
};

std::string event_of(const HookInput& input) {
  if (const auto event = input.event()) return std::string(Enum<HookEvent>(*event).text());
  return std::get<Unknown>(input).type;
}

}  // namespace

struct Hooks::Impl {
  Setup setup;
  std::vector<std::shared_ptr<const Listener>> commands;
  mutable std::mutex mutex;
  std::vector<std::shared_ptr<const Listener>> callbacks;  ///< Guarded by the mutex.
  std::mutex showing;

  /// What belongs to one event.
  struct Occasion {
    const HookInput& input;
    std::string event, name;
    std::optional<std::string> tool_use_id;
    std::string json;  ///< The input, for commands.
    std::stop_token stop;
  };

  std::vector<std::shared_ptr<const Listener>> listeners(std::string_view event) const {
    std::vector<std::shared_ptr<const Listener>> found;
    const auto take = [&](const auto& list) {
      for (const auto& listener : list) {
        if (listener->event == event) found.push_back(listener);
      }
    };
    take(commands);
    const std::lock_guard lock(mutex);
    take(callbacks);
    return found;
  }

  void show(const HookRun& run) {
    if (!setup.show) return;
    const std::lock_guard lock(showing);
    setup.show(run);
  }

  /// `begun`: the client knows of it. So below.
  HookAnswer ask(const Listener& listener, const Occasion& occasion,
                 const std::function<void()>& begun) {
    HookAnswer answer;
    const auto reply = setup.ask(listener.target, occasion.input, occasion.tool_use_id,
                                 listener.timeout, occasion.stop, begun);
    if (!reply) {
      answer.kind = occasion.stop.stop_requested() ? Kind::stopped : Kind::timed_out;
    } else if (!*reply) {
      answer.kind = reply->error().code() == ErrorCode::closed ? Kind::hung_up : Kind::failed;
    } else {
      answer = read_hook_output((*reply)->text, occasion.event);
    }
    answer.from_callback = true;
    answer.callback_id = listener.target;
    answer.block_on_failure = listener.block_on_failure;
    answer.timeout = listener.timeout;
    return answer;
  }

  HookAnswer run_command(const Listener& listener, const Occasion& occasion,
                         const std::function<void()>& begun) {
    HookRun run;
    if (setup.make_id) run.id = setup.make_id();
    run.name = occasion.name;
    run.event = occasion.event;
    run.started = true;
    show(run);
    begun();
    run.started = false;

    ShellCommand command;
    command.command = listener.target;
    command.input = occasion.json;
    command.cwd = setup.cwd;
    command.environment = setup.environment;
    command.environment.try_emplace("CLAUDE_PROJECT_DIR", setup.cwd.string());
    command.environment[kHookVariable] = "1";
    command.timeout = listener.timeout;
    auto end = run_shell_command(command, occasion.stop);
    HookAnswer answer;
    if (!end) {
      answer.kind = Kind::failed;
      end = ShellEnd{{}, std::string("Failed to run: ") + end.error().what(), 1, false, false};
    } else {
      answer = judge(*end, listener.target, occasion.event);
    }
    run.exit_code = end->exit_code;
    run.outcome = end->timed_out || end->cancelled                     ? "cancelled"
                  : end->exit_code != 0 || answer.kind == Kind::failed ? "error"
                                                                       : "success";
    run.output = end->output + end->errors;
    run.stdout_text = std::move(end->output);
    run.stderr_text = std::move(end->errors);
    show(run);
    return answer;
  }

  /// What a command means by how it ended. `end` becomes what is shown of it.
  static HookAnswer judge(ShellEnd& end, const std::string& command, const std::string& event) {
    HookAnswer answer;
    if (end.cancelled) return answer;
    if (end.timed_out) {
      answer.kind = Kind::timed_out;
      return answer;
    }
    if (end.exit_code == 2) {
      answer.kind = Kind::exit_two;
      answer.text = '[' + command + "]: " + (end.errors.empty() ? "No stderr output" : end.errors);
      return answer;
    }
    const std::string_view output = trimmed(end.output);
    // Only what is JSON as a whole is taken for an answer; everything else is text.
    if (output.starts_with('{') && RawJson::parse(output)) {
      answer = read_hook_output(output, event);
      if (answer.kind == Kind::failed) {
        end.errors += "Hook JSON output validation failed — " + answer.text;
      } else if (answer.kind == Kind::wrong_event) {
        end = ShellEnd{{}, "Failed to run: " + answer.text, 1, false, false};
      }
      return answer;
    }
    answer.kind = end.exit_code == 0 ? Kind::text : Kind::failed;
    answer.text = output;
    return answer;
  }

  HookAnswer run_one(const Listener& listener, const Occasion& occasion,
                     const std::function<void()>& begun) {
    return listener.is_callback ? ask(listener, occasion, begun)
                                : run_command(listener, occasion, begun);
  }
};

Hooks::Hooks(Setup setup) : impl_(std::make_unique<Impl>()) {
  for (const HookCommand& command : setup.commands) {
    impl_->commands.push_back(std::make_shared<const Listener>(
        Listener{command.event, Matcher(command.matcher), command.command, false,
                 timeout_of(command.event, command.timeout_seconds), false}));
  }
  impl_->setup = std::move(setup);
}

Hooks::~Hooks() = default;

void Hooks::register_callbacks(const Map<std::vector<HookMatcher>>& callbacks) {
  std::vector<std::shared_ptr<const Listener>> listeners;
  for (const auto& [event, matchers] : callbacks) {
    for (const HookMatcher& matcher : matchers) {
      for (const std::string& id : matcher.hookCallbackIds) {
        listeners.push_back(std::make_shared<const Listener>(Listener{
            event, Matcher(matcher.matcher.value_or("")), id, true,
            timeout_of(event, matcher.timeout), matcher.onFailure == HookFailurePolicy::block}));
      }
    }
  }
  const std::lock_guard lock(impl_->mutex);
  impl_->callbacks = std::move(listeners);
}

bool Hooks::any(std::string_view event) const { return !impl_->listeners(event).empty(); }

HookVerdict Hooks::run(const HookInput& input, std::string_view subject,
                       const std::optional<std::string>& tool_use_id, std::stop_token stop,
                       const std::function<void()>& asked) {
  Impl::Occasion occasion{input, event_of(input), {}, tool_use_id, {}, stop};
  occasion.name = occasion.event;
  if (!subject.empty()) occasion.name += ':' + std::string(subject);

  std::vector<std::shared_ptr<const Listener>> wanted;
  for (auto& listener : impl_->listeners(occasion.event)) {
    if (!subject.empty() && !listener->matcher.matches(subject)) continue;
    // A command that two settings files name runs once.
    const bool twice =
        !listener->is_callback && std::any_of(wanted.begin(), wanted.end(), [&](const auto& other) {
          return !other->is_callback && other->target == listener->target;
        });
    if (!twice) wanted.push_back(std::move(listener));
  }
  if (std::any_of(wanted.begin(), wanted.end(), [](const auto& l) { return !l->is_callback; })) {
    occasion.json = encode(input) + '\n';
  }

  std::vector<HookAnswer> answers(wanted.size());
  {
    std::deque<std::latch> begun;  // outlive the threads
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      // The last one runs here, so that a single hook needs no thread.
      if (i + 1 == wanted.size()) {
        answers[i] = impl_->run_one(*wanted[i], occasion, [&] {
          if (asked) asked();
        });
        break;
      }
      // Each starts when the client knows of the one before it, so that it sees them in order.
      std::latch& known = begun.emplace_back(1);
      threads.emplace_back([&, i] {
        bool told = false;
        const auto tell = [&] {
          if (!std::exchange(told, true)) known.count_down();
        };
        answers[i] = impl_->run_one(*wanted[i], occasion, tell);
        tell();  // a client that has gone is not asked
      });
      known.wait();
    }
  }
  HookVerdict verdict;
  for (const HookAnswer& answer : answers) {
    merge_hook_answer(answer, occasion.event, occasion.name, verdict);
  }
  return verdict;
}

}  // namespace parley::agent
