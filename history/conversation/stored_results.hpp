// Output of tools that was too long for the transcript: the agent keeps it in a file of its own,
// <session>/tool-results/<id>.txt, named after the call or task.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "../listing/roots.hpp"

namespace parley::history {

/// The ids, sorted; none is no error.
[[nodiscard]] Result<std::vector<std::string>> list_stored_results(const SessionPlace& place);

/// `too_large` beyond `limit` bytes.
[[nodiscard]] Result<std::string> read_stored_result(const SessionPlace& place, std::string_view id,
                                                     std::size_t limit = std::size_t{64} << 20);

/// Stores one, so that it is there completely or not at all, and returns its path. The project's
/// folder must exist.
[[nodiscard]] Result<std::string> store_result(const SessionPlace& place, std::string_view id,
                                               std::string_view text);

}  // namespace parley::history
