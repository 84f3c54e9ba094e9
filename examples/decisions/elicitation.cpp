// An MCP server asks the user for something, through the agent: a form with a JSON schema.
#include <iostream>
#include <parley/client/handlers/questions.hpp>
#include <parley/client/session.hpp>

int main() try {
  parley::Options options;
  options.on_elicitation = [](const parley::ElicitationAsk& ask) {
    std::cout << ask.mcp_server_name << " asks: " << ask.message << "\n";
    if (!ask.requested_schema) return parley::decline_form();
    return parley::accept_form(parley::RawJson(R"({"city":"Oslo"})"));
  };
  parley::Session session(options);
  session.connect().value();
  std::cout << session.ask("What is the weather?").answer().value() << "\n";
} catch (const parley::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
