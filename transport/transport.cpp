#include "transport/transport.hpp"

#include <cstring>

namespace parley {

std::string to_string(const ExitStatus& status) {
  if (status.signal) {
    const char* name = ::strsignal(*status.signal);
    return "killed by signal " + std::to_string(*status.signal) +
           (name != nullptr ? " (" + std::string(name) + ")" : std::string());
  }
  if (status.code) return "exit code " + std::to_string(*status.code);
  return "end of stream";
}

}  // namespace parley
