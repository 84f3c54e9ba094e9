// `parley model`: a Messages API on this machine, played from a script or by the demo.
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cerrno>
#include <iostream>
#include <memory>

#include "apps/parley/commands.hpp"
#include "model/demo/demo.hpp"
#include "model/model_server.hpp"
#include "model/playback.hpp"
#include "support/files/unique_fd.hpp"

namespace parley::app {
namespace {

constexpr std::chrono::milliseconds kGrace{500};

struct ModelOptions {
  std::string script;
  std::size_t run = 0;
  bool demo = false;
  bool json = false;
  bool until_eof = false;
  model::ModelServerOptions server;
};

Result<std::shared_ptr<model::TurnSource>> make_source(const ModelOptions& options) {
  if (options.demo) return std::shared_ptr<model::TurnSource>(std::make_shared<model::Demo>());
  auto script = model::Script::load(options.script, options.run);
  if (!script) return script.error();
  return std::shared_ptr<model::TurnSource>(std::make_shared<model::Playback>(*std::move(script)));
}

/// Waits for SIGINT, SIGTERM or SIGHUP, which must be blocked, or with `until_eof` for the end of
/// standard input.
void wait_for_the_end(const sigset_t& signals, bool until_eof) {
  const UniqueFd arrived(::signalfd(-1, &signals, SFD_CLOEXEC));
  std::array<pollfd, 2> ready{
      {{arrived.get(), POLLIN, 0}, {until_eof ? STDIN_FILENO : -1, POLLIN, 0}}};
  std::array<char, 4096> ignored{};
  for (;;) {
    if (::poll(ready.data(), ready.size(), -1) < 0) {
      if (errno == EINTR) continue;
      return;
    }
    if (ready[0].revents != 0) return;
    if (ready[1].revents != 0 && ::read(STDIN_FILENO, ignored.data(), ignored.size()) <= 0) return;
  }
}

int serve_model(const ModelOptions& options) {
  const auto source = make_source(options);
  if (!source) {
    std::cerr << "parley model: " << source.error().what() << '\n';
    return kFailure;
  }
  // Before the server starts its thread, so that signals come here and nowhere else.
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&signals, number);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  const auto server = model::ModelServer::start(*source, options.server);
  if (!server) {
    std::cerr << "parley model: " << server.error().what() << '\n';
    return kFailure;
  }
  if (options.json) {
    const Json line = Json::object({{"url", (*server)->url()}, {"port", int{(*server)->port()}}});
    std::cout << line.dump() << std::endl;
  } else {
    std::cout << (*server)->url() << std::endl;
  }
  wait_for_the_end(signals, options.until_eof);
  (*server)->stop(kGrace);
  return kSuccess;
}

}  // namespace

void add_model(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ModelOptions>();
  CLI::App* command =
      app.add_subcommand("model", "Serve a scripted Messages API, for tests and demos");
  auto* script = command->add_option("script", options->script,
                                     "A list of turns, or a scenario file with an `api` part");
  auto* demo = command->add_flag("--demo", options->demo,
                                 "A small rule-based model instead of a script; say help to it");
  script->excludes(demo);
  command->add_option("--run", options->run, "Which run of a scenario with several, from 0")
      ->needs(script);
  command->add_option("--port", options->server.port, "0, the default, is any free one");
  command->add_option("--host", options->server.host, "The address to listen on")
      ->capture_default_str();
  command->add_option("--record", options->server.record,
                      "Write each request as a line of JSON to this file");
  command->add_flag("--json", options->json, "Print where it listens as JSON");
  command->add_flag("--until-eof", options->until_eof, "End when standard input ends");
  command->footer(
      "Prints its URL once it listens, for ANTHROPIC_BASE_URL. GET /_parley/requests lists what it "
      "was asked.");
  command->callback([options, script, demo, &exit_code] {
    if (script->count() + demo->count() == 0) {
      throw CLI::RequiredError("a script or --demo");
    }
    exit_code = serve_model(*options);
  });
}

}  // namespace parley::app
