#include "client/errors.hpp"

namespace parley {

std::string_view to_string(Phase phase) {
  switch (phase) {
    case Phase::start: return "at the start";
    case Phase::initialize: return "while it was initialised";
    case Phase::idle: return "between turns";
    case Phase::turn: return "in a turn";
    case Phase::close: return "while it was closed";
  }
  return "";
}

std::string Failure::describe() const {
  std::string text = error.what();
  // The error may tell some of it already.
  const auto add = [&text](const char* what, const std::string& more) {
    if (!more.empty() && text.find(more) == std::string::npos) text += what + more;
  };
  if (last_result) {
    if (const auto why = error_of(*last_result)) add("\nlast result: ", why->message());
  }
  add("\nstderr: ", stderr_tail);
  return text;
}

namespace {

class FailureDetail : public ErrorDetail {
 public:
  explicit FailureDetail(const Failure& failure) : failure_(failure) {}
  [[nodiscard]] const Failure& failure() const { return failure_; }

  [[noreturn]] void raise(const Error& error) const override {
    const ErrorCode code = error.code();
    const bool starting = failure_.phase == Phase::start || failure_.phase == Phase::initialize;
    // With a context it is something else that does not exist: a folder, a user, a session.
    if (failure_.phase == Phase::start && code == ErrorCode::not_found && error.context().empty()) {
      throw CliNotFound(failure_);
    }
    if (starting) throw ConnectionError(failure_);
    if (code == ErrorCode::remote || code == ErrorCode::cancelled) throw ResultError(failure_);
    if (code == ErrorCode::timeout) throw TimeoutError(failure_);
    if (code == ErrorCode::process) throw ProcessError(failure_);
    throw SessionError(failure_);
  }

 private:
  Failure failure_;
};

}  // namespace

const Failure* failure_of(const Error& error) {
  const auto* detail = error.detail<FailureDetail>();
  return detail == nullptr ? nullptr : &detail->failure();
}

Error make_error(const Failure& failure) {
  return failure.error.with(std::make_shared<FailureDetail>(failure));
}

SessionError::SessionError(const Failure& failure)
    : Error(Error(failure.error.code(), failure.describe(), failure.error.context())
                .with(std::make_shared<FailureDetail>(failure))) {}

std::optional<Error> error_of(const ResultMessage& result) {
  const bool aborted =
      result.terminal_reason && (*result.terminal_reason == TerminalReason::aborted_streaming ||
                                 *result.terminal_reason == TerminalReason::aborted_tools);
  const auto subtype = result.subtype.known();
  if (subtype == ResultSubtype::success && !result.is_error.value_or(false)) return std::nullopt;
  std::string text;
  if (result.errors) {
    for (const std::string& line : *result.errors) text += (text.empty() ? "" : "; ") + line;
  }
  if (text.empty() && result.result) text = *result.result;
  // 2.1.38 gives no reason for an interrupted turn; it is the only one that ends this way there.
  if (aborted || (subtype == ResultSubtype::error_during_execution && text.empty() &&
                  !result.is_error.value_or(false))) {
    return Error(ErrorCode::cancelled, "the turn was interrupted");
  }
  const std::string kind(subtype == ResultSubtype::success ? "API error" : result.subtype.text());
  return Error(ErrorCode::remote, text.empty() ? "the turn failed" : text, kind);
}

}  // namespace parley
