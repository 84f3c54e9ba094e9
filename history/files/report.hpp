// What a read had to leave out, so that nobody takes a partial answer for a whole one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace parley::history {

/// A file or folder that was not read, and why.
struct Skipped {
  std::string path;
  std::string reason;

  bool operator==(const Skipped&) const = default;
};

/// A value; merging the reports of several threads is the caller's business.
struct Report {
  std::vector<Skipped> skipped;
  std::uint64_t damaged_lines = 0;    ///< Lines that are not one JSON object.
  std::uint64_t oversized_lines = 0;  ///< Lines longer than kMaxLineBytes.

  void skip(std::string path, std::string reason) {
    skipped.push_back({std::move(path), std::move(reason)});
  }
  void merge(Report&& other) {
    for (auto& item : other.skipped) skipped.push_back(std::move(item));
    damaged_lines += other.damaged_lines;
    oversized_lines += other.oversized_lines;
  }
  [[nodiscard]] bool empty() const {
    return skipped.empty() && damaged_lines == 0 && oversized_lines == 0;
  }

  bool operator==(const Report&) const = default;
};

}  // namespace parley::history
