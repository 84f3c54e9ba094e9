// What happens inside a session, for logs and meters.
#pragma once

#include <chrono>
#include <string_view>

#include "../transport/transport.hpp"
#include "../wire/codec/values.hpp"
#include "../wire/error.hpp"

namespace parley {

/// Override what is of interest. Calls come one at a time, on a thread of the session, in order; an
/// exception is swallowed.
class Observer {
 public:
  virtual ~Observer() = default;

  /// The CLI has answered `initialize`, this long after connect() was called.
  virtual void on_connected(std::chrono::microseconds /*after*/) {}
  virtual void on_exit(const ExitStatus& /*status*/) {}
  /// A line that is no message. It is left out; the session goes on. `line` is at most 4 KiB.
  virtual void on_bad_line(const Error& /*error*/, std::string_view /*line*/) {}
  /// A message, or a control request, that this build has no type for.
  virtual void on_unknown(const Unknown& /*message*/) {}
  /// A handler has not answered within its deadline (Deadlines::question, hook, tool), so the
  /// request was refused. `kind` and `about` as in PendingAsk.
  virtual void on_unanswered(std::string_view /*kind*/, std::string_view /*about*/,
                             std::chrono::milliseconds /*deadline*/) {}
  /// The consumer is slow, so reading has stopped (true) or goes on (false).
  virtual void on_backpressure(bool /*paused*/) {}
  /// Nothing is broken, but something is not as it should be.
  virtual void on_warning(std::string_view /*text*/) {}
};

}  // namespace parley
