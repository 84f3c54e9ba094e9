// A tool of the agent: what the model is told about it, what a call needs permission for, and what
// it does. One file per tool; toolbox.cpp lists them all.
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "../../wire/json/json.hpp"
#include "../../wire/json/raw_json.hpp"
#include "../../wire/messages/content.hpp"

namespace parley::agent {

class ToolState;

/// What a call is about to do, in the words of the permission check.
struct Intent {
  enum class Kind {
    harmless,  ///< Touches nothing but the agent's own state (todo lists and the like).
    read_file,
    edit_file,
    command,
    fetch,
    ask_user,  ///< Is a question to the user itself: always asked, in every mode.
    foreign,   ///< Is the business of somebody else, an MCP server: nothing is known of it.
  };
  Kind kind = Kind::harmless;
  /// Of `read_file` and `edit_file`: absolute, `.` and `..` resolved, links not followed yet.
  std::filesystem::path path;
  std::string command;  ///< Of `command`.
  std::string url;      ///< Of `fetch`.
};

/// What a call came to.
struct ToolOutput {
  Content content;  ///< What the model reads.
  bool is_error = false;
  RawJson result;  ///< What a display reads (`tool_use_result`); for errors "Error: ...".
  /// The tool_result block says `is_error: false` outright; only Bash does.
  bool says_no_error = false;
  std::function<void()> after_shown = {};  ///< Called when the client has been shown the result.

  static ToolOutput success(std::string text, const Json& result);
  /// A failure in the words the model reads. `wrapped` puts it into <tool_use_error>, as calls are
  /// answered that were never run.
  static ToolOutput error(std::string text, bool wrapped = false);
  /// For an error of check_schema(), whose two texts differ.
  static ToolOutput bad_input(const Error& error);
};

/// What belongs to one call.
struct ToolCall {
  std::string id;  ///< The tool_use id.
  RawJson input;
  std::stop_token stop;
  ToolState& state;
  std::string prompt_id = {};  ///< Of the turn, for hooks.
};

/// Where a tool that is not the agent's own comes from.
struct ToolOrigin {
  std::string server;       ///< The MCP server, as it is configured.
  std::string source;       ///< Where that is configured: "sdk", "project" and the like.
  std::string server_name;  ///< What the server calls itself.
  std::string tool;         ///< Its own name for the tool.
};

/// Stateless; all state is in ToolState. Every member may be called from any thread.
class Tool {
 public:
  virtual ~Tool() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  /// For the model.
  [[nodiscard]] virtual std::string description() const = 0;
  /// An object schema, as the Messages API wants it.
  [[nodiscard]] virtual Json input_schema() const = 0;
  /// The name that people see.
  [[nodiscard]] virtual std::string display_name() const { return std::string(name()); }
  /// Null for the agent's own tools.
  [[nodiscard]] virtual const ToolOrigin* origin() const { return nullptr; }
  /// Whether the input must fit the schema before anything else happens. If not, the tool says
  /// itself what is wrong with it.
  [[nodiscard]] virtual bool needs_fitting_input() const { return true; }
  /// Whether the call may run beside others of the same answer.
  [[nodiscard]] virtual bool concurrent(const RawJson& /*input*/) const { return false; }
  /// What can be said against the call before anybody is asked for permission; the text is for the
  /// model. The input fits the schema already.
  [[nodiscard]] virtual Result<void> check(const ToolCall& /*call*/) const { return {}; }
  /// What the call would do, for the permission check.
  [[nodiscard]] virtual Intent intent(const ToolCall& call) const = 0;
  /// One line for a person: the `description` of a permission request. May be empty.
  [[nodiscard]] virtual std::string summary(const RawJson& /*input*/) const { return {}; }
  /// The input that a permission request shows, if it is not that of the call.
  [[nodiscard]] virtual RawJson shown_input(const ToolCall& call) const { return call.input; }
  /// The input as it is shown, asked about and run: numbers and truths that came as strings are
  /// turned into what the schema wants, defaults are filled in.
  [[nodiscard]] virtual RawJson normal_input(const RawJson& input) const;
  /// The call may run, and will: called once, before run(). What is returned shows the client how
  /// it begins; it is called before anything else of the call is shown.
  [[nodiscard]] virtual std::function<void()> open(const ToolCall& /*call*/) const { return {}; }
  /// Does it. Returns soon after `call.stop` asks for it, with nothing left running.
  [[nodiscard]] virtual ToolOutput run(const ToolCall& call) const = 0;
};

}  // namespace parley::agent
