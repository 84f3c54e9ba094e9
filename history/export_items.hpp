// A conversation as a reader wants it on paper: turns of user and assistant, each tool call
// together with its result.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "../wire/json.hpp"
#include "session_info.hpp"
#include "transcript.hpp"

namespace parley::history {

struct ExportBlock {
  enum class Kind { kText, kThinking, kTool, kOther };
  Kind kind = Kind::kText;
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

/// Messages of the assistant that follow each other are one turn; messages of tool results only are
/// none.
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

[[nodiscard]] std::string to_markdown(const SessionInfo& info,
                                      const std::vector<ExportTurn>& turns);
[[nodiscard]] std::string to_html(const SessionInfo& info, const std::vector<ExportTurn>& turns);

}  // namespace parley::history
