// Answers of the API in their one shape: JSON, never cached, errors as {"error":{code,message}}.
#pragma once

#include "http/exchange.hpp"
#include "wire/error.hpp"
#include "wire/json/json.hpp"

namespace parley::server {

[[nodiscard]] http::Response json_response(int status, const Json& value);
[[nodiscard]] http::Response error_response(int status, std::string_view code,
                                            std::string_view message);
/// For requests that the HTTP server itself refuses.
[[nodiscard]] http::Response refusal_response(int status);

void respond_json(http::Exchange& exchange, const Json& value, int status = 200);
void respond_error(http::Exchange& exchange, int status, std::string_view code,
                   std::string_view message);
/// With the status that fits the code.
void respond_error(http::Exchange& exchange, const Error& error);
/// {} or the error.
void respond_done(http::Exchange& exchange, const Result<void>& done);

void not_found(http::Exchange& exchange);
void wrong_method(http::Exchange& exchange);

/// The body as a JSON object; without one, after answering with an error, nothing.
[[nodiscard]] std::optional<Json> read_body(http::Exchange& exchange);

}  // namespace parley::server
