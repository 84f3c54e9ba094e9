// What the client says, line by line: each is read, checked and handed to who acts on it. The one
// reader of stdin.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../wire/messages/messages.hpp"

namespace parley::agent {

/// Acts on what the client says. Called on the reader's thread, which serves nobody else meanwhile.
class InputHandler {
 public:
  virtual ~InputHandler() = default;
  virtual void on_prompt(UserMessage prompt) = 0;
  /// False: the session is to end as if stdin had ended.
  virtual bool on_request(const ControlRequest& request) = 0;
  /// A request that cannot be read: `problem` says why.
  virtual void on_bad_request(const std::string& request_id, const std::string& problem) = 0;
  /// An answer to something that the agent has asked.
  virtual void on_response(const ControlResponse& response) = 0;
  /// Variables for the commands that tools run. `request_id` if it wants to hear that they are set.
  using Variables = std::vector<std::pair<std::string, std::string>>;
  virtual void on_variables(const Variables& variables,
                            const std::optional<std::string>& request_id) = 0;
};

/// Of the reader's thread alone.
class InputLines {
 public:
  explicit InputLines(InputHandler& handler) : handler_(handler) {}

  /// Reads one line and has it acted on. False: stop reading; complaint() says why if that is an
  /// error.
  bool take(std::string_view line);
  /// A line that was longer than lines may be.
  void too_long(std::size_t longest);
  /// What is to be said on stderr.
  [[nodiscard]] const std::optional<std::string>& complaint() const { return complaint_; }

 private:
  bool fail(std::string text);
  bool take_prompt(const Json& json, std::string_view line);
  bool take_request(const Json& json, std::string_view line);

  InputHandler& handler_;
  std::optional<std::string> complaint_;
};

/// Reads until stdin ends or says something that ends the program: then the text for stderr. Runs
/// on a thread of its own. `after_line` is called when a line has been dealt with.
[[nodiscard]] std::optional<std::string> read_stdin(InputHandler& handler,
                                                    const std::function<void()>& after_line);

}  // namespace parley::agent
