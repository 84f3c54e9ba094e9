#include "http/request_parser.hpp"

#include <gtest/gtest.h>

namespace parley::http {
namespace {

using State = RequestParser::State;

constexpr std::size_t kHeader = 1024;
constexpr std::size_t kBody = 4096;

/// What becomes of the bytes in portions of that size: the requests, and the refusal if any.
std::string outcome(std::string_view bytes, std::size_t portion) {
  RequestParser parser(kHeader, kBody);
  std::string text;
  while (!bytes.empty() && parser.state() != State::refused) {
    parser.push(bytes.substr(0, portion));
    bytes.remove_prefix(std::min(portion, bytes.size()));
    while (parser.state() == State::head || parser.state() == State::done) {
      if (parser.state() == State::head) {
        parser.proceed();
        continue;
      }
      const Request request = parser.take();
      text += request.method + " " + request.target + " [" + request.body + "]\n";
    }
  }
  if (parser.state() == State::refused) text += std::to_string(parser.refusal());
  if (parser.state() == State::header) text += "(header)";
  if (parser.state() == State::body) text += "(body)";
  return text;
}

/// The same, and it must not depend on how the bytes are split.
std::string outcome(std::string_view bytes) {
  const std::string whole = outcome(bytes, bytes.size());
  for (const std::size_t portion : {1U, 2U, 3U, 7U, 64U}) EXPECT_EQ(outcome(bytes, portion), whole);
  return whole;
}

TEST(RequestParser, Requests) {
  EXPECT_EQ(outcome("GET / HTTP/1.1\r\nHost: a\r\n\r\n"), "GET / []\n");
  EXPECT_EQ(outcome("POST /x?y HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"),
            "POST /x?y [abc]\n");
  EXPECT_EQ(outcome("POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n"
                    "3;ext=1\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"),
            "POST /x [abcde]\n");
  EXPECT_EQ(outcome("GET /old HTTP/1.0\r\n\r\n"), "GET /old []\n");
  EXPECT_EQ(outcome("BREW /pot HTTP/1.1\r\nHost: a\r\n\r\n"), "BREW /pot []\n");
}

TEST(RequestParser, SeveralAtOnce) {
  EXPECT_EQ(outcome("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n"
                    "POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx"
                    "GET /3 HTTP/1.1\r\nHost: a\r\n\r\nGET /4"),
            "GET /1 []\nPOST /2 [x]\nGET /3 []\n(header)");
}

TEST(RequestParser, Unfinished) {
  EXPECT_EQ(outcome("GET / HT"), "(header)");
  EXPECT_EQ(outcome("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc"), "(body)");
}

TEST(RequestParser, Refused) {
  const struct {
    std::string_view bytes;
    std::string_view status;
  } cases[] = {
      {"hello\r\n\r\n", "400"},
      {"GET  / HTTP/1.1\r\nHost: a\r\n\r\n", "400"},
      {"GET / HTTP/9.9\r\nHost: a\r\n\r\n", "505"},
      {"GET / HTTP/1.1\r\n\r\n", "400"},                                      // no Host
      {"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "400"},                // two
      {"GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n", "400"},                   // we are no proxy
      {"GET / HTTP/1.1\r\nHost: a\r\nBad Name: x\r\n\r\n", "400"},            //
      {"GET / HTTP/1.1\r\nHost : a\r\n\r\n", "400"},                          // blank before colon
      {"GET / HTTP/1.1\r\nHost: a\r\nX: \x01\r\n\r\n", "400"},                //
      {"GET / HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\n\r\n", "417"},       //
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n", "413"},  //
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", "400"},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", "400"},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "400"},
      // Where the request ends must never be a matter of opinion.
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
       "400"},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", "501"},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n", "501"},
      {"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", "400"},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "400"},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n", "400"},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\n",
       "400"},
  };
  for (const auto& [bytes, status] : cases) EXPECT_EQ(outcome(bytes), status) << bytes;
}

TEST(RequestParser, Limits) {
  const std::string long_header =
      "GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(kHeader, 'x') + "\r\n\r\n";
  EXPECT_EQ(outcome(long_header), "431");
  EXPECT_EQ(outcome("GET /" + std::string(100'000, 'a')), "431");
  std::string chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(outcome(chunked + "1001\r\n" + std::string(0x1001, 'x') + "\r\n0\r\n\r\n"), "413");
  // What belongs to no body and no header is bounded as well.
  EXPECT_EQ(outcome(chunked + "1;" + std::string(200'000, 'e')), "400");
  EXPECT_EQ(outcome(chunked + "0\r\nX: " + std::string(200'000, 'e')), "400");
}

TEST(RequestParser, TrailersAreNoHeaders) {
  RequestParser parser(kHeader, kBody);
  parser.push(
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
      "1\r\nx\r\n0\r\nAuthorization: Bearer stolen\r\n\r\n");
  ASSERT_EQ(parser.proceed(), State::done);
  const Request request = parser.take();
  EXPECT_EQ(request.body, "x");
  EXPECT_EQ(request.headers.find("Authorization"), nullptr);
}

TEST(RequestParser, KeepAlive) {
  const auto keeps = [](std::string_view bytes) {
    RequestParser parser(kHeader, kBody);
    EXPECT_EQ(parser.push(bytes), State::head);
    EXPECT_EQ(parser.proceed(), State::done);
    return parser.take().keep_alive;
  };
  EXPECT_TRUE(keeps("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
  EXPECT_FALSE(keeps("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"));
  EXPECT_FALSE(keeps("GET / HTTP/1.0\r\n\r\n"));
  EXPECT_TRUE(keeps("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"));
  // Of two requests each has its own wish.
  EXPECT_TRUE(keeps(
      "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"));
}

TEST(RequestParser, ShowsTheHeaderFirst) {
  RequestParser parser(kHeader, kBody);
  parser.push("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab");
  ASSERT_EQ(parser.state(), State::head);
  EXPECT_EQ(parser.head().target, "/x");
  EXPECT_EQ(parser.announced(), 4U);
  EXPECT_EQ(parser.push("c"), State::head) << "the body waits for proceed()";
  EXPECT_EQ(parser.body_size(), 0U);
  EXPECT_EQ(parser.proceed(), State::body);
  EXPECT_EQ(parser.body_size(), 3U);
  EXPECT_EQ(parser.push("d"), State::done);
  EXPECT_EQ(parser.take().body, "abcd");
}

TEST(RequestParser, LetsGoOfWhatIsRefused) {
  RequestParser parser(kHeader, kBody);
  parser.push("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab");
  parser.proceed();
  parser.refuse(408);
  EXPECT_EQ(parser.state(), State::refused);
  EXPECT_EQ(parser.refusal(), 408);
  EXPECT_EQ(parser.body_size(), 0U);
  EXPECT_EQ(parser.push("cd"), State::refused);
  EXPECT_EQ(parser.buffered(), 0U);
}

TEST(RequestParser, WaitsForContinue) {
  RequestParser parser(kHeader, kBody);
  parser.push("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(parser.state(), State::head);
  EXPECT_FALSE(parser.wants_continue());
  EXPECT_EQ(parser.proceed(), State::body);
  EXPECT_TRUE(parser.wants_continue());
  EXPECT_EQ(parser.push("ab"), State::done);
  EXPECT_FALSE(parser.wants_continue());
}

}  // namespace
}  // namespace parley::http
