// A program as an MCP server: the same tools that a session offers to its agent, for any client
// that starts the program and speaks with it over stdin and stdout.
//
//   int main() {
//     parley::McpServer server("calc");
//     server.add(parley::tool("add", "Adds two numbers", [](AddArgs x) { return x.a + x.b; }));
//     return parley::serve_stdio(server) ? 0 : 1;
//   }
#pragma once

#include <chrono>
#include <cstddef>
#include <stop_token>

#include "../../wire/error.hpp"
#include "../handlers/declarations.hpp"

namespace parley {

/// How a server is served. A value.
struct StdioOptions {
  /// Descriptors of the conversation. They stay the caller's, and open.
  int input = 0;
  int output = 1;
  /// How many tools, and other functions of the server, run at the same time. Some more wait for
  /// their turn; beyond that, requests are refused.
  std::size_t handlers = 32;
  /// The longest message that is read; what is longer is refused, and the next one read as usual.
  std::size_t line_bytes = std::size_t{64} << 20;
  /// When the input ends, what runs may still take this long to answer. Then it is stopped.
  std::chrono::milliseconds drain{5000};
  /// Ends the service from within the program, without waiting for what runs to answer.
  std::stop_token stop = {};
};

/// Serves one client until the input ends or `stop` is requested; blocks so long. One JSON-RPC
/// message a line. While it runs, nothing else may write to the output: what the program has to say
/// otherwise belongs on stderr.
///
/// `io` if the input cannot be read, `closed` if the client has closed the output. SIGPIPE is not
/// raised. A function of the server's that does not heed its stop token is left behind, on a thread
/// of its own; what it says is dropped.
[[nodiscard]] Result<void> serve_stdio(const McpServer& server, const StdioOptions& options = {});

}  // namespace parley
