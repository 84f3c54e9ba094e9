// Makes sense of the bytes of one answer: events as they come, and in the end an outcome. No I/O.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "api_client.hpp"
#include "http.hpp"
#include "sse_parser.hpp"

namespace parley::agent {

class AnswerReader : public HttpSink {
 public:
  /// Without `on_event` a good answer is collected whole. `request_id`, if there is one, is set
  /// from the head. All must outlive the reader.
  AnswerReader(const ApiLimits& limits, const ApiClient::OnEvent* on_event,
               std::string* request_id = nullptr);

  void on_head(std::string_view line) override;
  bool on_body(std::string_view bytes) override;
  [[nodiscard]] bool satisfied() const override { return done_; }

  /// Once, after the transfer.
  ApiOutcome finish(const HttpEnd& end);

 private:
  enum class Form { undecided, events, whole, failure };

  [[nodiscard]] Form decide(std::string_view bytes) const;
  bool take_event(std::string_view json);
  bool fail(ApiOutcome::Kind kind, std::string message);
  bool fail_with(ApiOutcome::Kind kind, const ApiError& error);
  void finish_http();
  void finish_whole();

  const ApiLimits& limits_;
  const ApiClient::OnEvent* on_event_;
  std::string* request_id_;
  SseParser parser_;
  ApiOutcome outcome_;
  Form form_ = Form::undecided;
  std::string collected_;
  std::size_t bytes_ = 0;
  std::size_t events_ = 0;  ///< Without pings.
  std::size_t blocks_ = 0;
  bool done_ = false;
  bool failed_ = false;
};

}  // namespace parley::agent
