// What the model is told about itself, and how much it thinks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace parley {

namespace control {
enum class ThinkingDisplay : std::int16_t;
}  // namespace control

/// The system prompt. Left as it is, the CLI uses its own.
struct SystemPrompt {
  /// Replaces the CLI's own prompt (`--system-prompt`). Nothing keeps that one; an empty text is an
  /// empty prompt. Not together with `file`. A text that is too long for a command line travels in
  /// `initialize`.
  std::optional<std::string> text;

  /// The same, read from a file by the CLI (`--system-prompt-file`).
  std::filesystem::path file;

  /// Follows the prompt, whichever it is (`--append-system-prompt`).
  std::string append;

  /// Leaves out what changes from run to run (folder, date, git state), for better caching.
  bool exclude_dynamic_sections = false;

  /// True keeps the prompt of a resumed session as it was, false makes it anew. Nothing leaves it
  /// to the CLI.
  std::optional<bool> snapshot;
};

/// Whether the model thinks before it answers.
struct Thinking {
  enum class Mode { default_, adaptive, enabled, disabled };

  /// `default_` leaves it to the CLI; `adaptive` lets the model decide how much; `enabled` thinks
  /// within `budget_tokens`, and is the same as `adaptive` without them (`--thinking`,
  /// `--max-thinking-tokens`).
  Mode mode = Mode::default_;

  /// How many tokens it may think. Has an effect with `enabled` only.
  std::optional<std::int64_t> budget_tokens;

  /// In which form thoughts are delivered (`--thinking-display`). Include
  /// wire/control/requests.hpp for its names.
  std::optional<control::ThinkingDisplay> display;
};

}  // namespace parley
