#include "c/error.hpp"

#include <memory>
#include <optional>

#include "support/text/utf8.hpp"

namespace parley::c {
namespace {

parley_code code_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::malformed: return PARLEY_MALFORMED;
    case ErrorCode::unexpected: return PARLEY_UNEXPECTED;
    case ErrorCode::too_large: return PARLEY_TOO_LARGE;
    case ErrorCode::invalid: return PARLEY_INVALID;
    case ErrorCode::not_found: return PARLEY_NOT_FOUND;
    case ErrorCode::io: return PARLEY_IO;
    case ErrorCode::process: return PARLEY_PROCESS;
    case ErrorCode::timeout: return PARLEY_TIMEOUT;
    case ErrorCode::cancelled: return PARLEY_CANCELLED;
    case ErrorCode::closed: return PARLEY_CLOSED;
    case ErrorCode::end: return PARLEY_END;
    case ErrorCode::remote: return PARLEY_REMOTE;
    case ErrorCode::permission: return PARLEY_PERMISSION;
  }
  return PARLEY_INTERNAL;
}

parley_phase phase_of(Phase phase) {
  switch (phase) {
    case Phase::start: return PARLEY_PHASE_START;
    case Phase::initialize: return PARLEY_PHASE_INITIALIZE;
    case Phase::idle: return PARLEY_PHASE_IDLE;
    case Phase::turn: return PARLEY_PHASE_TURN;
    case Phase::close: return PARLEY_PHASE_CLOSE;
  }
  return PARLEY_PHASE_NONE;
}

void add_circumstances(const Failure& failure, parley_error& error) {
  error.phase = phase_of(failure.phase);
  error.exit_code = failure.exit.code.value_or(-1);
  error.exit_signal = failure.exit.signal.value_or(0);
  error.stderr_tail = as_text(failure.stderr_tail);
}

}  // namespace

std::string as_text(std::string_view bytes) {
  std::string text = to_utf8(bytes);
  for (auto at = text.find('\0'); at != std::string::npos; at = text.find('\0', at)) {
    text.replace(at, 1, "\xEF\xBF\xBD");
  }
  return text;
}

parley_code report(const Error& why, const Session* session, parley_error** error) noexcept {
  parley_code code = code_of(why.code());
  try {
    std::optional<Failure> failure = session == nullptr ? std::nullopt : session->failure();
    if (failure && failure->error != why) failure.reset();
    // The CLI was late at the start. After a PARLEY_TIMEOUT one asks again; that is over here.
    if (failure && code == PARLEY_TIMEOUT) code = PARLEY_PROCESS;
    if (error == nullptr) return code;
    auto made = std::make_unique<parley_error>();
    made->code = code;
    made->message = as_text(why.what());
    made->context = as_text(why.context());
    if (failure) add_circumstances(*failure, *made);
    *error = made.release();
  } catch (...) {  // NOLINT(bugprone-empty-catch): without memory, the code has to do
  }
  return code;
}

parley_code report(parley_code code, const char* message, parley_error** error) noexcept {
  if (error == nullptr) return code;
  try {
    auto made = std::make_unique<parley_error>();
    made->code = code;
    made->message = as_text(message);
    *error = made.release();
  } catch (...) {  // NOLINT(bugprone-empty-catch): as above
  }
  return code;
}

}  // namespace parley::c

const char* parley_code_text(parley_code code) {
  switch (code) {
    case PARLEY_OK: return "done";
    case PARLEY_END: return "the session has ended";
    case PARLEY_TIMEOUT: return "a deadline passed";
    case PARLEY_INVALID: return "an argument or option that cannot be used";
    case PARLEY_MALFORMED: return "a text that is not JSON";
    case PARLEY_UNEXPECTED: return "JSON of another shape than expected";
    case PARLEY_TOO_LARGE: return "a size limit was reached";
    case PARLEY_NOT_FOUND: return "something that does not exist";
    case PARLEY_IO: return "the operating system refused a call";
    case PARLEY_PROCESS: return "the CLI failed or died";
    case PARLEY_CANCELLED: return "cancelled";
    case PARLEY_CLOSED: return "the session is closed";
    case PARLEY_REMOTE: return "the agent answered with an error";
    case PARLEY_PERMISSION: return "refused for safety";
    case PARLEY_NO_MEMORY: return "out of memory";
    case PARLEY_INTERNAL: return "a mistake in the library";
  }
  return "unknown code";
}

parley_code parley_error_code(const parley_error* error) {
  return error == nullptr ? PARLEY_OK : error->code;
}
const char* parley_error_message(const parley_error* error) {
  return error == nullptr ? "" : error->message.c_str();
}
const char* parley_error_context(const parley_error* error) {
  return error == nullptr ? "" : error->context.c_str();
}
parley_phase parley_error_phase(const parley_error* error) {
  return error == nullptr ? PARLEY_PHASE_NONE : error->phase;
}
int parley_error_exit_code(const parley_error* error) {
  return error == nullptr ? -1 : error->exit_code;
}
int parley_error_exit_signal(const parley_error* error) {
  return error == nullptr ? 0 : error->exit_signal;
}
const char* parley_error_stderr(const parley_error* error) {
  return error == nullptr ? "" : error->stderr_tail.c_str();
}
void parley_error_free(parley_error* error) { delete error; }
