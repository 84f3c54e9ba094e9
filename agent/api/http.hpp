// One HTTP request at a time over libcurl, of which nobody else needs to know.
#pragma once

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "api_access.hpp"

namespace parley::agent {

/// Takes an answer as it comes, on the thread that runs the request. What it throws ends the
/// request and reaches the caller.
class HttpSink {
 public:
  virtual ~HttpSink() = default;
  /// A line of the head without its end: first the status line, in the end an empty one. Another
  /// status line begins another head.
  virtual void on_head(std::string_view line) = 0;
  /// False: the rest is not wanted, and the connection is given up.
  virtual bool on_body(std::string_view bytes) = 0;
  /// All that is wanted has come. The end of the answer is waited for only for a moment, so that
  /// the connection can be used again.
  [[nodiscard]] virtual bool satisfied() const = 0;
};

struct HttpRequest {
  std::string url;
  std::vector<std::string> headers;  ///< "Name: value".
  std::string_view body;             ///< Of a POST.
  std::string method = "POST";
};

/// How the transfer itself ended.
struct HttpEnd {
  enum class Kind {
    complete,  ///< The answer came to its end, or the sink was satisfied or wanted no more.
    broken,    ///< No connection, or it broke, or a limit of time was reached.
    cancelled,
  };
  Kind kind = Kind::complete;
  std::string why;  ///< Of `broken`, for people.
};

/// A resource: one request at a time, on any thread. It keeps its connection for the next one.
class HttpConnection {
 public:
  HttpConnection();
  ~HttpConnection();
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  HttpEnd send(const HttpRequest& request, const ApiAccess& access, std::stop_token stop,
               HttpSink& sink);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace parley::agent
