#include "http/request_parser.hpp"

#include <algorithm>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <limits>

#include "support/text/text.hpp"

namespace parley::http {
namespace {

namespace beast = boost::beast;

std::string text(beast::string_view view) { return {view.data(), view.size()}; }

/// Chunk headers and trailers wait whole in the buffer; nobody needs more for them.
constexpr std::size_t kMostWithoutProgress = 64 * 1024;

}  // namespace

struct RequestParser::Parser {
  beast::http::request_parser<beast::http::string_body> http;
};

RequestParser::RequestParser(std::size_t header_limit, std::size_t body_limit)
    : header_limit_(header_limit), body_limit_(body_limit) {
  begin();
}

RequestParser::~RequestParser() = default;

void RequestParser::begin() {
  parser_ = std::make_unique<Parser>();
  parser_->http.header_limit(std::numeric_limits<std::uint32_t>::max());  // checked here
  parser_->http.body_limit(body_limit_);
  // The header first and alone, so that trailers of a chunked body cannot pass for header fields.
  parser_->http.eager(false);
  state_ = State::idle;
}

RequestParser::State RequestParser::push(std::string_view bytes) {
  if (state_ == State::refused) return state_;
  input_.append(bytes);
  parse();
  return state_;
}

void RequestParser::parse() {
  if (state_ == State::idle && !input_.empty()) state_ = State::header;
  if (state_ == State::header) parse_header();
  if (state_ == State::body) parse_body();
}

/// The library sees headers only when they are complete: what it makes of the beginning of one
/// depends on where it was cut.
void RequestParser::parse_header() {
  constexpr std::string_view kEnd = "\r\n\r\n";
  const auto end = input_.find(kEnd, searched_);
  const std::size_t size = end == std::string::npos ? input_.size() : end + kEnd.size();
  if (size > header_limit_) return refuse(431);
  if (end == std::string::npos) {
    searched_ = input_.size() - std::min(input_.size(), kEnd.size() - 1);
    return;
  }
  searched_ = 0;
  beast::error_code error;
  parser_->http.put({input_.data(), size}, error);
  if (error == beast::http::error::body_limit) return refuse(413);
  if (error == beast::http::error::bad_version) return refuse(505);
  if (error || !parser_->http.is_header_done()) return refuse(400);
  input_.erase(0, size);
  check_header();
  if (state_ != State::refused) state_ = State::head;
}

RequestParser::State RequestParser::proceed() {
  state_ = parser_->http.is_done() ? State::done : State::body;
  parse();
  return state_;
}

void RequestParser::parse_body() {
  auto& http = parser_->http;
  http.eager(true);
  while (!input_.empty()) {
    beast::error_code error;
    const std::size_t used = http.put({input_.data(), input_.size()}, error);
    input_.erase(0, used);
    if (error == beast::http::error::need_more) {
      if (input_.size() > kMostWithoutProgress) return refuse(400);
      if (used == 0) return;
      error = {};
    }
    if (error == beast::http::error::body_limit) return refuse(413);
    if (error) return refuse(400);
    if (http.is_done()) {
      state_ = State::done;
      return;
    }
  }
}

void RequestParser::check_header() {
  const auto& head = parser_->http.get();
  request_ = Request();
  request_.method = text(head.method_string());
  request_.target = text(head.target());
  request_.http_1_0 = head.version() == 10;
  for (const auto& field : head) {
    request_.headers.add(text(field.name_string()), text(field.value()));
  }
  request_.keep_alive = head.keep_alive();
  // Two servers that disagree on where a request ends can be played against each other: what is
  // not plain "chunked" is refused instead of guessed at.
  if (const std::string* coding = request_.headers.find("Transfer-Encoding")) {
    if (request_.http_1_0 || request_.headers.count("Transfer-Encoding") > 1) return refuse(400);
    if (!same_ignoring_case(*coding, "chunked")) return refuse(501);
  }
  const std::size_t hosts = request_.headers.count("Host");
  if (hosts > 1 || (hosts == 0 && !request_.http_1_0)) return refuse(400);
  if (!request_.target.starts_with('/')) return refuse(400);
  const std::string_view expected = request_.headers.get("Expect");
  if (!expected.empty() && !same_ignoring_case(expected, "100-continue")) return refuse(417);
  const auto length = parser_->http.content_length();
  if (length && *length > body_limit_) return refuse(413);
}

void RequestParser::refuse(int status) {
  state_ = State::refused;
  refusal_ = status;
  input_ = {};
  request_ = {};
  parser_ = std::make_unique<Parser>();  // the other one may hold most of a body
}

std::size_t RequestParser::announced() const {
  const auto length = parser_->http.content_length();
  return length ? static_cast<std::size_t>(*length) : 0;
}

std::size_t RequestParser::body_size() const { return parser_->http.get().body().size(); }

bool RequestParser::wants_continue() const {
  return state_ == State::body && !request_.http_1_0 && request_.headers.find("Expect") != nullptr;
}

Request RequestParser::take() {
  Request request = std::move(request_);
  request.body = std::move(parser_->http.get().body());
  begin();
  parse();
  return request;
}

}  // namespace parley::http
