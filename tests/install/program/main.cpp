// A stranger's program: it knows Parley only by its installed headers and libraries.
#include <cstdio>
#include <parley/wire/json.hpp>

int main() {
  const auto parsed = parley::Json::parse(R"({"type":"greeting","text":"hello"})");
  if (!parsed.ok()) return 1;
  std::printf("%s\n", std::string((*parsed)["text"].as_string()).c_str());
}
