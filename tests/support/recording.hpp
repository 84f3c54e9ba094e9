// Reads the recordings of the real CLI under tests/recordings.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "wire/json/json.hpp"

namespace parley::test {

/// The root of the source tree, from the environment that ./test sets.
std::filesystem::path source_dir();

struct RecordedLine {
  bool to_cli = false;  ///< Written to the CLI's stdin; else read from its stdout.
  std::string text;
};

struct Recording {
  std::string version;   ///< "2.1.325"
  std::string scenario;  ///< "bash_allow"
  std::vector<Json> events;

  [[nodiscard]] std::string name() const { return version + "/" + scenario; }
  /// What went over stdin and stdout, in order. Print modes write no protocol; their text is left
  /// out.
  [[nodiscard]] std::vector<RecordedLine> lines() const;
};

/// All recordings, sorted by name. Throws if there are none, so that no test passes by default.
const std::vector<Recording>& recordings();

}  // namespace parley::test
