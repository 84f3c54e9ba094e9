// Several turns with one agent, which remembers what was said.
#include <iostream>
#include <parley/client/session.hpp>

int main() try {
  parley::Session session;
  session.connect().value();
  for (const char* prompt : {"Pick a number.", "Double it."}) {
    std::cout << prompt << " " << session.ask(prompt).answer().value() << "\n";
  }
  std::cout << "session " << session.session_id() << "\n";
} catch (const parley::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
