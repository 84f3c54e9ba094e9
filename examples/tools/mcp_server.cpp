// A program that is an MCP server: any client may start it and call its tool over stdin and stdout.
// The same server, put into ToolOptions::in_process, serves an agent without a process (tools.cpp).
//
//   claude mcp add calc ./mcp_server
#include <iostream>
#include <parley/client/handlers/tools.hpp>
#include <parley/client/mcp/resources.hpp>
#include <parley/client/mcp/serve_stdio.hpp>

struct DivideArgs {
  double dividend = 0;
  double divisor = 0;
};
PARLEY_FIELDS(DivideArgs, dividend, divisor)

int main() {
  parley::McpServer calculator("calc");
  calculator.add(parley::tool("divide", "Divides two numbers",
                              [](DivideArgs x, parley::ToolContext& context) -> parley::ToolOutput {
                                if (x.divisor == 0) {
                                  context.log(parley::mcp::LoggingLevel::warning,
                                              "nothing divides");
                                  return parley::ToolOutput::error("The divisor must not be 0.");
                                }
                                return x.dividend / x.divisor;
                              }));
  calculator.add(parley::resource("calc:///pi", "pi", "The number pi", [] {
                   return "3.14159";
                 }).typed("text/plain"));

  const auto served = parley::serve_stdio(calculator);
  if (served) return 0;
  std::cerr << served.error().what() << "\n";
  return 1;
}
