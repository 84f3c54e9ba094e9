// parley-agent: the CLI's side of the wire.
#include <unistd.h>

#include <string_view>

#include "agent/agent.hpp"

int main(int argc, char** argv) {
  std::map<std::string, std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (const std::size_t equals = text.find('='); equals != std::string_view::npos) {
      environment.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
  }
  return parley::agent::run_agent({argv + 1, argv + argc}, environment);
}
