#include "http/message.hpp"

#include <gtest/gtest.h>

namespace parley::http {
namespace {

TEST(Headers, NamesHaveNoCase) {
  Headers headers = {{"Content-Type", "text/plain"}, {"X-A", "1"}};
  headers.add("x-a", "2");
  EXPECT_EQ(headers.get("CONTENT-TYPE"), "text/plain");
  EXPECT_EQ(headers.count("X-a"), 2U);
  headers.set("x-A", "3");
  EXPECT_EQ(headers.count("X-A"), 1U);
  EXPECT_EQ(headers.get("X-A"), "3");
  headers.erase("x-a");
  EXPECT_EQ(headers.find("X-A"), nullptr);
  EXPECT_EQ(headers.get("X-A"), "");
}

TEST(Headers, Lists) {
  const Headers headers = {{"Connection", "keep-alive , Upgrade"}, {"connection", ",, x"}};
  EXPECT_TRUE(headers.lists("Connection", "upgrade"));
  EXPECT_TRUE(headers.lists("Connection", "X"));
  EXPECT_FALSE(headers.lists("Connection", "keep"));
}

TEST(Headers, FieldsThatCannotBeSent) {
  EXPECT_TRUE(is_valid_field("X-Name", "a\tb \xc3\xa4"));
  EXPECT_FALSE(is_valid_field("X-Name", "a\r\nSet-Cookie: b"));
  EXPECT_FALSE(is_valid_field("X Name", "a"));
  EXPECT_FALSE(is_valid_field("", "a"));
}

TEST(Request, PathAndQuery) {
  Request request;
  request.target = "/a/b?x=1&name=a%20b+c&empty&broken=%zz%4";
  EXPECT_EQ(request.path(), "/a/b");
  EXPECT_EQ(request.query("x"), "1");
  EXPECT_EQ(request.query("name"), "a b c");
  EXPECT_EQ(request.query("empty"), "");
  EXPECT_EQ(request.query("broken"), "%zz%4");
  EXPECT_EQ(request.query("other"), std::nullopt);
  request.target = "/a";
  EXPECT_EQ(request.query("x"), std::nullopt);
}

TEST(Request, AnnouncesABody) {
  const auto announces = [](Headers headers) {
    Request request;
    request.headers = std::move(headers);
    return request.announces_body();
  };
  EXPECT_FALSE(announces({}));
  EXPECT_FALSE(announces({{"Content-Length", "0"}}));
  EXPECT_TRUE(announces({{"Content-Length", "1"}}));
  EXPECT_TRUE(announces({{"Transfer-Encoding", "chunked"}}));
}

TEST(Request, WantsWebSocket) {
  Request request;
  request.method = "GET";
  request.headers = {{"Connection", "keep-alive, Upgrade"}, {"Upgrade", "WebSocket"}};
  EXPECT_TRUE(request.wants_websocket());
  request.method = "POST";
  EXPECT_FALSE(request.wants_websocket());
}

}  // namespace
}  // namespace parley::http
