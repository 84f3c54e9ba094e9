// A recording of an agent (`parley record`) instead of an agent: tests without a network, a key, or
// a process.
#include <iostream>
#include <parley/client/session.hpp>
#include <parley/transport/replay.hpp>

int main(int argc, char** argv) try {
  if (argc != 2) return std::cerr << "usage: replay RECORDING\n", 2;
  const auto recording = parley::Recording::load(argv[1]).value();
  parley::Session session({}, [&recording] {
    return parley::make_replay_transport(parley::Loop::shared().value(), recording);
  });
  session.connect().value();
  std::cout << session.ask("Hello").answer().value() << "\n";
} catch (const parley::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
