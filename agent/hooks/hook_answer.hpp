// One hook's answer, and how it changes the verdict on an event.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "hooks.hpp"

namespace parley::agent {

/// A value.
struct HookAnswer {
  enum class Kind {
    output,       ///< A structured answer.
    text,         ///< A command said something else and succeeded.
    exit_two,     ///< A command blocks: `text` says why.
    failed,       ///< An error, or an answer that cannot be read.
    wrong_event,  ///< An answer to another event: `text` says which.
    timed_out,
    hung_up,
    stopped,  ///< Nobody is interested any more.
  };
  Kind kind = Kind::stopped;
  HookOutput output;
  std::string text;

  bool from_callback = false;
  std::string callback_id;
  bool block_on_failure = false;         ///< `onFailure: "block"`.
  std::chrono::milliseconds timeout{0};  ///< Of `timed_out`.
};

/// Reads a structured answer to `event`: `output`, `failed` or `wrong_event` (`text` says why).
[[nodiscard]] HookAnswer read_hook_output(std::string_view json, std::string_view event);

/// `name` is who speaks: the event, with its subject if it has one ("PreToolUse:Bash").
void merge_hook_answer(const HookAnswer& answer, std::string_view event, const std::string& name,
                       HookVerdict& verdict);

}  // namespace parley::agent
