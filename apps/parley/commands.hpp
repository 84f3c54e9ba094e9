// The subcommands of parley. Each adds itself to the program and, when it was chosen, runs at the
// end of parsing and leaves its exit code.
#pragma once

namespace CLI {
class App;
}

namespace parley::app {

inline constexpr int kSuccess = 0;
inline constexpr int kFailure = 1;  ///< Something went wrong, or nothing was found.
inline constexpr int kUsage = 2;    ///< The command line makes no sense.
inline constexpr int kInterrupted = 130;

void add_sessions(CLI::App& app, int& exit_code);

}  // namespace parley::app
