// A running parley serve: hub, API and HTTP server, put together.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "client/options.hpp"
#include "http/server.hpp"
#include "server/api/api.hpp"

namespace parley::server {

struct ServiceOptions {
  http::ServerOptions http;
  std::filesystem::path data;                ///< Logs and credentials.
  std::vector<std::filesystem::path> roots;  ///< Where sessions may run; at least one.
  std::string token;                         ///< The bearer token; empty: one is made up and kept.
  std::vector<std::string> allowed_hosts;    ///< Names of this server beyond loopback ones.
  /// "https://example.org/parley/": where browsers find the page, if a proxy stands before it. Its
  /// host is one of ours, too. Empty: where the server listens.
  std::string public_url;
  HubOptions hub;
  ServerInfo info;
};

/// A resource: serves from start() to the end of its life.
class Service {
 public:
  /// `permission` if it would listen beyond loopback without a token of the user's choice.
  static Result<std::unique_ptr<Service>> start(ServiceOptions options);
  /// Ends all agents; sessions can be resumed later. Takes as long as they take.
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  [[nodiscard]] std::uint16_t port() const;
  /// A link that signs one browser in, once.
  [[nodiscard]] std::string make_link();

 private:
  struct Impl;
  explicit Service(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace parley::server
