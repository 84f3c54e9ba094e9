#include "apps/parley/serve/limits.hpp"

#include <sys/resource.h>

#include <algorithm>

namespace parley::app {
namespace {

constexpr std::size_t kMostConnections = 1024;
/// An agent has three pipes, a handle of its process and a log.
constexpr std::size_t kPerAgent = 5;
/// The program's own, files that are read for a moment, connections that are refused.
constexpr std::size_t kReserve = 256;

/// With TLS there is a pair of sockets behind each one of a client.
constexpr std::size_t per_connection(bool tls) { return tls ? 3 : 1; }

/// Strangers can take all of these, so they are a quarter.
std::size_t connections_among(std::size_t descriptors, bool tls) {
  return std::clamp<std::size_t>(descriptors / 4 / per_connection(tls), 8, kMostConnections);
}

}  // namespace

std::size_t make_room_for(std::size_t agents, bool tls) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return connections_among(kReserve, tls);
  const std::size_t wanted =
      kReserve + agents * kPerAgent + kMostConnections * per_connection(tls) * 4;
  if (limit.rlim_cur < wanted) {
    rlimit raised = limit;
    raised.rlim_cur = std::min<rlim_t>(wanted, limit.rlim_max);
    if (::setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
  }
  return connections_among(std::min<rlim_t>(limit.rlim_cur, wanted), tls);
}

}  // namespace parley::app
