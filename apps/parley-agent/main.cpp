// parley-agent: the CLI's side of the wire.
#include "agent/agent.hpp"
#include "support/process/environment.hpp"

int main(int argc, char** argv) {
  const auto environment = parley::current_environment();
  return parley::agent::run_agent({argv + 1, argv + argc},
                                  {environment.begin(), environment.end()});
}
