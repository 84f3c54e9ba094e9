// A CLI that answers `initialize` and then the first prompt with the content of the file that
// PARLEY_BENCH_STREAM names, as fast as it is read. Without the variable: with a result at once.
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace {

bool write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

/// Reads lines until one holds `text`. Empty at the end of input.
std::string line_with(std::string_view text) {
  for (std::string line; std::getline(std::cin, line);) {
    if (line.find(text) != std::string::npos) return line;
  }
  return {};
}

std::string request_id(const std::string& line) {
  constexpr std::string_view kKey = R"("request_id":")";
  const auto start = line.find(kKey) + kKey.size();
  return line.substr(start, line.find('"', start) - start);
}

void stream(const char* file) {
  const int fd = ::open(file, O_RDONLY | O_CLOEXEC);
  std::vector<char> buffer(65536);
  for (ssize_t n = 0; fd >= 0 && (n = ::read(fd, buffer.data(), buffer.size())) > 0;) {
    if (!write_all({buffer.data(), static_cast<std::size_t>(n)})) return;
  }
}

}  // namespace

int main() {
  const std::string initialize = line_with(R"("initialize")");
  if (initialize.empty()) return 0;
  write_all(R"({"type":"control_response","response":{"subtype":"success","request_id":")" +
            request_id(initialize) +
            R"(","response":{"commands":[],"models":[],"agents":[],"account":{}}}})"
            "\n");
  if (line_with(R"("type":"user")").empty()) return 0;
  if (const char* file = std::getenv("PARLEY_BENCH_STREAM")) stream(file);
  write_all(R"({"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"",)"
            R"("duration_ms":1,"duration_api_ms":1,"total_cost_usd":0,"session_id":"s","uuid":"u"})"
            "\n");
  line_with("no line holds this");  // the end of input
}
