#include "server/api/access.hpp"

#include <gtest/gtest.h>

namespace parley::server {
namespace {

constexpr const char* kBearer = "the-bearer-token";

http::Request request(const std::string& method, http::Headers headers) {
  http::Request request;
  request.method = method;
  request.target = "/api/sessions";
  request.headers = std::move(headers);
  if (request.headers.count("Host") == 0) request.headers.add("Host", "127.0.0.1:80");
  return request;
}

class AccessTest : public ::testing::Test {
 protected:
  /// 0 if it is let through.
  int status(const std::string& method, http::Headers headers) {
    const auto refusal = access_.check(request(method, std::move(headers)));
    return refusal ? refusal->status : 0;
  }
  SignIns sign_ins_{"", [](const std::string&) {}, [] { return std::int64_t{0}; }};
  Access access_{kBearer, {"desk.example", "fe80:0::5", "192.168.1.5"}, 80, sign_ins_};
  const SignIn browser_ = sign_ins_.add("a browser");
  const http::Headers::Field cookie_{"Cookie", "other=1; parley_80=" + browser_.cookie};
  const http::Headers::Field key_{"Parley-Key", browser_.key};
  const http::Headers::Field bearer_{"Authorization", "Bearer the-bearer-token"};
};

TEST_F(AccessTest, KnowsTokensAndCookies) {
  EXPECT_EQ(status("GET", {cookie_, key_}), 0);
  EXPECT_EQ(status("GET", {bearer_}), 0);
  EXPECT_EQ(status("GET", {}), 401);
  EXPECT_EQ(status("GET", {{"Cookie", "parley_80=" + browser_.cookie.substr(1)}, key_}), 401);
  EXPECT_EQ(status("GET", {{"Cookie", "parley_81=" + browser_.cookie}, key_}), 401);
  EXPECT_EQ(status("GET", {{"Authorization", "Basic the-bearer-token"}}), 401);
  EXPECT_EQ(status("GET", {{"Authorization", "Bearer"}}), 401);
}

TEST_F(AccessTest, ACookieAloneIsNotEnough) {
  // What another server on this host can send: the cookie, and any Origin it likes.
  const http::Headers::Field origin{"Origin", "http://127.0.0.1:80"};
  EXPECT_EQ(status("GET", {cookie_}), 401);
  EXPECT_EQ(status("POST", {cookie_, origin}), 401);
  EXPECT_EQ(status("GET", {cookie_, {"Parley-Key", sign_ins_.add("another").key}}), 401);
  EXPECT_EQ(status("GET", {key_}), 401);
  EXPECT_TRUE(access_.may_see_page(request("GET", {cookie_})));
  EXPECT_FALSE(access_.browser(request("GET", {cookie_})));
  sign_ins_.end(browser_.id);
  EXPECT_EQ(status("GET", {cookie_, key_}), 401);
  EXPECT_FALSE(access_.may_see_page(request("GET", {cookie_})));
}

TEST_F(AccessTest, AWebSocketNamesItsKeyAsASubprotocol) {
  const http::Headers upgrade = {cookie_,
                                 {"Connection", "Upgrade"},
                                 {"Upgrade", "websocket"},
                                 {"Origin", "http://127.0.0.1:80"}};
  EXPECT_EQ(status("GET", upgrade), 401);
  http::Headers good = upgrade;
  good.add("Sec-WebSocket-Protocol", "parley, parley-key." + browser_.key);
  EXPECT_EQ(status("GET", good), 0);
  http::Headers bad = upgrade;
  bad.add("Sec-WebSocket-Protocol", "parley, parley-key.");
  EXPECT_EQ(status("GET", bad), 401);
}

TEST_F(AccessTest, WantsAnOriginForChanges) {
  EXPECT_EQ(status("POST", {cookie_, key_}), 403);
  EXPECT_EQ(status("POST", {bearer_}), 0);
  EXPECT_EQ(status("POST", {cookie_, key_, {"Origin", "http://127.0.0.1:80"}}), 0);
  EXPECT_EQ(status("POST", {cookie_, key_, {"Origin", "http://127.0.0.1:81"}}), 403);
  EXPECT_EQ(status("POST", {cookie_, key_, {"Origin", "null"}}), 403);
  EXPECT_EQ(status("POST", {bearer_, {"Origin", "http://evil.example"}}), 403);
  EXPECT_EQ(status("GET", {cookie_, key_, {"Sec-Fetch-Site", "cross-site"}}), 403);
  EXPECT_EQ(status("GET", {cookie_, key_, {"Sec-Fetch-Site", "same-origin"}}), 0);
}

TEST_F(AccessTest, AnswersToItsOwnNamesOnly) {
  for (const char* host : {"localhost", "LOCALHOST:80", "[::1]:80", "desk.example:443"}) {
    EXPECT_EQ(status("GET", {cookie_, key_, {"Host", host}}), 0) << host;
  }
  for (const char* host : {"[0:0::1]", "[fe80::5]:80", "[FE80::0:5]", "192.168.1.5:80"}) {
    EXPECT_EQ(status("GET", {cookie_, key_, {"Host", host}}), 0) << host;
  }
  for (const char* host :
       {"evil.example", "127.0.0.1.evil.example", "[::2]", "localhost.", "evil.desk.example"}) {
    EXPECT_EQ(status("GET", {cookie_, key_, {"Host", host}}), 403) << host;
  }
  for (const char* host :
       {"", ":80", "[::1].evil.example", "[::1]evil", "[::1", "[]", "[127.0.0.1]", "::1",
        "127.0.0.1:8080@evil.example", "localhost@evil.example", "localhost:", "localhost:http",
        "localhost:80:80", "localhost:-1", "localhost:65536", "localhost/", "localhost evil",
        "[::1]:80x", "[::1%lo]"}) {
    EXPECT_EQ(status("GET", {cookie_, key_, {"Host", host}}), 400) << host;
  }
  EXPECT_EQ(status("GET", {cookie_, key_, {"Host", "localhost"}, {"Host", "localhost"}}), 400);
}

TEST_F(AccessTest, TheCookieStaysWithThePage) {
  EXPECT_EQ(access_.set_cookie("x", false),
            "parley_80=x; Max-Age=604800; HttpOnly; SameSite=Strict");
  EXPECT_TRUE(access_.set_cookie("x", true).ends_with("; HttpOnly; SameSite=Strict; Secure"));
}

TEST_F(AccessTest, LinksWorkOnce) {
  const std::string token = access_.make_link_token();
  EXPECT_EQ(token.size(), 64U);
  EXPECT_FALSE(access_.redeem(""));
  EXPECT_FALSE(access_.redeem(token.substr(1)));
  EXPECT_TRUE(access_.redeem(token));
  EXPECT_FALSE(access_.redeem(token));
  EXPECT_TRUE(access_.redeem(kBearer));
  EXPECT_TRUE(access_.redeem(kBearer));
}

TEST(SameSecret, ComparesAll) {
  EXPECT_TRUE(same_secret("abc", "abc"));
  EXPECT_TRUE(same_secret("", ""));
  EXPECT_FALSE(same_secret("abc", "abd"));
  EXPECT_FALSE(same_secret("abc", "abcabc"));
  EXPECT_FALSE(same_secret("abcabc", "abc"));
  EXPECT_FALSE(same_secret("abc", ""));
}

}  // namespace
}  // namespace parley::server
