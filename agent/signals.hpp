// Signals as plain calls: whoever waits for one gets it on an ordinary thread.
#pragma once

#include <functional>

namespace parley::agent {

/// Calls `on_signal` for SIGINT, SIGTERM and SIGHUP, one after the other, on a thread that lives as
/// long as the process. SIGPIPE is ignored: a closed pipe is an error of its write. Once per
/// process.
void watch_signals(std::function<void(int signal)> on_signal);

}  // namespace parley::agent
