// Compaction of one sealed segment. What waits for the disk, reading the segment and bringing a
// draft without its transient records safely to the disk, can run on any thread: nobody changes a
// sealed segment. Putting the draft in its place is quick, and is done by the log on its own
// thread. So a power cut at any moment leaves the old segment or the new one, each of them whole.
// Internal to the log.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "server/log/segment.hpp"

namespace parley::server {

class Rewrite {
 public:
  /// `next` is the number that the segment after it begins with.
  Rewrite(Segment segment, std::uint64_t next) : segment_(std::move(segment)), next_(next) {}

  /// Writes the draft. Once, on any thread. False if nobody is interested any more.
  bool run();
  /// What it comes to is not wanted any more. From any thread.
  void abandon() { abandoned_ = true; }

  /// Whether run() is over. Only then may the rest be called.
  [[nodiscard]] bool done() const { return done_; }
  /// Puts the draft, if there is one, in the place of the segment; returns how long that is now.
  Result<std::size_t> adopt();
  [[nodiscard]] std::uint64_t first() const { return segment_.first; }

 private:
  [[nodiscard]] std::filesystem::path draft() const { return segment_.path.string() + ".new"; }
  Result<std::optional<std::size_t>> write_draft() const;

  const Segment segment_;
  const std::uint64_t next_;
  /// The size of the draft; nothing if the segment stays as it is.
  Result<std::optional<std::size_t>> outcome_ = std::optional<std::size_t>();
  std::atomic<bool> abandoned_ = false;
  std::atomic<bool> done_ = false;
};

}  // namespace parley::server
