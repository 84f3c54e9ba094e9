// Stops the agent in the middle of an answer, and goes on with something else.
#include <iostream>
#include <parley/client/session.hpp>

int main() try {
  parley::Options options;
  options.partial_messages = true;
  parley::Session session(options);
  session.connect().value();
  session.send("Count to a million.").value();
  while (auto message = session.receive().value()) {
    if (std::holds_alternative<parley::StreamEvent>(*message)) break;  // it has begun
  }
  session.interrupt().value();  // returns when the turn has ended
  const auto ended = session.wait_turn();
  std::cout << (!ended && ended.error().code() == parley::ErrorCode::kCancelled ? "interrupted"
                                                                                : "finished")
            << "\n";
  std::cout << session.ask("How far did you get?").value().result.value_or("") << "\n";
} catch (const parley::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
