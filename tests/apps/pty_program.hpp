// A program at a terminal of its own, and the person in front of it.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/files/unique_fd.hpp"

namespace parley::testing {

/// A resource: ends the program if it still runs. Nothing here waits for ever.
class PtyProgram {
 public:
  using Environment = std::vector<std::pair<std::string, std::string>>;

  PtyProgram(std::vector<std::string> command, const Environment& environment);
  ~PtyProgram();
  PtyProgram(const PtyProgram&) = delete;
  PtyProgram& operator=(const PtyProgram&) = delete;

  /// Reads until `text` has appeared behind what was looked for before. False if the program ends
  /// first, or after half a minute.
  [[nodiscard]] bool shows(std::string_view text);
  void type(std::string_view keys);
  void press_ctrl_c() { type("\x03"); }
  /// Reads to the end. The exit code, or 128 and the number of the signal: 137 if it had to be
  /// ended.
  [[nodiscard]] int wait();
  /// All that was on the screen.
  [[nodiscard]] const std::string& screen() const { return screen_; }
  /// Whether what is typed appears on the screen, line by line: the terminal as a shell left it.
  [[nodiscard]] bool terminal_is_as_before() const;

 private:
  [[nodiscard]] bool read_more();

  UniqueFd terminal_;
  pid_t pid_ = -1;
  std::string screen_;
  std::size_t seen_ = 0;
};

}  // namespace parley::testing
