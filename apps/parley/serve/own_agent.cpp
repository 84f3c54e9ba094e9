#include "apps/parley/serve/own_agent.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace parley::app {

namespace fs = std::filesystem;

fs::path own_agent() {
  std::error_code error;
  const fs::path path = fs::read_symlink("/proc/self/exe", error).parent_path() / "parley-agent";
  return !error && ::access(path.c_str(), X_OK) == 0 ? path : fs::path();
}

std::vector<fs::path> own_agents() {
  const fs::path path = own_agent();
  return path.empty() ? std::vector<fs::path>() : std::vector{path};
}

bool is_parley_agent(const CliCommand& cli) { return cli.program.filename() == "parley-agent"; }

bool own_agent_has_key() {
  return std::any_of(std::begin(kOwnAgentKeys), std::end(kOwnAgentKeys), [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr &&
           std::string_view(value).find_first_not_of(" \t\r\n") != std::string_view::npos;
  });
}

}  // namespace parley::app
