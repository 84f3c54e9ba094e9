// Sends an image along with the text. The file is told apart by its content.
#include <iostream>
#include <parley/client/session.hpp>

int main(int argc, char** argv) try {
  if (argc != 2) {
    std::cerr << "usage: images FILE\n";
    return 2;
  }
  parley::Prompt prompt("What is in this picture?");
  prompt.add_file(argv[1]).value();

  parley::Session session;
  session.connect().value();
  std::cout << session.ask(prompt).answer().value() << "\n";
} catch (const parley::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
