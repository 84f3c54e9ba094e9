// Uses an MCP server that is a program of its own, and asks how it is.
#include <iostream>
#include <parley/client/session.hpp>

int main() try {
  parley::McpServerConfig files;
  files.command = "my-mcp-server";
  files.args = {"--root", "/srv/files"};

  parley::Options options;
  options.tools.mcp_servers["files"] = files;
  options.tools.strict_mcp_config = true;  // no server that is configured elsewhere
  parley::Session session(options);
  session.connect().value();
  for (const parley::McpServerStatus& server : session.mcp().status().value()) {
    std::cout << server.name << ": " << server.status.text() << "\n";
  }
} catch (const parley::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
