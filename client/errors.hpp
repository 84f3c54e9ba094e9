// How a session failed, in full, and the exceptions for those who like them.
//
// Every error of a session or a turn carries a Failure: `failure_of(result.error())`. `.value()`
// and query() throw it as one of the classes below.
#pragma once

#include <optional>
#include <string>

#include "../transport/transport.hpp"
#include "../wire/messages/messages.hpp"

namespace parley {

/// What the session was doing.
enum class Phase {
  start,       ///< Finding and starting the program.
  initialize,  ///< Waiting for the reply to `initialize`.
  idle,        ///< Between turns.
  turn,        ///< In a turn.
  close,       ///< Closing.
};
[[nodiscard]] std::string_view to_string(Phase phase);

/// Everything known about a failure. A value.
struct Failure {
  Error error;
  Phase phase = Phase::start;
  ExitStatus exit;  ///< Empty if the process did not end.
  /// The last `result` message, which often says more than the exit code.
  std::optional<ResultMessage> last_result;
  /// The end of what the CLI wrote on stderr (at most 16 KiB).
  std::string stderr_tail;

  /// All of it, for a person.
  [[nodiscard]] std::string describe() const;
};

/// The failure behind an error; none if it is not one of a session: a wrong argument, an answer of
/// the agent to a control request. Valid as long as the error.
[[nodiscard]] const Failure* failure_of(const Error& error);

/// Base of all exceptions of a session.
class SessionError : public Error {
 public:
  explicit SessionError(const Failure& failure);
  [[nodiscard]] const Failure& failure() const { return *failure_of(*this); }
};
/// The CLI could not be started or did not answer.
class ConnectionError : public SessionError {
 public:
  using SessionError::SessionError;
};
/// There is no CLI where it was looked for; the message lists the places. (A working folder, user
/// or stored session that does not exist is a plain ConnectionError.)
class CliNotFound : public ConnectionError {
 public:
  using ConnectionError::ConnectionError;
};
/// The CLI died.
class ProcessError : public SessionError {
 public:
  using SessionError::SessionError;
};
/// A turn ended with an error of its own: an API error, a limit, an interrupt (`cancelled`).
class ResultError : public SessionError {
 public:
  using SessionError::SessionError;
};
/// A deadline passed. The message says what goes on, and what to do about it.
class TimeoutError : public SessionError {
 public:
  using SessionError::SessionError;
};

/// The error of a failure, which carries it.
[[nodiscard]] Error make_error(const Failure& failure);

/// The error that a result stands for: none if the turn did what was asked; `cancelled` if it was
/// interrupted; else `remote`, with the text of the API error or the limit. An API error comes as
/// `subtype: success` with `is_error`, so the subtype alone does not tell.
[[nodiscard]] std::optional<Error> error_of(const ResultMessage& result);

}  // namespace parley
