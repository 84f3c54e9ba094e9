// The snapshot of a session on disk, and what the log itself wants to remember with it. Internal to
// the log.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "server/log/log.hpp"

namespace parley::server {

struct SavedState {
  Snapshot snapshot;
  /// How far the last segment is known to be good, so that opening starts to read there. It is the
  /// one that begins with this number; 0: nothing is known.
  std::uint64_t segment = 0;
  std::size_t bytes = 0;        ///< That many are good.
  std::size_t last_record = 0;  ///< Where the last record in them begins.
  std::size_t transient = 0;    ///< That many are transient.
  /// Segments up to the one that begins with this number are compacted.
  std::uint64_t compacted = 0;
};

/// In a folder, in place of the one that is there. A power cut may leave neither.
[[nodiscard]] Result<void> save_state(const std::filesystem::path& folder, const SavedState& state);
/// Nothing if there is none, or if a single bit of it is not as it was saved.
[[nodiscard]] std::optional<SavedState> load_state(const std::filesystem::path& folder);
void remove_state(const std::filesystem::path& folder);

}  // namespace parley::server
