// Stand-ins for what lies around a turn: a client, a model, tools, permissions, a transcript. With
// them a turn runs within the test, without a process, a network or a disk.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "agent/connection/asker.hpp"
#include "agent/mcp/host.hpp"
#include "agent/tools/tool_state.hpp"
#include "agent/turn/turn_context.hpp"
#include "support/files/temporary.hpp"

namespace parley::agent {

/// Keeps what the client is told, in order. Thread-safe.
class FakeClient final : public MessageSink {
 public:
  void send(Message message) override;

  /// "assistant", "system/init", "control_request" ... of everything so far.
  [[nodiscard]] std::vector<std::string> kinds() const;
  [[nodiscard]] std::vector<Message> messages() const;
  /// The messages of one type.
  template <class T>
  [[nodiscard]] std::vector<T> all() const {
    std::vector<T> found;
    for (const Message& message : messages()) {
      if (const auto* one = std::get_if<T>(&message)) found.push_back(*one);
    }
    return found;
  }
  /// The last of a type.
  template <class T>
  [[nodiscard]] T last() const {
    return all<T>().back();
  }
  /// Waits until there is one of a type.
  template <class T>
  void wait_for() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] {
      return std::any_of(messages_.begin(), messages_.end(),
                         [](const Message& message) { return std::holds_alternative<T>(message); });
    });
  }
  /// Waits until the client has been asked `count` times; the request of that number.
  [[nodiscard]] ControlRequest request(std::size_t count);

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Message> messages_;
};

/// Answers what the client is asked, each as soon as it is asked, from a thread of its own.
class AnsweringClient {
 public:
  using Answer = std::function<std::string(const ControlRequest& request)>;  ///< JSON.
  /// Answers `count` requests and is done.
  AnsweringClient(FakeClient& client, Asker& asker, std::size_t count, Answer answer);

 private:
  std::jthread thread_;
};

/// The JSON of a success, as the client would send it.
[[nodiscard]] ControlResponse success(const std::string& request_id, const std::string& body);

/// One response of a model that does what the test says.
struct ScriptedResponse {
  struct Call {
    std::string id, name;
    std::string input = "{}";
  };
  std::string text;  ///< One text block, if not empty.
  std::vector<Call> calls = {};
  std::string stop_reason = "end_turn";
  ApiOutcome outcome = {};
  std::int64_t output_tokens = 1;
  /// Called after the blocks, before the end of the response.
  std::function<void(const std::stop_token& stop)> before_end = {};
  bool ends_blocks = true;  ///< False: the last block is cut off.
};
/// A response that the server refuses.
[[nodiscard]] ScriptedResponse refused(int status, const std::string& type = "api_error");

/// Thread-safe.
class FakeModel final : public ModelClient {
 public:
  using Script = std::function<ScriptedResponse(const ApiRequest& request)>;

  FakeModel() { access_.api_key = "key"; }
  /// What comes next, one per request. A request for which there is nothing fails the test.
  void will(ScriptedResponse response);
  /// Decides by the request instead.
  void will_by(Script script);

  ApiOutcome stream(const ApiRequest& request, std::stop_token stop, const OnEvent& on_event,
                    std::string& request_id) override;
  ApiOutcome send(const ApiRequest& request, std::stop_token stop) override;
  [[nodiscard]] const ApiAccess& access() const override { return access_; }

  [[nodiscard]] std::vector<ApiRequest> requests() const;

 private:
  [[nodiscard]] ScriptedResponse next(const ApiRequest& request);

  ApiAccess access_;
  mutable std::mutex mutex_;
  std::deque<ScriptedResponse> responses_;
  Script script_;
  std::vector<ApiRequest> requests_;
};

class FakeRequests final : public RequestBuilder {
 public:
  explicit FakeRequests(std::string model = "claude-test") : model_(std::move(model)) {}
  [[nodiscard]] std::string model() const override { return model_; }
  [[nodiscard]] ApiRequest request(const std::string& model) const override;

 private:
  const std::string model_;
};

/// A tool that does what the test says.
class FakeTool final : public Tool {
 public:
  using Run = std::function<ToolOutput(const ToolCall& call)>;
  FakeTool(std::string name, Run run, bool concurrent = false,
           Intent::Kind kind = Intent::Kind::harmless)
      : name_(std::move(name)), run_(std::move(run)), concurrent_(concurrent), kind_(kind) {}

