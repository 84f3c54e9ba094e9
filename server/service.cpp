#include "server/service.hpp"

#include <arpa/inet.h>
#include <fcntl.h>

#include <cstring>
#include <future>

#include "server/api/respond.hpp"
#include "server/events/events.hpp"
#include "server/log/file_log.hpp"
#include "support/files/io.hpp"
#include "support/files/replace_file.hpp"
#include "support/time.hpp"

namespace parley::server {
namespace {

namespace fs = std::filesystem;

/// Whoever guesses it can run commands: on loopback, too, where other users of the machine are.
constexpr std::size_t kShortestToken = 16;

bool is_loopback(const std::string& host) { return host.starts_with("127.") || host == "::1"; }

bool is_address(const std::string& host) {
  in6_addr parsed{};
  const std::string address = host.substr(0, host.find('%'));
  return ::inet_pton(AF_INET, address.c_str(), &parsed) == 1 ||
         ::inet_pton(AF_INET6, address.c_str(), &parsed) == 1;
}

/// What is wrong with the addresses and names, before anything is done.
Result<void> check_names(const ServiceOptions& options) {
  if (!is_address(options.http.host)) {
    return Error(ErrorCode::invalid, "must be an IP address of this machine", "--host");
  }
  if (!is_loopback(options.http.host) && options.token.size() < kShortestToken) {
    return Error(ErrorCode::permission,
                 "an address beyond loopback needs --token with at least 16 characters",
                 options.http.host);
  }
  if (!options.token.empty() && options.token.size() < kShortestToken) {
    return Error(ErrorCode::invalid,
                 "must have at least 16 characters; without it, one is made up and kept in "
                 "credentials.json of the data folder",
                 "--token");
  }
  for (const std::string& name : options.allowed_hosts) {
    if (!is_address(name) && host_name(name) != name) {
      return Error(ErrorCode::invalid,
                   "\"" + name + "\" is no name or address (without scheme and port)",
                   "--allow-host");
    }
  }
  return {};
}

/// The host of a URL that a path can be added to; nothing if it is none.
std::optional<std::string> host_of(std::string_view url) {
  const std::size_t scheme = url.starts_with("https://") ? 8 : url.starts_with("http://") ? 7 : 0;
  if (scheme == 0 || url.find_first_of("?# \"<>\\") != std::string_view::npos) return std::nullopt;
  url.remove_prefix(scheme);
  return host_name(url.substr(0, url.find('/')));
}

/// Puts it where only this user can read it, in the place of what was there.
Result<void> write_secret(const fs::path& path, const std::string& text) {
  const Replaced done =
      replace_file(path.string(), text, {.draft = path.filename().string() + ".new"});
  if (done) return {};
  return Error(ErrorCode::io, std::string("cannot write: ") + std::strerror(done.error),
               path.string());
}

/// The token for programs: the one that is wanted, or one that is made up and kept.
Result<std::string> load_bearer(const fs::path& folder, const std::string& token) {
  if (!token.empty()) return token;
  const fs::path path = folder / "credentials.json";
  std::string bearer;
  if (const auto json = Json::parse(read_file(path).value_or("")))
    bearer = (*json)["bearer"].as_string();
  if (bearer.size() >= 32) return bearer;
  bearer = random_secret();
  const std::string text = Json::object({{"bearer", bearer}}).dump(2) + "\n";
  if (auto written = write_secret(path, text); !written) return written.error();
  return bearer;
}

}  // namespace

struct Service::Impl {
  // Each is used by those below it, also by what they have left on the loop.
  std::shared_ptr<Loop> loop;
  std::unique_ptr<SignIns> sign_ins;
  std::unique_ptr<Access> access;
  std::unique_ptr<Api> api;
  std::unique_ptr<Hub> hub;
  std::unique_ptr<http::Server> http;
  std::string url;  ///< Of the page, with a slash at its end.
};

Service::Service(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Result<std::unique_ptr<Service>> Service::start(ServiceOptions options) {
  if (auto checked = check_names(options); !checked) return checked.error();
  if (!options.public_url.empty()) {
    const auto host = host_of(options.public_url);
    if (!host) {
      return Error(ErrorCode::invalid, "must be like https://example.org/path/", "--public-url");
    }
    options.allowed_hosts.push_back(*host);
  }
  auto folders = Folders::make(options.roots);
  if (!folders) return folders.error();
  if (folders->roots().empty()) return Error(ErrorCode::invalid, "at least one is needed", "roots");
  FileLogOptions log;
  const auto warn = options.hub.on_warning;
  log.on_damage = [warn](const Damage& damage) {
    if (damage.missing > 0) {
      const std::string events = std::to_string(damage.missing) + " events or more ";
      warn("a log is damaged: " + events + "are missing at its end (" + damage.where + ")");
      return events::left_out("damaged", events + "are missing here", {});
    }
    const std::string bytes = std::to_string(damage.bytes) + " bytes ";
    warn("a log is damaged: " + bytes + "cannot be read (" + damage.where + ")");
    return events::left_out("damaged", bytes + "of the log", {});
  };
  auto store = open_file_store(options.data, std::move(log));
  if (!store) return store.error();
  auto bearer = load_bearer(options.data, options.token);
  if (!bearer) return bearer.error();
  auto loop = Loop::create();
  if (!loop) return loop.error();

  auto impl = std::make_unique<Impl>();
  impl->loop = *std::move(loop);
  impl->hub = std::make_unique<Hub>(impl->loop, *std::move(store), *std::move(folders),
                                    std::move(options.hub));
  // The port is known only when the server listens, and the server needs a handler before that.
  auto ready = std::make_shared<std::promise<Api*>>();
  const std::shared_future<Api*> api = ready->get_future().share();
  options.http.gate = [api](const http::Request& request) { return api.get()->refuse(request); };
  options.http.refusal = refusal_response;
  auto http = http::Server::start(options.http, [api](std::shared_ptr<http::Exchange> exchange) {
    api.get()->handle(exchange);
  });
  if (!http) return http.error();
  impl->http = *std::move(http);
  impl->url = options.public_url.empty() ? impl->http->url() : options.public_url;
  if (!impl->url.ends_with('/')) impl->url += '/';
  if (!is_loopback(options.http.host)) options.allowed_hosts.push_back(options.http.host);
  const fs::path kept = options.data / "sign_ins.json";
  impl->sign_ins = std::make_unique<SignIns>(
      read_file(kept).value_or(""),
      [kept, warn](const std::string& text) {
        // Browsers stay signed in until the server ends.
        if (auto written = write_secret(kept, text); !written) warn(written.error().what());
      },
      now_ms);
  impl->access =
      std::make_unique<Access>(*bearer, options.allowed_hosts, impl->http->port(), *impl->sign_ins);
  impl->api = std::make_unique<Api>(*impl->hub, *impl->access, std::move(options.info));
  impl->api->set_connections([server = impl->http.get()] { return server->connections(); });
  // Requests that come in the meantime wait behind it on the loop.
  impl->loop->post([hub = impl->hub.get()] { hub->load(); });
  ready->set_value(impl->api.get());
  return std::unique_ptr<Service>(new Service(std::move(impl)));
}

Service::~Service() {
  impl_->http->stop();
  std::promise<void> closed;
  impl_->hub->post([&] { impl_->hub->close([&closed] { closed.set_value(); }); });
  closed.get_future().wait();
}

std::uint16_t Service::port() const { return impl_->http->port(); }

std::string Service::make_link() {
  return impl_->url + "?token=" + impl_->access->make_link_token();
}

}  // namespace parley::server
