#include "server/api/assets.hpp"

#include <algorithm>

namespace parley::server {

std::optional<http::Response> serve_asset(const http::Request& request, std::string_view path) {
  const auto all = assets();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Asset& asset) { return asset.path == path; });
  if (found == all.end()) return std::nullopt;
  http::Response response;
  response.headers.set("Content-Type", found->type);
  response.headers.set("ETag", found->etag);
  response.headers.set("Vary", "Accept-Encoding");
  response.headers.set("Cache-Control",
                       found->immutable ? "public, max-age=31536000, immutable" : "no-cache");
  if (request.headers.lists("If-None-Match", found->etag)) {
    response.status = 304;
    return response;
  }
  if (request.headers.get("Accept-Encoding").find("gzip") != std::string_view::npos) {
    response.headers.set("Content-Encoding", "gzip");
    response.body = found->gzip;
  } else {
    response.body = found->plain;
  }
  return response;
}

void add_safety_headers(http::Response& response) {
  response.headers.set("Content-Security-Policy",
                       "default-src 'none'; script-src 'self'; style-src 'self'; "
                       "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; "
                       "manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
                       "form-action 'none'; frame-ancestors 'none'");
  response.headers.set("X-Content-Type-Options", "nosniff");
  response.headers.set("X-Frame-Options", "DENY");
  response.headers.set("Referrer-Policy", "no-referrer");
  response.headers.set("Cross-Origin-Opener-Policy", "same-origin");
  response.headers.set("Cross-Origin-Resource-Policy", "same-origin");
}

}  // namespace parley::server
