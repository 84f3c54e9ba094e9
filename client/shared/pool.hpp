// Sessions that are started before they are needed, because a CLI takes its time to start.
#pragma once

#include <cstddef>
#include <memory>

#include "../session.hpp"

namespace parley {

/// Keeps `size` CLIs started with the same options. take() hands the oldest over and starts
/// another; a spare that has died in the meantime is replaced, not handed over. Closes the spares
/// when it is destroyed. Thread-safe.
class SessionPool {
 public:
  /// Options that name one session (transcript.session_id, resume.id, resume.latest) throw
  /// std::invalid_argument: no two processes can share it.
  explicit SessionPool(Options options, std::size_t size = 1);
  ~SessionPool();
  SessionPool(const SessionPool&) = delete;
  SessionPool& operator=(const SessionPool&) = delete;

  /// A connected session. Waits for its `initialize` if that is still on the way, and starts one
  /// if there is none.
  Result<Session> take();
  /// Spares that are alive.
  [[nodiscard]] std::size_t ready() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace parley
