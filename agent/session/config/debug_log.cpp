#include "agent/session/config/debug_log.hpp"

#include <unistd.h>

#include <fstream>

#include "support/files/io.hpp"
#include "support/time.hpp"

namespace parley::agent {

void complain(std::string_view text) {
  std::string line(text);
  line += '\n';
  (void)!write_all(STDERR_FILENO, line);
}

void DebugLog::write(std::string_view text) const {
  if (!enabled_) return;
  if (!file_) return complain("[debug] " + std::string(text));
  std::ofstream(*file_, std::ios::app) << timestamp() << " " << text << "\n";
}

}  // namespace parley::agent
