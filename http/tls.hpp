// TLS in front of the server's connections. Internal to http/.
//
// A relay ends the encryption and passes the bytes to an ordinary connection through a pair of
// local sockets. So HTTP and WebSocket know nothing of TLS, and this file knows nothing of them;
// the price is one more copy of each byte.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "../wire/error.hpp"
#include "server_context.hpp"

namespace boost::asio::ssl {
class context;
}

namespace parley::http {

/// A certificate and its key, from PEM files. Thread-safe.
class Certificate {
 public:
  /// `invalid`, with the reason, if the files cannot be used.
  static Result<std::shared_ptr<Certificate>> load(std::string chain_file, std::string key_file);
  ~Certificate();
  Certificate(const Certificate&) = delete;
  Certificate& operator=(const Certificate&) = delete;

  /// What a new connection is to use. Files that were renewed are read again; if that fails, what
  /// was good before stays in use.
  [[nodiscard]] std::shared_ptr<boost::asio::ssl::context> current();

 private:
  Certificate(std::string chain_file, std::string key_file);
  Result<std::shared_ptr<boost::asio::ssl::context>> read() const;

  const std::string chain_file_, key_file_;
  std::mutex mutex_;
  std::shared_ptr<boost::asio::ssl::context> context_;
  std::string version_;  ///< Tells whether the files are still those that were read.
};

/// As start_connection(), for a client that has to speak TLS.
void start_tls_connection(const std::shared_ptr<ServerContext>& server, Certificate& certificate,
                          Arrival arrival);

}  // namespace parley::http
