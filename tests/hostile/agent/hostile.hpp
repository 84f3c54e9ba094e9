// What the hostile cases share: a model that says anything, and the bounds that every case keeps.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agent_run.hpp"
#include "tests/support/raw_server.hpp"

namespace parley::testing {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

/// One answer of the model. The connection is closed behind it.
using Reply = std::function<void(Peer&)>;
/// These bytes and nothing else.
Reply raw(std::string bytes);
/// These bytes as the body of a good event stream.
Reply events(std::string body);
/// The body, and then silence until the agent goes.
Reply events_then_silence(std::string body);
/// An answer with this status, a body and more lines for the head ("Name: value\r\n").
Reply status(int code, const std::string& body, const std::string& headers = {});

struct Call {
  std::string tool;
  std::string input;  ///< JSON, or what pretends to be.
  std::string id = "toolu_1";
};
/// The events of an answer with these calls.
std::string call_events(const std::vector<Call>& calls);

/// Plays the replies one after the other; whoever asks on gets the text "done".
class HostileModel {
 public:
  explicit HostileModel(std::vector<Reply> replies);
  [[nodiscard]] std::string url() const { return server_->url(); }
  /// How often it was asked.
  [[nodiscard]] std::size_t asked() const { return asked_; }

 private:
  std::vector<Reply> replies_;
  std::atomic<std::size_t> asked_ = 0;
  std::unique_ptr<RawServer> server_;
};

struct Bounds {
  std::chrono::milliseconds time = 20s;
  long memory_mb = 64;
};

/// Every case: no hang, no crash, no process left behind, memory within bounds, and nothing on
/// stdout but JSON.
void expect_bounded(const AgentEnd& end, const Bounds& bounds);
/// Also: it ended by itself, and a result was its last word.
void expect_result(const AgentEnd& end, const Bounds& bounds = {});

class HostileTest : public ::testing::Test {
 protected:
  /// All tools that touch files, also those that are not offered by default.
  static const std::vector<std::string> kAllowAll;

  /// A turn against these replies, checked with expect_result; everything is allowed unless
  /// `arguments` say otherwise.
  AgentEnd turn(std::vector<Reply> replies, const Bounds& bounds = {},
                std::vector<std::string> arguments = kAllowAll);
  /// A turn in which the model calls one tool. The block of its result.
  Json call(const std::string& tool, const Json& input, const Bounds& bounds = {});
  Json bash(const std::string& command, const Bounds& bounds = {});
  /// What the model gets to read.
  static std::string text_of(const Json& tool_result);
  static void expect_refused(const Json& tool_result, const std::string& words);

  Workspace workspace_;
};

}  // namespace parley::testing
