// `parley serve`: the hub and its page.
#include <signal.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>

#include "apps/parley/commands.hpp"
#include "apps/parley/serve/agent.hpp"
#include "apps/parley/serve/limits.hpp"
#include "apps/parley/serve/options.hpp"
#include "server/service.hpp"
#include "transport/process.hpp"

namespace parley::app {
namespace {

namespace fs = std::filesystem;

/// $XDG_STATE_HOME/parley, else ~/.local/state/parley.
std::string default_data() {
  if (const char* state = std::getenv("XDG_STATE_HOME"); state != nullptr && *state == '/') {
    return std::string(state) + "/parley";
  }
  const char* home = std::getenv("HOME");
  return std::string(home == nullptr ? "." : home) + "/.local/state/parley";
}

Result<std::unique_ptr<server::Service>> start_service(const ServeOptions& options,
                                                       ServeAgent& agent) {
  server::ServiceOptions service;
  service.http.host = options.host;
  service.http.port = options.port;
  service.http.certificate_file = options.certificate;
  service.http.key_file = options.key;
  service.http.limits.connections = make_room_for(options.max_agents, !options.certificate.empty());
  service.public_url = options.public_url;
  service.data = options.data;
  service.token = options.token;
  service.allowed_hosts = options.allowed_hosts;
  for (const std::string& root : options.roots) service.roots.emplace_back(root);
  if (agent.model) {
    service.roots = {agent.scratch};
  } else if (service.roots.empty()) {
    service.roots = {fs::current_path()};
  }
  service.hub.agent = std::move(agent.options);
  service.hub.agent.process.client_app = std::string("parley-serve/") + PARLEY_VERSION;
  service.hub.agent.permissions.allow_bypass = options.allow_bypass;
  service.hub.transcript_roots = agent.transcript_roots;
  service.hub.live_sessions = options.max_agents;
  service.hub.on_warning = [](const std::string& text) {
    std::cerr << "parley serve: " << text << std::endl;
  };
  service.info = {PARLEY_VERSION, agent.model != nullptr, agent.command};
  return server::Service::start(std::move(service));
}

/// On a desktop; a failure is nobody's problem, the link is printed.
void open_browser(const std::string& url) {
  const auto is_set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  if (!is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY")) return;
  ProcessSpec spec;
  spec.program = "xdg-open";
  spec.arguments = {url};
  spec.environment = current_environment();
  (void)run_program(std::move(spec), std::chrono::seconds(5));
}

/// The signals that end the server, blocked: sigwait() is to get them, on this thread. Before any
/// other thread starts. Who started us with one of them ignored (nohup, a script in the background)
/// wants it to stay so.
sigset_t block_signals() {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction current {};
    ::sigaction(number, nullptr, &current);
    if (current.sa_handler != SIG_IGN) ::sigaddset(&signals, number);
  }
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

/// Agents may take their time to end. Who asks again does not want to wait for them: the second
/// signal ends this process, and the system ends its children.
void stop_at_once_when_asked_again() {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGINT);
  ::sigaddset(&signals, SIGTERM);
  ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

int serve(const CLI::App& command, ServeOptions options) {
  const auto failed = [](const Error& error) {
    std::cerr << "parley serve: " << error.what() << '\n';
    return kFailure;
  };
  const auto given = [&command](const std::string& name) { return command.count("--" + name) > 0; };
  if (auto read = read_config(options, given); !read) return failed(read.error());
  if (options.certificate.empty() != options.key.empty()) {
    return failed(Error(ErrorCode::invalid, "--tls-cert and --tls-key need each other"));
  }
  if (std::find(options.roots.begin(), options.roots.end(), "") != options.roots.end()) {
    return failed(Error(ErrorCode::invalid, "must not be empty", "--root"));
  }
  if (options.data.empty()) options.data = default_data();
  if (options.host == "localhost") options.host = "127.0.0.1";
  if (options.token.empty()) {
    // Where other users of the machine could see a command line.
    if (const char* token = std::getenv("PARLEY_TOKEN")) options.token = token;
  }
  ::unsetenv("PARLEY_TOKEN");  // it is not for agents
  const sigset_t signals = block_signals();

  auto agent = choose_agent({options.agent, options.demo, options.data});
  if (!agent) return failed(agent.error());
  auto service = start_service(options, *agent);
  if (!service) return failed(service.error());
  const std::string link = (*service)->make_link();
  if (agent->model) {
    std::cerr << "This is a demo: a scripted model answers. Set ANTHROPIC_API_KEY, or install "
                 "`claude`, for a real one.\n";
  }
  if (options.certificate.empty() && !options.token.empty() && options.host != "127.0.0.1" &&
      options.host != "::1") {
    std::cerr
        << "Listening beyond this machine, without TLS: give it --tls-cert and --tls-key, or put "
           "a proxy in front of it (docs/deploy.md).\n";
  }
  std::cout << link << std::endl;
  if (!options.no_open) open_browser(link);
  int number = 0;
  while (::sigwait(&signals, &number) != 0) {
  }
  stop_at_once_when_asked_again();
  return kSuccess;
}

}  // namespace

void add_serve(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ServeOptions>();
  CLI::App* command = app.add_subcommand("serve", "Serve a page for running agent sessions");
  command->add_option("--config", options->config, "A JSON file with the options below");
  command->add_option("--port", options->port, "0 is any free one")
      ->check(CLI::Range(0, 65'535))
      ->capture_default_str();
  command->add_option("--host", options->host, "The address; others than loopback need --token")
      ->capture_default_str();
  command->add_option("--public-url", options->public_url,
                      "Where browsers find the page behind a proxy; the link leads there");
  command->add_option("--token", options->token,
                      "The bearer token for API clients (also PARLEY_TOKEN); made up if missing");
  command->add_option("--agent", options->agent,
                      "The agent and its arguments; default: claude, else parley-agent");
  command->add_option("--root", options->roots,
                      "A folder sessions may run in, repeatable; default: the current one");
  command->add_option("--allow-host", options->allowed_hosts,
                      "A name that a proxy calls this server by, repeatable");
  command->add_option("--tls-cert", options->certificate,
                      "A PEM file with the certificate and its chain: serve HTTPS");
  command->add_option("--tls-key", options->key, "A PEM file with the key of the certificate");
  command->add_option("--data", options->data,
                      "Where logs are kept; default: ~/.local/state/parley");
  command->add_option("--max-agents", options->max_agents, "Agents at a time")
      ->check(CLI::Range(std::int64_t{1}, kMostAgents))
      ->capture_default_str();
  command->add_flag("--demo", options->demo, "Use the scripted demo model");
  command->add_flag("--allow-bypass", options->allow_bypass,
                    "Offer the mode in which agents ask for nothing");
  command->add_flag("--no-open", options->no_open, "Do not open a browser");
  command->footer("Prints one link, which signs one browser in, and runs until SIGTERM or Ctrl+C.");
  command->callback([options, command, &exit_code] { exit_code = serve(*command, *options); });
}

}  // namespace parley::app
