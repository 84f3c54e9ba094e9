// Gives the model a tool that is a C++ function. Its JSON schema comes from the struct, and input
// that does not fit is answered before the function is called.
#include <iostream>
#include <parley/client/handlers/tools.hpp>
#include <parley/client/session.hpp>

struct AddArgs {
  double a = 0;
  double b = 0;
};
PARLEY_FIELDS(AddArgs, a, b)

int main() try {
  parley::McpServer calculator("calc");
  calculator.add(parley::tool("add", "Adds two numbers", [](AddArgs x) { return x.a + x.b; }));

  parley::Options options;
  options.tools.in_process.push_back(calculator);
  options.tools.allowed = {calculator.full_name("add")};
  parley::Session session(options);
  session.connect().value();
  std::cout << session.ask("What is 2 + 3?").answer().value() << "\n";
} catch (const parley::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
