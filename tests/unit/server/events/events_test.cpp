#include "server/events/events.hpp"

#include <gtest/gtest.h>

namespace parley::server {
namespace {

TEST(Events, KeepTheBytesOfAnAgent) {
  const std::string line = R"( {"n":1.0e3,"n":2, "text":"\u0041"} )";
  const std::string event = events::agent(line);
  EXPECT_EQ(events::agent_message(event), line);
  EXPECT_TRUE(Json::parse(event));
  EXPECT_EQ(events::agent_message(events::state("idle", {})), "");
}

TEST(Events, KeepTheBytesOfARequest) {
  const std::string body = R"({"input":{ "n":1.50 },"tool_name":"B"})";
  const std::string event = events::request("an \"id\"", body);
  EXPECT_EQ(events::member(event, "request"), body);
  EXPECT_EQ(Json::parse(event).value()["request_id"].as_string(), "an \"id\"");
}

TEST(Events, MembersAreThoseThatAParserWouldTake) {
  EXPECT_EQ(events::member(R"({"a":1,"b":{"a":2},"a": [3] })", "a"), "[3]");
  EXPECT_EQ(events::member(R"({"\u0061": "x" })", "a"), "\"x\"");
  EXPECT_EQ(events::member(R"({"b":1})", "a"), "");
  EXPECT_EQ(events::member("{}", "a"), "");
  EXPECT_EQ(events::member("[1]", "a"), "");
  EXPECT_EQ(events::member("", "a"), "");
}

}  // namespace
}  // namespace parley::server
