// Text while it is written, not only when it is complete.
#include <iostream>
#include <parley/client/session.hpp>

int main() try {
  parley::Options options;
  options.delivery.partial_messages = true;
  parley::Session session(options);
  session.connect().value();
  parley::Turn turn = session.ask("Tell me a story.");
  for (const std::string& piece : turn.text()) std::cout << piece << std::flush;
  std::cout << "\n";
} catch (const parley::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
