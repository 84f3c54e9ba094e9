// judge_commands ROOT: reads lines as JudgedLine has them and prints the verdict on each, with the
// reason, as a line of JSON.
#include <cstdio>
#include <iostream>
#include <string>

#include "judged_line.hpp"
#include "wire/json/json.hpp"

int main(int argc, char** argv) {
  using namespace parley;
  if (argc != 2) {
    std::fputs("usage: judge_commands ROOT <LINES\n", stderr);
    return 2;
  }
  test::LineJudge judge{argv[1]};
  for (std::string line; std::getline(std::cin, line);) {
    const auto parsed = test::JudgedLine::parse(line);
    if (!parsed.ok()) {
      std::cerr << "not read: " << line << "\n";
      return 2;
    }
    const auto verdict = judge.judge(*parsed);
    static constexpr const char* kNames[] = {"allow", "ask", "deny"};
    std::cout << Json::object(
                     {{"verdict", kNames[static_cast<int>(verdict.kind)]},
                      {"reason", verdict.reason.empty() ? verdict.message : verdict.reason},
                      {"command", parsed->command}})
                     .dump()
              << "\n";
  }
}
