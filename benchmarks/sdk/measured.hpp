// What is measured in a process of its own, so that its memory is its own.
#pragma once

#include <string>

namespace parley::bench {

/// Reads the whole stream with a Session; prints {"messages":N,"milliseconds":N,"kilobytes":N}.
int read_stream(const std::string& cli);
/// Lets the stream pile up until reading has stopped, and a second longer; prints the same.
int stall(const std::string& cli);

/// Milliseconds from connect() to the first message after the first prompt.
double connect_to_message(const std::string& cli);
/// The same without an SDK: spawn, write both lines, read until the first message.
double bare_spawn_to_message(const std::string& cli);

}  // namespace parley::bench
