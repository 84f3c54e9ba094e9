// `parley replay`: is the agent CLI that was recorded, for a client that does the same again.
#include "transport/replay.hpp"

#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cerrno>
#include <iostream>
#include <memory>

#include "apps/parley/commands.hpp"
#include "apps/parley/record/stdio.hpp"
#include "support/files/io.hpp"
#include "wire/framing.hpp"

namespace parley::app {
namespace {

/// Hands the replayer what the client says, up to the next time it has something to say itself.
/// False if the input cannot be read.
bool listen(Replayer& replayer, LineFramer& framer) {
  std::array<char, kPipeBytes> buffer{};
  const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
  if (count < 0) return errno == EINTR;
  if (count == 0) framer.finish();
  framer.push({buffer.data(), static_cast<std::size_t>(count)});
  while (const auto frame = framer.next()) replayer.input(frame->text);
  if (count == 0) replayer.input_end();
  return true;
}

int replay(const std::string& file, std::size_t run) {
  auto recording = Recording::load(file, run);
  if (!recording) {
    std::cerr << "parley replay: " << recording.error().what() << '\n';
    return kFailure;
  }
  ::signal(SIGPIPE, SIG_IGN);
  Replayer replayer(*std::move(recording));
  LineFramer framer;
  for (;;) {
    for (const Replayer::Step& step : replayer.advance()) {
      if (step.kind == RecordedEvent::Kind::exit) return end_like(step.status);
      const bool error = step.kind == RecordedEvent::Kind::error_output;
      if (!write_all(error ? STDERR_FILENO : STDOUT_FILENO, step.text) && !error) return kFailure;
    }
    if (replayer.waiting_for().empty()) return kSuccess;  // a recording that was cut off
    if (!listen(replayer, framer)) return kFailure;
  }
}

}  // namespace

void add_replay(CLI::App& app, int& exit_code) {
  struct Options {
    std::string file;
    std::size_t run = 0;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("replay", "Play a recording as if it were the agent CLI");
  command->add_option("file", options->file, "The recording")->required();
  command->add_option("--run", options->run, "Which run of the recording, from 0");
  // Clients add the flags of the CLI; they have no effect here.
  command->prefix_command();
  command->footer(
      "parley replay FILE [--run N] [FLAGS OF THE CLI...]\n"
      "Lines of the client are waited for where the recorded CLI waited for them; ids may differ.");
  command->callback([options, &exit_code] { exit_code = replay(options->file, options->run); });
}

}  // namespace parley::app
