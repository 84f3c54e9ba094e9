// Goes on with an earlier session under a new id, so that the old one stays as it is.
#include <iostream>
#include <parley/client/session.hpp>

int main(int argc, char** argv) try {
  if (argc != 2) {
    std::cerr << "usage: resume SESSION-ID\n";
    return 2;
  }
  parley::Options options;
  options.resume.id = argv[1];
  options.resume.fork = true;
  parley::Session session(options);
  session.connect().value();
  std::cout << session.ask("Where were we?").answer().value() << "\n";
} catch (const parley::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
