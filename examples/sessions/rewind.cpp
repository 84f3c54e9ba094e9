// Undoing what an agent did to files: back to how they were before a prompt.
#include <iostream>
#include <parley/client/session.hpp>
#include <parley/wire/control/control.hpp>

int main() try {
  parley::Options options;
  options.transcript.file_checkpoints = true;
  options.permissions.mode = parley::PermissionMode::acceptEdits;
  parley::Session session(options);
  session.connect().value();
  parley::Turn turn = session.ask("Rewrite main.cpp.");
  turn.result().value();

  const auto look = session.files().rewind(turn.uuid(), /*dry_run=*/true).value();
  for (const std::string& file : look.filesChanged.value_or(std::vector<std::string>{})) {
    std::cout << "would put back: " << file << "\n";
  }
  const auto done = session.files().rewind(turn.uuid()).value();
  std::cout << (done.canRewind ? "undone" : done.error.value_or("not possible")) << "\n";
} catch (const parley::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
