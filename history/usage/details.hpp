// What a list of sessions can show only after reading the files whole.
#pragma once

#include <vector>

#include "../listing/bulk_scan.hpp"
#include "prices.hpp"

namespace parley::history {

/// Fills `messages` (user and assistant lines, subagents left out) and `costUSD` (subagents
/// included) of each session. A cost that cannot be computed because a model has no price stays as
/// it was.
[[nodiscard]] Report add_details(std::vector<SessionInfo>& sessions, const Scope& scope,
                                 const Prices& prices, const ScanOptions& options = {});

}  // namespace parley::history
