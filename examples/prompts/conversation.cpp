// Several turns with one agent, which remembers what was said.
#include <iostream>
#include <parley/client/session.hpp>

int main() try {
  parley::Session session;
  session.connect().value();
  for (const char* prompt : {"Pick a number.", "Double it."}) {
    const parley::ResultMessage result = session.ask(prompt).value();
    std::cout << prompt << " " << result.result.value_or("") << "\n";
  }
  std::cout << "session " << session.session_id() << "\n";
} catch (const parley::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