  std::string_view name() const override { return name_; }
  std::string description() const override { return "does what a test wants"; }
  Json input_schema() const override { return Json::object({{"type", "object"}}); }
  bool concurrent(const RawJson& /*input*/) const override { return concurrent_; }
  Intent intent(const ToolCall& call) const override;
  ToolOutput run(const ToolCall& call) const override { return run_(call); }

 private:
  const std::string name_;
  const Run run_;
  const bool concurrent_;
  const Intent::Kind kind_;
};
/// A tool that says `text`.
[[nodiscard]] SharedTool saying_tool(const std::string& name, const std::string& text);

class FakeTools final : public ToolSet {
 public:
  FakeTools();
  void add(SharedTool tool) { tools_.push_back(std::move(tool)); }
  void set_structured_output(SharedTool tool) { structured_ = std::move(tool); }

  [[nodiscard]] std::vector<SharedTool> offered() const override;
  [[nodiscard]] SharedTool known(std::string_view name) const override;
  [[nodiscard]] SharedTool structured_output() const override { return structured_; }
  [[nodiscard]] ToolState& state() const override { return *state_; }

 private:
  std::vector<SharedTool> tools_;
  SharedTool structured_;
  TemporaryFolder scratch_ = TemporaryFolder::make("parley-fake-tools-").value();
  std::unique_ptr<ToolState> state_;
};

/// A client without servers and without anybody to ask.
class FakeMcpHost : public McpHost {
 public:
  Result<RawJson> pass(const std::string& /*server*/, const JsonRpcMessage& /*message*/,
                       const std::stop_token& /*stop*/, std::chrono::milliseconds /*patience*/,
                       const std::function<void()>& on_sent) override {
    if (on_sent) on_sent();
    return Error(ErrorCode::closed, "nobody is there");
  }
  void tell(const std::string& /*server*/, const JsonRpcMessage& /*message*/) override {}
  control::ElicitationReply ask_user(const control::Elicitation& /*question*/,
                                     const std::stop_token& /*stop*/) override {
    return {};
  }
  void elicitation_complete(const std::string& /*server*/, const std::string& /*id*/) override {}
  void log(std::string_view text) override {
    log_.change([&](std::vector<std::string>& lines) { lines.emplace_back(text); });
  }
  [[nodiscard]] std::vector<std::string> logged() const { return log_.copy(); }

 private:
  Guarded<std::vector<std::string>> log_;
};

/// Allows everything, or judges as the test says.
class FakePermissions final : public PermissionPolicy {
 public:
  using Judge = std::function<Verdict(std::string_view tool, const RawJson& input)>;
  void judge_by(Judge judge) { judge_ = std::move(judge); }
  /// The same verdict for every call.
  void always(Verdict::Kind kind, const std::string& message = {});
  [[nodiscard]] std::vector<PermissionUpdate> applied() const { return applied_.copy(); }

  [[nodiscard]] Enum<PermissionMode> mode() const override { return PermissionMode::default_; }
  [[nodiscard]] Verdict judge(std::string_view tool, const RawJson& input, const Intent& intent,
                              const std::filesystem::path& cwd) const override;
  [[nodiscard]] std::function<bool(const std::filesystem::path&)> hidden_from(
      std::string_view tool) const override;
  Result<std::optional<Enum<PermissionMode>>> apply(
      const std::vector<PermissionUpdate>& updates) override;

 private:
  Judge judge_;
  Guarded<std::vector<PermissionUpdate>> applied_;
};

/// Thread-safe.
class FakeTranscript final : public TranscriptWriter {
 public:
  [[nodiscard]] std::string path() const override { return "/transcript.jsonl"; }
  std::string add(Json line) override;
  void note(Json line) override;
  void sync() override {}

  [[nodiscard]] std::vector<Json> lines() const { return lines_.copy(); }
  [[nodiscard]] std::vector<Json> notes() const { return notes_.copy(); }

 private:
  Guarded<std::vector<Json>> lines_, notes_;
};

/// Everything that is told to the model in one request, as text: "user: go | assistant: ?id | ...";
/// calls as ?id, results as !id=text.
[[nodiscard]] std::string told(const ApiRequest& request);

}  // namespace parley::agent
