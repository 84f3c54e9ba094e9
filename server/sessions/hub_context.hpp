// What all sessions of a hub share.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "client/options.hpp"
#include "server/log/upkeep.hpp"
#include "server/threads/workers.hpp"
#include "transport/loop.hpp"
#include "wire/control/replies.hpp"

namespace parley::server {

/// Numbers for /metrics.
struct Meters {
  std::uint64_t events = 0;
  std::uint64_t event_bytes = 0;
  std::uint64_t prompts = 0;
  std::uint64_t requests = 0;
  std::uint64_t answers = 0;
  std::uint64_t agents_started = 0;
  std::uint64_t agents_failed = 0;
  std::uint64_t catch_ups = 0;  ///< Clients that were too slow for the live stream.
};

/// Owned by the hub, which outlives its sessions.
struct HubContext {
  Loop& loop;
  Workers& calls;    ///< Wait for answers of agents.
  Workers& closing;  ///< Wait for the ends of agents.
  Workers& files;    ///< Wait for disks.
  Upkeep& upkeep;
  Meters& meters;
  /// Options for an agent on this loop; what is particular to a session is filled in by it.
  std::function<Options()> agent_options;
  /// Where agents keep their transcripts.
  const std::vector<std::string>& transcript_roots;
  /// The summary of the session with this id is not what it was.
  std::function<void(const std::string& id)> on_changed;
  /// Models, agents and commands that a new agent has told about.
  std::function<void(const control::InitializeReply&)> on_initialized;
};

}  // namespace parley::server
