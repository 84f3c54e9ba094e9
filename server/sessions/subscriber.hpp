// Whoever follows a session.
#pragma once

#include <cstdint>
#include <string>

#include "server/log/log.hpp"

namespace parley::server {

/// Called on the hub's loop. It must not unsubscribe others from within a call.
class Subscriber {
 public:
  virtual ~Subscriber() = default;
  /// `record` is the newest of the session with this id; `previous` is the number of the one before
  /// it.
  virtual void on_event(const std::string& session, const Record& record,
                        std::uint64_t previous) = 0;
  /// Something has happened that could not be recorded; the agent is stopped.
  virtual void on_log_failure(const std::string& session, const Error& error) = 0;
};

}  // namespace parley::server
