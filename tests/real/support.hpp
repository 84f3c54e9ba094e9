// The real CLI with a scripted model: what its tests share.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <future>
#include <string>
#include <vector>

#include "client/client.hpp"
#include "support/files/temporary.hpp"
#include "support/files/unique_fd.hpp"
#include "wire/json/json.hpp"

namespace parley::real {

using namespace std::chrono_literals;

/// Long enough for a real CLI on a busy machine; a test that waits this long has failed.
inline constexpr auto kPatience = 60s;

/// tests/support/model_server.mjs as a process. A resource: ends with the object.
class Model {
 public:
  /// `turns` is the JSON text of its script.
  Model(const std::filesystem::path& folder, const std::string& turns);
  ~Model();
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  [[nodiscard]] std::string address() const { return address_; }
  /// The bodies of the requests so far.
  [[nodiscard]] std::vector<Json> requests() const;

 private:
  std::filesystem::path log_;
  std::string address_;
  pid_t pid_ = -1;
  UniqueFd input_;  ///< Its stdin: it ends when this is closed.
};

/// A home and a working folder of the test's own. The CLI sees nothing else of this machine.
class RealCli : public ::testing::Test {
 protected:
  RealCli();

  /// Starts the model. Before options().
  void script(const std::string& turns);
  [[nodiscard]] Options options() const;
  [[nodiscard]] Model& model() { return *model_; }
  [[nodiscard]] const std::filesystem::path& work() const { return work_; }
  /// Takes all transcripts away, as if this were another machine.
  void forget_transcripts() const;
  /// Whether the CLI left a transcript of that session in its home.
  [[nodiscard]] bool has_transcript(const std::string& session_id) const;
  /// Whether the CLI under test is at least that version.
  [[nodiscard]] static bool at_least(const CliVersion& version);

 private:
  TemporaryFolder temporary_ = TemporaryFolder::make("real-").value();
  std::filesystem::path folder_, home_, work_;
  std::unique_ptr<Model> model_;
};

/// JSON of turns: text, a tool call.
[[nodiscard]] std::string text_turn(const std::string& text);
[[nodiscard]] std::string tool_turn(const std::string& tool, const std::string& input,
                                    const std::string& id = "toolu_01");
/// A script of turns.
[[nodiscard]] std::string turns(const std::vector<std::string>& turns);

/// Inputs of the tool Task, for a subagent whose first message is SUBAGENT-PROMPT.
inline const std::string kForegroundAgent =
    R"({"description":"Look","prompt":"SUBAGENT-PROMPT","subagent_type":"general-purpose",)"
    R"("run_in_background":false})";
inline const std::string kBackgroundAgent =
    R"({"description":"Look","prompt":"SUBAGENT-PROMPT","subagent_type":"general-purpose",)"
    R"("run_in_background":true})";

/// A PNG of one pixel.
extern const std::string kDot;

/// A permission that is not given: tells when it is asked for, and when nobody waits for it any
/// more.
struct WithheldPermission {
  std::promise<void> asked, withdrawn;
  [[nodiscard]] PermissionAnswer withhold(const PermissionAsk& ask);
};

[[nodiscard]] std::string content_of(const std::filesystem::path& file);

/// Whether there is a message of type T.
template <class T>
[[nodiscard]] bool any(const std::vector<Message>& messages) {
  for (const Message& message : messages) {
    if (std::holds_alternative<T>(message)) return true;
  }
  return false;
}

/// All text of the answers in `messages`.
[[nodiscard]] std::string text_of(const std::vector<Message>& messages);
/// The text of the tool results in `messages`.
[[nodiscard]] std::string results_of(const std::vector<Message>& messages);

/// One turn, with all its messages.
struct TakenTurn {
  std::vector<Message> messages;
  Result<ResultMessage> result = Error();
};
[[nodiscard]] TakenTurn take_turn(Session& session, Prompt prompt);
/// Receives up to the next result, whichever prompt it answers; an error if it is one.
[[nodiscard]] Result<ResultMessage> next_result(Session& session);
/// Reads up to a message that `wanted` likes; false if there is none.
[[nodiscard]] bool read_until(Session& session, const std::function<bool(const Message&)>& wanted);

}  // namespace parley::real
