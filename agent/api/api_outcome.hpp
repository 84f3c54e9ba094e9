// How a request to the model ended, and whether it is worth another try.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>

namespace parley::agent {

/// A value.
struct ApiOutcome {
  enum class Kind {
    done,       ///< message_stop came, or a whole answer that was not streamed.
    http,       ///< The server answered with an error status.
    event,      ///< An `error` event in the stream.
    connect,    ///< No connection, or it broke before the first event.
    cut,        ///< Events came, but the stream ended or stalled before message_stop.
    malformed,  ///< An answer that cannot be read, or is too large.
    cancelled,
  };
  Kind kind = Kind::done;
  int status = 0;          ///< The answer's status; 0 if none came.
  std::string error_type;  ///< "overloaded_error" and the like, if the server said.
  std::string message;     ///< For people.
  std::string body;        ///< Of `http`, cut to a few kilobytes; of a good send(), whole.
  std::string request_id;
  std::optional<std::chrono::milliseconds> retry_after;
  std::map<std::string, std::string> headers;  ///< Of the answer, names in lower case.

  [[nodiscard]] bool ok() const { return kind == Kind::done; }
};

/// Whether and when to try again, as the real CLI does it: what the server or the network may get
/// over is tried again after half a second, twice as long each time up to 32 s, and up to a quarter
/// more so that clients do not come back all at once. A `retry-after` of the server wins.
struct RetryPolicy {
  int max_retries = 10;
  /// The wait before retry number `attempt` (from 1), or nothing if this failure is final.
  [[nodiscard]] std::optional<std::chrono::milliseconds> wait(const ApiOutcome& outcome,
                                                              int attempt) const;
};

}  // namespace parley::agent
