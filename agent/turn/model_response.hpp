// One response of the model: the request, its retries, and what the client sees of it while it
// comes.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "../../wire/messages/assembler.hpp"
#include "api_errors.hpp"
#include "turn_context.hpp"
#include "turn_record.hpp"

namespace parley::agent {

/// Of the thread that runs the turn.
class ModelResponse {
 public:
  enum class End {
    complete,
    failed,       ///< For good: error() says how; the client has been told.
    interrupted,  ///< The client has been shown what had come.
    cut_off,      ///< After at least one whole block: the model is to go on.
  };
  /// A tool call is handed over as soon as its block is whole.
  using OnToolCall = std::function<void(const ToolUseBlock& call, const std::string& message_uuid)>;

  ModelResponse(TurnContext& context, TurnClock& clock, std::stop_token stop,
                OnToolCall on_tool_call)
      : context_(context), clock_(clock), stop_(stop), on_tool_call_(std::move(on_tool_call)) {}

  /// Called when the response has gone on after the end of a block.
  void after_block(std::function<void()> callback) { after_block_ = std::move(callback); }

  End run();
  /// Brings a stream that was shown and interrupted to its end. After the client has been told.
  void close_after_interrupt();

  /// The whole blocks, in order.
  [[nodiscard]] const std::vector<ContentBlock>& blocks() const { return blocks_; }
  /// The uuid of the message that showed each block.
  [[nodiscard]] const std::vector<std::string>& uuids() const { return uuids_; }
  [[nodiscard]] const std::string& stop_reason() const { return stop_reason_; }
  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] const Usage& usage() const { return usage_; }
  [[nodiscard]] const std::optional<ApiErrorText>& error() const { return error_; }
  [[nodiscard]] const ApiOutcome& outcome() const { return outcome_; }
  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] ApiRequest request_for_model(bool stream) const;
  ApiOutcome request();
  ApiOutcome request_whole();
  End interrupted();
  End fail(const ApiOutcome& outcome);
  bool wait(std::chrono::milliseconds delay) const;
  bool fall_back(const ApiOutcome& outcome, int overloads);

  void on_event(const ApiEvent& event, std::string_view json);
  void on_block_end(const PartialBlock& partial);
  void deliver(ContentBlock block, std::optional<std::string> stop_reason, bool aborted);
  void show(const ApiEvent& event);
  void show_raw(std::string_view json);
  void show_thinking(const ContentBlockDelta& delta);
  void close_shown_stream();
  void count_usage();
  void write_transcript();

  TurnContext& context_;
  TurnClock& clock_;
  std::stop_token stop_;
  OnToolCall on_tool_call_;
  std::function<void()> after_block_;

  std::string model_;
  MessageAssembler assembler_;
  std::vector<ContentBlock> blocks_;
  std::vector<std::string> uuids_;
  std::vector<std::string> times_;
  std::string id_, stop_reason_, stop_sequence_, request_id_;
  Usage usage_, first_usage_;
  bool started_ = false;  ///< message_start has come.
  bool counted_ = false;
  std::int64_t thinking_tokens_ = 0;
  std::chrono::steady_clock::time_point sent_;
  std::optional<std::chrono::steady_clock::time_point> thinking_since_;
  std::optional<ApiErrorText> error_;
  ApiOutcome outcome_;
};

}  // namespace parley::agent
