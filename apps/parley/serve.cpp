// `parley serve`: the hub and its page.
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>

#include "apps/parley/commands.hpp"
#include "apps/parley/serve_agent.hpp"
#include "server/service.hpp"
#include "transport/process.hpp"

namespace parley::app {
namespace {

namespace fs = std::filesystem;

constexpr std::uint16_t kDefaultPort = 8737;

struct ServeOptions {
  std::string config;
  std::uint16_t port = kDefaultPort;
  std::string host = "127.0.0.1";
  std::string token;
  std::string agent;
  std::vector<std::string> roots;
  std::vector<std::string> allowed_hosts;
  std::string certificate, key;
  std::string data;
  std::size_t max_agents = 1000;
  bool demo = false;
  bool no_open = false;
};

/// $XDG_STATE_HOME/parley, else ~/.local/state/parley.
std::string default_data() {
  if (const char* state = std::getenv("XDG_STATE_HOME"); state != nullptr && *state == '/') {
    return std::string(state) + "/parley";
  }
  const char* home = std::getenv("HOME");
  return std::string(home == nullptr ? "." : home) + "/.local/state/parley";
}

/// Fills in what the command line left open. The names are those of the options.
Result<void> read_config(const CLI::App& command, ServeOptions& options) {
  if (options.config.empty()) return {};
  std::ifstream file(options.config);
  if (!file) return Error(ErrorCode::kNotFound, "cannot be read", options.config);
  std::stringstream content;
  content << file.rdbuf();
  const auto json = Json::parse(content.str());
  if (!json || !json->is_object()) {
    return Error(ErrorCode::kMalformed, json ? "is no JSON object" : json.error().what(),
                 options.config);
  }
  const std::map<std::string, std::string*, std::less<>> texts = {
      {"host", &options.host}, {"token", &options.token},          {"agent", &options.agent},
      {"data", &options.data}, {"tls-cert", &options.certificate}, {"tls-key", &options.key}};
  const std::map<std::string, std::vector<std::string>*, std::less<>> lists = {
      {"root", &options.roots}, {"allow-host", &options.allowed_hosts}};
  for (const auto& [name, value] : json->members()) {
    const bool given =
        command.get_option_no_throw("--" + name) != nullptr && command.count("--" + name) > 0;
    if (given) continue;
    if (const auto text = texts.find(name); text != texts.end() && value.is_string()) {
      *text->second = value.as_string();
    } else if (const auto list = lists.find(name); list != lists.end()) {
      if (value.is_string()) list->second->emplace_back(value.as_string());
      for (const Json& item : value.items()) list->second->emplace_back(item.as_string());
    } else if (name == "port" && value.as_int(-1) >= 0 && value.as_int() <= 65535) {
      options.port = static_cast<std::uint16_t>(value.as_int());
    } else if (name == "max-agents" && value.as_int(-1) > 0) {
      options.max_agents = static_cast<std::size_t>(value.as_int());
    } else {
      return Error(ErrorCode::kInvalid, "\"" + name + "\" is no setting, or not of this kind",
                   options.config);
    }
  }
  return {};
}

Result<std::unique_ptr<server::Service>> start_service(const ServeOptions& options,
                                                       ServeAgent& agent) {
  server::ServiceOptions service;
  service.http.host = options.host;
  service.http.port = options.port;
  service.http.certificate_file = options.certificate;
  service.http.key_file = options.key;
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
  service.hub.agent.client_app = std::string("parley-serve/") + PARLEY_VERSION;
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

int serve(const CLI::App& command, ServeOptions options) {
  const auto failed = [](const Error& error) {
    std::cerr << "parley serve: " << error.what() << '\n';
    return kFailure;
  };
  if (auto read = read_config(command, options); !read) return failed(read.error());
  if (options.certificate.empty() != options.key.empty()) {
    return failed(Error(ErrorCode::kInvalid, "--tls-cert and --tls-key need each other"));
  }
  if (options.data.empty()) options.data = default_data();
  if (options.token.empty()) {
    // Where other users of the machine could see a command line.
    if (const char* token = std::getenv("PARLEY_TOKEN")) options.token = token;
  }
  // Before any thread starts, so that signals come here and nowhere else.
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&signals, number);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);

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
  return kSuccess;
}

}  // namespace

void add_serve(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ServeOptions>();
  CLI::App* command = app.add_subcommand("serve", "Serve a page for running agent sessions");
  command->add_option("--config", options->config, "A JSON file with the options below");
  command->add_option("--port", options->port, "0 is any free one")->capture_default_str();
  command->add_option("--host", options->host, "The address; others than loopback need --token")
      ->capture_default_str();
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
      ->capture_default_str();
  command->add_flag("--demo", options->demo, "Use the scripted demo model");
  command->add_flag("--no-open", options->no_open, "Do not open a browser");
  command->footer("Prints one link, which signs one browser in, and runs until SIGTERM or Ctrl+C.");
  command->callback([options, command, &exit_code] { exit_code = serve(*command, *options); });
}

}  // namespace parley::app
