// Lists sessions.
#pragma once

#include <functional>
#include <stop_token>
#include <vector>

#include "session_info.hpp"

namespace parley::history {

/// How long work tells how far it is: `done` of `total` (files or bytes, as the function says).
/// Called from any worker thread, one call at a time.
using Progress = std::function<void(std::uint64_t done, std::uint64_t total)>;

struct ListOptions {
  Scope scope;
  std::size_t limit = 0;   ///< 0 for all.
  std::size_t offset = 0;  ///< How many of the latest to leave out.
  /// Sessions that programs ran (entry points sdk-cli, sdk-ts, sdk-py, daemons).
  bool include_programmatic = true;
  std::stop_token stop = {};
};

struct Listing {
  std::vector<SessionInfo> sessions;  ///< The one changed last comes first.
  Report report;
};

/// Each session id once (the copy changed last). Reads at most 128 KiB of each file.
[[nodiscard]] Listing list_sessions(const ListOptions& options);

/// The info of one session, by id or an unambiguous beginning of it. `not_found` also if the
/// transcript holds nothing that could be listed.
[[nodiscard]] Result<SessionInfo> session_info(const Scope& scope, std::string_view id);

}  // namespace parley::history
