// Runs over every transcript below the roots, subagents included, on all processors. Long files are
// cut into pieces at line ends, so that one of them does not keep a single processor busy.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "../files/lines.hpp"
#include "listing.hpp"

namespace parley::history {

/// One transcript file, wherever it lies in its project.
struct ScanFile {
  std::string root;
  std::string project;
  std::string session_id;            ///< The session it belongs to; for other files their name.
  std::string agent_id;              ///< Empty for a session's own transcript.
  std::vector<std::string> folders;  ///< Between the project and the file.
  std::string name;
  std::uint64_t size = 0;
  std::int64_t modified_ms = 0;

  [[nodiscard]] std::string path() const;
};

[[nodiscard]] std::vector<ScanFile> find_scan_files(const Scope& scope, Report& report);

struct ScanOptions {
  std::stop_token stop = {};
  Progress progress = {};  ///< In bytes.
};

/// Calls on_block(file index, block, worker) for all blocks of all files, blocks of one file in no
/// particular order, from several threads; `worker` is below the number of processors. Files that
/// cannot be read go to `report`. on_block must not throw.
void scan_files(
    const std::vector<ScanFile>& files, const ScanOptions& options, Report& report,
    const std::function<void(std::size_t file, const Block& block, std::size_t worker)>& on_block);

/// How many different values `worker` can have in scan_files().
[[nodiscard]] std::size_t scan_workers();

/// The beginning of the first line at or after `offset`; `end` if none begins before that.
[[nodiscard]] Result<std::uint64_t> line_at_or_after(const File& file, std::uint64_t offset,
                                                     std::uint64_t end);

}  // namespace parley::history
