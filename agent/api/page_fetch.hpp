// Fetches a web page for WebFetch: one GET, redirects shown and not followed, bounded in size and
// time.
#pragma once

#include <map>
#include <stop_token>
#include <string>

#include "../../wire/error.hpp"

namespace parley::agent {

struct PageAnswer {
  int status = 0;
  std::string status_text;
  std::string content_type;
  std::string body;      ///< The first megabytes of it.
  std::string location;  ///< Of a redirect.
};

/// http and https only. A stop ends it within milliseconds. Proxies as libcurl finds them in the
/// environment of the process.
[[nodiscard]] Result<PageAnswer> fetch_page(const std::string& url, std::stop_token stop);

}  // namespace parley::agent
