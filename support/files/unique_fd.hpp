// A file descriptor with an owner, and a pipe of two of them.
#pragma once

#include <optional>
#include <utility>

namespace parley {

class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(other.release()) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    if (this != &other) reset(other.release());
    return *this;
  }
  ~UniqueFd() { reset(); }

  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool valid() const { return fd_ >= 0; }
  explicit operator bool() const { return valid(); }
  /// Closes what it has and owns the other one from now on.
  void reset(int fd = -1);
  /// Gives the descriptor to the caller, who closes it.
  [[nodiscard]] int release() { return std::exchange(fd_, -1); }
  /// Closes it; false, with errno set, if what was written could not be kept.
  [[nodiscard]] bool close();

 private:
  int fd_ = -1;
};

struct Pipe {
  UniqueFd read, write;
};
/// Both ends close on exec and are above 2, so that they never are what they become in a child.
/// Nothing, with errno set, if the system has no more.
[[nodiscard]] std::optional<Pipe> make_pipe();

/// False, with errno set, if it cannot be.
bool set_non_blocking(int fd);

}  // namespace parley
