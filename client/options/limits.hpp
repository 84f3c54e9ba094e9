// Options::limits, buffers and deadlines: how much, how many bytes, and how long.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace parley {

/// What a session may use up. The agent ends a turn that reaches one of the first two with a result
/// that says so.
struct Limits {
  /// Answers of the model within one turn (`--max-turns`). Nothing: as many as it takes.
  std::optional<std::int64_t> max_turns;

  /// US dollars in this session, as the CLI reckons (`--max-budget-usd`). Nothing: no limit.
  std::optional<double> max_budget_usd;

  /// Tokens that the model is told it has for its task (`--task-budget`), and paces itself by. Only
  /// some models and newer CLIs know it.
  std::optional<std::int64_t> task_budget;

  /// Handlers of this program that run at the same time, each on a thread; more wait their turn. At
  /// least 1.
  std::size_t handlers = 32;
};

/// How much is held in memory.
struct Buffers {
  /// The longest line that is accepted, at least 1. A longer one costs that line, not the session.
  std::size_t line_bytes = std::size_t{256} << 20;

  /// When unread messages reach this many bytes, reading stops until the consumer has taken some.
  /// While a control request waits for its answer, reading goes on to eight times as much, because
  /// the answer may stand behind the messages.
  std::size_t queue_bytes = std::size_t{512} << 10;

  /// The same by the number of messages; what is reached first counts.
  std::size_t queue_messages = 512;

  /// Bytes written and not yet taken by the CLI, beyond which send() fails instead of piling up.
  std::size_t unsent_bytes = std::size_t{64} << 20;
};

/// How long each phase may last. Zero is at once for close(), and for ever in all others.
struct Deadlines {
  /// From the start of the process to its answer to `initialize`.
  std::chrono::milliseconds initialize{60'000};

  /// For the answer to any other control request of ours that is not given a timeout of its own.
  std::chrono::milliseconds request{60'000};

  /// From interrupt() to the end of the turn it interrupts.
  std::chrono::milliseconds interrupt{30'000};

  /// From a request of the agent that a person answers (on_permission, on_question, on_plan,
  /// on_elicitation, on_dialog) to its answer, also to one that is given later by a Reply or by
  /// answer(). When it is over, the request is refused, the handler's stop token is stopped and
  /// Observer::on_unanswered is told; an answer that comes after that is dropped. The time a
  /// request waits for a thread counts.
  std::chrono::milliseconds question{0};

  /// The same for a hook, which the CLI itself limits, too (HookFilter::timeout).
  std::chrono::milliseconds hook{0};

  /// The same for a call of a tool in ToolOptions::in_process.
  std::chrono::milliseconds tool{0};

  /// In close(), after the end of input, until SIGTERM.
  std::chrono::milliseconds close{2'000};

  /// After SIGTERM, until SIGKILL.
  std::chrono::milliseconds kill{5'000};

  /// And then for what TranscriptOptions::store has still to write.
  std::chrono::milliseconds store{60'000};
};

}  // namespace parley
