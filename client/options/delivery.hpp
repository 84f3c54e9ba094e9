// Options::delivery: what a program gets to hear, and by which way.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

namespace parley {

class CommandCache;
class Loop;
class Observer;
struct Message;

/// What is said between the program and the agent beyond prompts and answers, and how it gets
/// there. By default messages come from turns and Session::receive().
struct DeliveryOptions {
  /// StreamEvent messages while an answer is written (`--include-partial-messages`), so that
  /// Turn::text() comes in small pieces.
  bool partial_messages = false;

  /// Messages about hooks that run, those of settings files included (`--include-hook-events`).
  bool hook_events = false;

  /// User messages come back when they are taken up (`--replay-user-messages`).
  bool replay_user_messages = false;

  /// What subagents write comes, too, and not only their tool calls.
  bool forward_subagent_text = false;

  /// After a turn, a message with what the user might say next.
  bool prompt_suggestions = false;

  /// While subagents work, messages that sum up how far they are.
  bool agent_progress_summaries = false;

  /// Tells the agent that the program lets its user stop tasks one by one (session.tasks().stop()).
  bool per_task_stop = false;

  /// Every prompt is taken literally: no slash command, no @file. Prompt::verbatim says it of one.
  bool verbatim_prompts = false;

  /// Receives every message instead of receive(): one at a time, in order, on a thread of the
  /// session. While it runs, nothing else is delivered, and reading stops when the queue is full.
  /// Not together with `on_ready` or `line_stream`.
  std::function<void(const Message&)> on_message;

  /// For programs that record what the agent says: Session::receive_line() takes the place of
  /// receive() and gives every line as it came, in the order of writing. Permission requests, forms
  /// and dialogs come there, too, and are answered with Session::answer(), so that none overtakes a
  /// message. Not together with `on_message`, nor with handlers for those requests.
  bool line_stream = false;

  /// The loop whose thread reads and writes; none: one that all sessions of the program share. For
  /// programs that live on a loop of their own (transport/loop.hpp).
  std::shared_ptr<Loop> loop;

  /// Called on the loop's thread when try_receive() or try_receive_line() has something to say that
  /// it had not before: messages, or the end. It takes all there is, and must not wait for
  /// anything. Not together with `on_message`.
  std::function<void()> on_ready;

  /// Receives what the CLI writes on stderr, in lines without their ends. With or without it, the
  /// end of that is kept (Session::stderr_tail()).
  std::function<void(std::string_view)> on_stderr;

  /// Takes colours and cursor movements out of the lines for `on_stderr`.
  bool strip_ansi = false;

  /// Told of what happens inside of the session, for logs and meters (observer.hpp).
  std::shared_ptr<Observer> observer;

  /// Keeps the slash commands that the session hears of, for the program and its other sessions
  /// (shared/command_cache.hpp).
  std::shared_ptr<CommandCache> command_cache;
};

}  // namespace parley
