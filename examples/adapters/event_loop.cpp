// A session inside an event loop that already exists, here plain poll(): no thread waits for it.
#include <poll.h>

#include <iostream>
#include <parley/client/session.hpp>

int main() try {
  parley::Session session;
  session.connect().value();
  session.send("Hello").value();
  pollfd wanted{};
  wanted.fd = session.fd().value();
  wanted.events = POLLIN;
  for (bool over = false; !over;) {
    if (::poll(&wanted, 1, -1) < 0) continue;  // other descriptors would be served here, too
    for (auto next = session.try_receive(); next && *next; next = session.try_receive()) {
      if (const auto* result = std::get_if<parley::ResultMessage>(&**next)) {
        std::cout << result->result.value_or("") << "\n";
        over = true;
      }
    }
    over = over || !session.alive();
  }
} catch (const parley::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
