// Values to and from nlohmann/json, for programs that use it: here the input of a tool call is
// read, and another one put in its place.
#include <iostream>
#include <parley/client/adapters/nlohmann.hpp>
#include <parley/client/handlers/permissions.hpp>
#include <parley/client/session.hpp>

int main() try {
  parley::Options options;
  options.on_permission = [](const parley::PermissionAsk& ask) {
    auto input = parley::to_nlohmann(ask.input);
    std::cout << "wanted: " << input.value("command", "") << "\n";
    input["command"] = "git status --short";
    return parley::allow().with_input(parley::from_nlohmann(input));
  };
  parley::Session session(options);
  session.connect().value();
  std::cout << session.ask("What changed?").answer().value() << "\n";
} catch (const parley::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
