// Keeps started CLIs at hand, so that a request does not wait for one to start.
#include <iostream>
#include <parley/client/shared/pool.hpp>

int main() try {
  parley::SessionPool pool(parley::Options(), 2);
  for (const char* user : {"Ada", "Grace"}) {
    parley::Session session = pool.take().value();
    const auto result = session.ask(std::string("Greet ") + user + ".").result().value();
    std::cout << user << ": " << result.result.value_or("") << "\n";
  }
} catch (const parley::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
