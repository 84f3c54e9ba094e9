// Dialogs that the agent asks the program to show. It is asked only for the kinds it names; others
// are cancelled for it.
#include <iostream>
#include <parley/client/handlers/questions.hpp>
#include <parley/client/session.hpp>

int main() try {
  parley::Options options;
  options.dialog_kinds = {"confirm"};
  options.on_dialog = [](const parley::DialogAsk& ask) {
    std::cout << "dialog: " << ask.dialog_kind << " " << ask.payload.text << "\n";
    return parley::complete_dialog(parley::RawJson(R"({"confirmed":true})"));
  };
  parley::Session session(options);
  session.connect().value();
  std::cout << session.ask("Tidy up.").answer().value() << "\n";
} catch (const parley::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
