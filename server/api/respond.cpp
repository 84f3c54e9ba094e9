#include "server/api/respond.hpp"

#include "server/api/assets.hpp"
#include "support/text/text.hpp"

namespace parley::server {
namespace {

int status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::malformed:
    case ErrorCode::unexpected:
    case ErrorCode::invalid: return 400;
    case ErrorCode::permission: return 403;
    case ErrorCode::not_found: return 404;
    case ErrorCode::end:
    case ErrorCode::closed:
    case ErrorCode::cancelled: return 409;
    case ErrorCode::too_large: return 429;
    case ErrorCode::remote:
    case ErrorCode::process: return 502;
    case ErrorCode::timeout: return 504;
    case ErrorCode::io: return 500;
  }
  return 500;
}

}  // namespace

http::Response json_response(int status, const Json& value) {
  http::Response response = http::Response::json(status, value);
  response.headers.set("Cache-Control", "no-store");
  add_safety_headers(response);
  return response;
}

http::Response error_response(int status, std::string_view code, std::string_view message) {
  return json_response(
      status, Json::object({{"error", Json::object({{"code", code}, {"message", message}})}}));
}

http::Response refusal_response(int status) {
  switch (status) {
    case 408: return error_response(status, "timeout", "the request took too long to arrive");
    case 413: return error_response(status, "too_large", "the body is too large");
    case 431: return error_response(status, "too_large", "the header is too large");
    case 500: return error_response(status, "io", "the server has no answer");
    case 503: return error_response(status, "too_large", "the server has too much to do");
    default: return error_response(status, "invalid", http::reason_phrase(status));
  }
}

void respond_json(http::Exchange& exchange, const Json& value, int status) {
  exchange.respond(json_response(status, value));
}

void respond_error(http::Exchange& exchange, int status, std::string_view code,
                   std::string_view message) {
  exchange.respond(error_response(status, code, message));
}

void respond_error(http::Exchange& exchange, const Error& error) {
  respond_error(exchange, status_of(error.code()), to_string(error.code()), error.what());
}

void respond_done(http::Exchange& exchange, const Result<void>& done) {
  if (!done) return respond_error(exchange, done.error());
  respond_json(exchange, Json::object());
}

void not_found(http::Exchange& exchange) {
  respond_error(exchange, 404, "not_found", "there is nothing here");
}

void wrong_method(http::Exchange& exchange) {
  respond_error(exchange, 405, "invalid", "not with this method");
}

std::optional<Json> read_body(http::Exchange& exchange) {
  const http::Request& request = exchange.request();
  std::string_view type = request.headers.get("Content-Type");
  type = type.substr(0, type.find(';'));
  while (type.ends_with(' ')) type.remove_suffix(1);
  // A form of another site can send anything but this type without asking first.
  if (!same_ignoring_case(type, "application/json")) {
    respond_error(exchange, 415, "invalid", "the content type must be application/json");
    return std::nullopt;
  }
  auto json = Json::parse(request.body.empty() ? "{}" : request.body);
  if (!json || !json->is_object()) {
    respond_error(exchange, 400, "malformed", "the body must be a JSON object");
    return std::nullopt;
  }
  return *std::move(json);
}

}  // namespace parley::server
