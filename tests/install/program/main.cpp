// A stranger's program: it knows Parley only by its installed headers and libraries. The path of a
// CLI is its argument; what that answers is what it prints.
#include <cstdio>
#include <parley/client/query.hpp>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  parley::Options options;
  options.cli.program = argv[1];
  std::printf("%s\n", parley::query("Say hello", options).text().c_str());
}
