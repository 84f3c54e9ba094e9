// A conversation as a reader wants it on paper: turns of user and assistant, each tool call
// together with its result.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "../../wire/json/json.hpp"
#include "../conversation/transcript.hpp"
#include "../listing/session_info.hpp"

namespace parley::history {

struct ExportBlock {
  enum class Kind { text, thinking, tool, other };
  Kind kind = Kind::text;
  std::string text;  ///< Text, thinking, or the name of something that cannot be shown.
  std::string tool;
  Json input;
  std::optional<std::string> result;
  bool failed = false;
};

struct ExportTurn {
  std::string role;  ///< "user", "assistant" or "system".
  std::string timestamp;
  std::string uuid;
  std::vector<ExportBlock> blocks;
};

/// Makes turns of messages: those of the assistant that follow each other are one turn; those of
/// tool results only are none.
class TurnMaker {
 public:
  void add(const Message& message);

  /// Moves out the turns that are complete: all but the last, if their calls have their results. A
  /// call that gets none holds up a few dozen turns, not more.
  [[nodiscard]] std::vector<ExportTurn> take_complete();
  /// Moves out what is left.
  [[nodiscard]] std::vector<ExportTurn> take_rest();

 private:
  struct OpenTurn {
    ExportTurn turn;
    std::size_t unanswered = 0;
  };
  struct Call {
    std::size_t turn;  ///< Counted from the very first.
    std::size_t block;
  };

  ExportBlock& new_block(ExportBlock::Kind kind);
  void add_text(std::string_view text);
  void add_block(const Json& block);
  void add_result(const Json& block);
  void move_first(std::vector<ExportTurn>& to);

  std::deque<OpenTurn> turns_;
  std::size_t moved_ = 0;  ///< Turns that were taken.
  std::unordered_map<std::string, Call> calls_;
};

[[nodiscard]] std::vector<ExportTurn> make_turns(const std::vector<Message>& messages);

/// The most telling member of a tool's input, for a headline: the command, the path, the pattern.
[[nodiscard]] std::string headline_of(const Json& input);

/// A change of a file in a tool's input, if it is one.
struct FileChange {
  std::string path;
  std::string before;
  std::string after;
};
[[nodiscard]] std::vector<FileChange> file_changes(const std::string& tool, const Json& input);

/// What an exported session begins with, each turn, and what it ends with.
[[nodiscard]] std::string markdown_head(const SessionInfo& info);
[[nodiscard]] std::string markdown_turn(const ExportTurn& turn);
[[nodiscard]] std::string html_head(const SessionInfo& info);
[[nodiscard]] std::string html_turn(const ExportTurn& turn);
[[nodiscard]] std::string html_end();

}  // namespace parley::history
