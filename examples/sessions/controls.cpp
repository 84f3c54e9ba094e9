// Changes a running session: model, permission mode, and a request that Parley has no method for.
#include <iostream>
#include <parley/client/session.hpp>

int main() try {
  parley::Session session;
  session.connect().value();
  std::cout << "model: " << session.set_model("opus").value().value_or("(not told)") << "\n";
  session.set_permission_mode(parley::PermissionMode::acceptEdits).value();
  const parley::RawJson reply =
      session.request(parley::RawJson(R"({"subtype":"something_newer","depth":3})")).value();
  std::cout << "reply: " << reply.text << "\n";
} catch (const parley::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
