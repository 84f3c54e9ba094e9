// One question, one answer.
#include <iostream>
#include <parley/client/query.hpp>

int main() try {
  std::cout << parley::query("What is the capital of France?").text() << "\n";
} catch (const parley::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
