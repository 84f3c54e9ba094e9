// The library links and the front door opens.
#include <gtest/gtest.h>

#include "wire/json/json.hpp"

namespace parley {
namespace {

TEST(WireSmoke, ParsesAndDumps) {
  const auto parsed = Json::parse(R"({"a":[1,2,{"b":null}]})");
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ((*parsed)["a"][1].as_int(), 2);
}

}  // namespace
}  // namespace parley
