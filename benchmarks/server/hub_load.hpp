// A parley serve under load: the process, plain HTTP requests, and pages that only read.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace parley::bench {

/// Runs from start to the end of its life, then gets SIGTERM. Throws if it does not start.
class ServeProcess {
 public:
  /// `arguments` follow "serve".
  ServeProcess(const std::string& program, const std::vector<std::string>& arguments);
  ~ServeProcess();
  ServeProcess(const ServeProcess&) = delete;
  ServeProcess& operator=(const ServeProcess&) = delete;

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] std::size_t kilobytes() const;

 private:
  pid_t pid_ = -1;
  std::uint16_t port_ = 0;
};

inline constexpr const char* kToken = "a-token-for-the-benchmark";

/// The body of the answer. Throws if there is none with status 200.
std::string request(std::uint16_t port, const std::string& method, const std::string& path,
                    const std::string& body = "");

/// Pages, each attached to one session, that note how old every piece of an answer is when it
/// arrives.
class Viewers {
 public:
  explicit Viewers(std::uint16_t port) : port_(port) {}
  ~Viewers();
  Viewers(const Viewers&) = delete;
  Viewers& operator=(const Viewers&) = delete;

  void add(const std::string& session);
  /// Sends a prompt to the session of each.
  void prompt_all(const std::string& text);
  /// Reads until every session has ended its turn, or the time is over. Returns the ages in
  /// milliseconds, sorted.
  std::vector<double> read(double seconds);

 private:
  struct Viewer {
    int fd = -1;
    std::string session;
    std::string input;
    bool done = false;
  };
  void take(Viewer& viewer, std::vector<double>& ages);

  std::uint16_t port_;
  std::vector<Viewer> viewers_;
};

}  // namespace parley::bench
