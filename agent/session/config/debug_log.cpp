#include "agent/session/config/debug_log.hpp"

#include <unistd.h>

#include <fstream>

#include "agent/uuid.hpp"

namespace parley::agent {

void complain(std::string_view text) {
  std::string line(text);
  line += '\n';
  (void)!::write(STDERR_FILENO, line.data(), line.size());
}

void DebugLog::write(std::string_view text) const {
  if (!enabled_) return;
  if (!file_) return complain("[debug] " + std::string(text));
  std::ofstream(*file_, std::ios::app) << timestamp() << " " << text << "\n";
}

}  // namespace parley::agent
