// What can go wrong, told apart, without exceptions.
#include <chrono>
#include <iostream>
#include <parley/client/session.hpp>

int main() {
  parley::Options options;
  options.deadlines.initialize = std::chrono::seconds(20);
  parley::Session session(options);
  if (const auto connected = session.connect(); !connected) {
    std::cerr << "not connected: " << connected.error().what() << "\n";
    return 1;
  }
  const auto result = session.ask("Hello?").result(std::chrono::minutes(5));
  if (result) {
    std::cout << result->result.value_or("") << "\n";
    return 0;
  }
  switch (result.error().code()) {
    case parley::ErrorCode::timeout: std::cout << "too slow\n"; break;
    case parley::ErrorCode::remote: std::cout << "the turn failed: "; break;
    case parley::ErrorCode::process: std::cout << "the CLI died: "; break;
    default: break;
  }
  std::cout << result.error().message() << "\n";
  if (const auto failure = session.failure()) {
    std::cout << "phase: " << parley::to_string(failure->phase) << "\n";
    if (failure->exit.code) std::cout << "exit code: " << *failure->exit.code << "\n";
  }
  return 1;
}
