#include "recording.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace parley::test {

namespace fs = std::filesystem;

fs::path source_dir() {
  const char* folder = std::getenv("PARLEY_SOURCE_DIR");
  if (folder == nullptr) throw std::runtime_error("PARLEY_SOURCE_DIR is not set; run ./test");
  return folder;
}

namespace {

/// Whether `flag` asks for stream-json.
bool has_format(const Json& argv, std::string_view flag) {
  const Json::Array& arguments = argv.items();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].as_string() == std::string(flag) + "=stream-json") return true;
    if (arguments[i].as_string() == flag && argv[i + 1].as_string() == "stream-json") return true;
  }
  return false;
}

}  // namespace

std::vector<RecordedLine> Recording::lines() const {
  std::vector<RecordedLine> lines;
  bool protocol_in = false;
  bool protocol_out = false;
  for (const Json& event : events) {
    const std::string_view dir = event["dir"].as_string();
    if (dir == "start") {
      protocol_in = has_format(event["argv"], "--input-format");
      protocol_out = has_format(event["argv"], "--output-format");
    }
    const Json* text = event.find("line");
    if (text == nullptr) continue;
    if ((dir == "in" && protocol_in) || (dir == "out" && protocol_out)) {
      lines.push_back({dir == "in", std::string(text->as_string())});
    }
  }
  return lines;
}

const std::vector<Recording>& recordings() {
  static const std::vector<Recording> all = [] {
    std::vector<Recording> found;
    for (const char* version : {"2.1.325", "2.1.38"}) {
      for (const auto& entry :
           fs::directory_iterator(source_dir() / "tests/recordings" / version)) {
        if (entry.path().extension() != ".jsonl") continue;
        Recording recording{version, entry.path().stem().string(), {}};
        std::ifstream file(entry.path());
        for (std::string line; std::getline(file, line);) {
          recording.events.push_back(Json::parse(line).value());
        }
        found.push_back(std::move(recording));
      }
    }
    if (found.empty()) throw std::runtime_error("no recordings found");
    std::sort(found.begin(), found.end(),
              [](const Recording& a, const Recording& b) { return a.name() < b.name(); });
    return found;
  }();
  return all;
}

}  // namespace parley::test
