// The person at the terminal: single keys, and lines with the terminal's own editing.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "support/process/wake_event.hpp"

namespace parley::app {

/// Holds the terminal while somebody is asked something. Keys come one by one and are not echoed;
/// what was typed before the question is thrown away, for it was no answer to it. Gives the
/// terminal back at its end. One at a time.
class Keyboard {
 public:
  static constexpr char kEnter = '\n';

  /// Whether there is a person: standard input and standard error are terminals.
  [[nodiscard]] static bool present();

  /// Reading gives up when `withdrawn` stops.
  explicit Keyboard(std::stop_token withdrawn);
  ~Keyboard();
  Keyboard(const Keyboard&) = delete;
  Keyboard& operator=(const Keyboard&) = delete;

  /// The next key; of one that sends several characters, such as an arrow, the first. Nothing if
  /// the question was withdrawn or the input has ended (Ctrl-D).
  [[nodiscard]] std::optional<char> key();
  /// Prompts, and reads the next line, trimmed, with echo. Nothing as above.
  [[nodiscard]] std::optional<std::string> line(std::string_view prompt);
  /// Runs another program on the terminal meanwhile, e.g. an editor. Its exit code, or -1.
  [[nodiscard]] int run(const std::string& shell_command);

  /// Puts the terminal back as it was if a Keyboard holds it. For a process that ends without
  /// destroying its objects; any thread.
  static void release_terminal();

 private:
  [[nodiscard]] bool wait();

  std::stop_token withdrawn_;
  WakeEvent bell_;  ///< Readable once the question is withdrawn.
};

}  // namespace parley::app
