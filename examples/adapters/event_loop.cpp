// A session inside an event loop that already exists, here plain poll(): no thread waits for it.
#include <poll.h>

#include <iostream>
#include <parley/client/session.hpp>

int main() try {
  parley::Session session;
  session.connect().value();
  parley::Turn turn = session.ask("Hello");
  pollfd wanted{};
  wanted.fd = turn.fd().value();
  wanted.events = POLLIN;
  while (!turn.over()) {
    if (::poll(&wanted, 1, -1) < 0) continue;  // other descriptors would be served here, too
    while (const auto message = turn.next(std::chrono::milliseconds(0))) {
      std::cerr << parley::to_string(*message) << "\n";
    }
  }
  std::cout << turn.answer().value() << "\n";
} catch (const parley::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
