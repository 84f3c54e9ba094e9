// Stops the agent in the middle of an answer, and goes on with something else.
#include <iostream>
#include <parley/client/session.hpp>

int main() try {
  parley::Options options;
  options.delivery.partial_messages = true;
  parley::Session session(options);
  session.connect().value();
  parley::Turn turn = session.ask("Count to a million.");
  for (const parley::Message& message : turn) {
    if (message.is<parley::StreamEvent>()) break;  // it has begun
  }
  turn.interrupt().value();  // returns when the turn has ended
  const auto ended = turn.result();
  std::cout << (!ended && ended.error().code() == parley::ErrorCode::cancelled ? "interrupted"
                                                                               : "finished")
            << "\n";
  std::cout << session.ask("How far did you get?").answer().value() << "\n";
} catch (const parley::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
