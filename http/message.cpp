#include "http/message.hpp"

#include <algorithm>

#include "support/text/text.hpp"

namespace parley::http {
namespace {

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char l = lower(c);
  return l >= 'a' && l <= 'f' ? l - 'a' + 10 : -1;
}

bool is_token_character(char c) {
  constexpr std::string_view kSymbols = "!#$%&'*+-.^_`|~";
  return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') ||
         kSymbols.find(c) != std::string_view::npos;
}

}  // namespace

bool is_valid_field(std::string_view name, std::string_view value) {
  return !name.empty() && std::all_of(name.begin(), name.end(), is_token_character) &&
         std::none_of(value.begin(), value.end(), [](char c) {
           return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == '\x7f';
         });
}

const std::string* Headers::find(std::string_view name) const {
  for (const Field& field : fields_) {
    if (same_ignoring_case(field.first, name)) return &field.second;
  }
  return nullptr;
}

std::string_view Headers::get(std::string_view name) const {
  const std::string* value = find(name);
  return value == nullptr ? std::string_view() : std::string_view(*value);
}

std::size_t Headers::count(std::string_view name) const {
  return static_cast<std::size_t>(
      std::count_if(fields_.begin(), fields_.end(),
                    [&](const Field& field) { return same_ignoring_case(field.first, name); }));
}

bool Headers::lists(std::string_view name, std::string_view word) const {
  for (const Field& field : fields_) {
    if (!same_ignoring_case(field.first, name)) continue;
    std::string_view rest = field.second;
    while (!rest.empty()) {
      const auto comma = std::min(rest.find(','), rest.size());
      if (same_ignoring_case(trimmed(rest.substr(0, comma), " \t"), word)) return true;
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  return false;
}

void Headers::add(std::string_view name, std::string_view value) {
  fields_.emplace_back(name, value);
}

void Headers::set(std::string_view name, std::string_view value) {
  erase(name);
  add(name, value);
}

void Headers::erase(std::string_view name) {
  std::erase_if(fields_, [&](const Field& field) { return same_ignoring_case(field.first, name); });
}

std::string_view Request::path() const {
  const std::string_view all = target;
  return all.substr(0, all.find('?'));
}

std::optional<std::string> Request::query(std::string_view name) const {
  const auto mark = target.find('?');
  if (mark == std::string::npos) return std::nullopt;
  std::string_view rest = std::string_view(target).substr(mark + 1);
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(pair.size() + 1, rest.size()));
    const auto equals = std::min(pair.find('='), pair.size());
    if (percent_decode(pair.substr(0, equals), true) != name) continue;
    return percent_decode(pair.substr(std::min(equals + 1, pair.size())), true);
  }
  return std::nullopt;
}

bool Request::announces_body() const {
  const std::string_view length = headers.get("Content-Length");
  return headers.find("Transfer-Encoding") != nullptr || (!length.empty() && length != "0");
}

bool Request::wants_websocket() const {
  return method == "GET" && headers.lists("Connection", "upgrade") &&
         headers.lists("Upgrade", "websocket");
}

std::string percent_decode(std::string_view text, bool plus_is_space) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 &&
        hex_value(text[i + 2]) >= 0) {
      out += static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
      i += 2;
    } else {
      out += plus_is_space && text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

Response Response::text(int status, std::string_view text) {
  return {status, {{"Content-Type", "text/plain; charset=utf-8"}}, std::string(text)};
}

Response Response::json(int status, const Json& value) {
  return {status, {{"Content-Type", "application/json"}}, value.dump()};
}

std::string_view reason_phrase(int status) {
  switch (status) {
    case 100: return "Continue";
    case 101: return "Switching Protocols";
    case 200: return "OK";
    case 201: return "Created";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 206: return "Partial Content";
    case 301: return "Moved Permanently";
    case 302: return "Found";
    case 303: return "See Other";
    case 304: return "Not Modified";
    case 307: return "Temporary Redirect";
    case 308: return "Permanent Redirect";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 406: return "Not Acceptable";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 410: return "Gone";
    case 411: return "Length Required";
    case 412: return "Precondition Failed";
    case 413: return "Content Too Large";
    case 415: return "Unsupported Media Type";
    case 416: return "Range Not Satisfiable";
    case 417: return "Expectation Failed";
    case 421: return "Misdirected Request";
    case 422: return "Unprocessable Content";
    case 426: return "Upgrade Required";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 502: return "Bad Gateway";
    case 503: return "Service Unavailable";
    case 504: return "Gateway Timeout";
    case 505: return "HTTP Version Not Supported";
    case 529: return "Overloaded";
    default: return "Status";
  }
}

}  // namespace parley::http
