// Messages go to a function instead of being read, and stderr of the CLI to another.
#include <iostream>
#include <parley/client/session.hpp>

int main() try {
  parley::Options options;
  options.delivery.on_message = [](const parley::Message& message) {
    if (const auto* init = std::get_if<parley::SystemInit>(&message)) {
      std::cout << "model: " << init->model.value_or("?") << std::endl;
    }
  };
  options.delivery.on_stderr = [](std::string_view line) {
    std::cerr << "[cli] " << line << std::endl;
  };
  options.delivery.strip_ansi = true;
  parley::Session session(options);
  session.connect().value();
  std::cout << session.ask("Hello").answer().value() << "\n";
} catch (const parley::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
