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
inline constexpr int kNotExecutable = 126;
inline constexpr int kNotFound = 127;  ///< There is no such program.
inline constexpr int kInterrupted = 130;

void add_run(CLI::App& app, int& exit_code);
void add_sessions(CLI::App& app, int& exit_code);
void add_record(CLI::App& app, int& exit_code);
void add_replay(CLI::App& app, int& exit_code);
void add_serve(CLI::App& app, int& exit_code);
void add_model(CLI::App& app, int& exit_code);
void add_doctor(CLI::App& app, int& exit_code);

}  // namespace parley::app
