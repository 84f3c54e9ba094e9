// What `parley run` shows of a turn: the answer on standard output as it is written, and on
// standard error what the agent does on the way and what it cost.
#pragma once

#include <mutex>
#include <string>

#include "client/session.hpp"

namespace parley::app {

/// One turn on the terminal. Also the owner of the screen: who asks the user something holds lock()
/// meanwhile, and messages wait.
class RunView {
 public:
  /// `json` prints every message as it is, one per line, and nothing else on standard output.
  explicit RunView(bool json) : json_(json) {}

  void show(const Message& message);
  /// Time and money, once the turn is over.
  void show_end(const ResultMessage& result, const Spending& spending);
  /// A word of the program itself, on standard error. Not while the caller holds the lock; if
  /// somebody is asked something, it stands in the middle of that.
  void note(std::string_view text);
  [[nodiscard]] std::unique_lock<std::mutex> lock() { return std::unique_lock(mutex_); }
  /// Ends a line of the answer that is still open. With the lock held.
  void break_line();

 private:
  void show_event(const StreamEvent& event);
  void show_answer(const AssistantMessage& answer);
  void show_results(const UserMessage& message);
  void write_answer(std::string_view text);

  std::mutex mutex_;
  bool json_;
  bool line_open_ = false;
  bool streamed_ = false;  ///< The text block that is about to come whole was shown in pieces.
};

/// What a tool call is about, on one line: the command, the file, the pattern.
[[nodiscard]] std::string call_line(std::string_view tool, const RawJson& input);
/// `text` in a colour if standard error shows colours.
[[nodiscard]] std::string coloured_note(std::string_view text, int sgr);

}  // namespace parley::app
