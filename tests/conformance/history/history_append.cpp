// Appends the lines of standard input to a transcript, one append() each.
// Usage: history_append ROOT PROJECT SESSION [AGENT [NOTE]]; NOTE is the subagent's meta data.
#include <iostream>
#include <string>

#include "history/conversation/subagents.hpp"
#include "history/writing/appender.hpp"

int main(int argc, char** argv) {
  using namespace parley::history;
  if (argc < 4) return 2;
  const SessionPlace place{argv[1], argv[2], argv[3]};
  const std::string agent = argc > 4 ? argv[4] : "";
  auto appender = Appender::open(place, {.agent_id = agent});
  if (!appender) {
    std::cerr << appender.error().what() << '\n';
    return 1;
  }
  for (std::string line; std::getline(std::cin, line);) appender->append(line).value();
  appender->sync().value();
  if (argc > 5) write_subagent_note(place, agent, argv[5]).value();
}
