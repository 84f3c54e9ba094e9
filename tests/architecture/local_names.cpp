#include "local_names.hpp"

#include <regex>
#include <set>
#include <sstream>
#include <string_view>

namespace parley::architecture {
namespace {

/// What a line at the margin declares: the name of a type or of a constant, or a function as far as
/// it stands on that line, because functions of one name may differ in what they take.
std::set<std::string> declared_by(const std::string& line) {
  static const std::regex type(
      R"(^(?:struct|class|enum(?: class)?) (\w+)(?: final)?(?: :.*)? \{.*)");
  static const std::regex constant(R"(\b(k[A-Z]\w*)(?= = |\[|\{))");
  static const std::regex function(R"(^[A-Za-z_][\w:<>&*,\[\] ]* [&*]?\w+\(.*)");
  std::smatch match;
  if (std::regex_match(line, match, type)) return {match[1].str()};
  if (line.starts_with("constexpr ") || line.starts_with("const ")) {
    const std::sregex_iterator begin(line.begin(), line.end(), constant), end;
    std::set<std::string> names;
    for (auto found = begin; found != end; ++found) names.insert((*found)[1].str());
    if (!names.empty()) return names;
  }
  if (!line.starts_with("using ") && std::regex_match(line, function)) {
    return {line.substr(0, line.find(" {"))};
  }
  return {};
}

}  // namespace

std::vector<std::string> check_local_names(const Tree& tree) {
  std::vector<std::string> violations;
  std::map<std::string, std::map<std::string, std::string>> folders;  // folder -> name -> file
  for (const auto& [path, text] : tree) {
    // Only libraries and the program parley are compiled so.
    if (!path.ends_with(".cpp") || path.starts_with("tests/") || path.starts_with("examples/") ||
        path.starts_with("benchmarks/")) {
      continue;
    }
    auto& names = folders[path.substr(0, path.rfind('/'))];
    std::istringstream lines(text);
    std::string line;
    bool local = false;
    for (int number = 1; std::getline(lines, line); ++number) {
      if (line == "namespace {") local = true;
      if (line == "}  // namespace") local = false;
      if (!local) continue;
      for (const std::string& name : declared_by(line)) {
        const auto [at, added] = names.emplace(name, path);
        if (added || at->second == path) continue;
        violations.push_back(path + ":" + std::to_string(number) + ": \"" + name +
                             "\" is also in " + at->second +
                             "; share it or name it differently, a release compiles both as one");
      }
    }
  }
  return violations;
}

}  // namespace parley::architecture
