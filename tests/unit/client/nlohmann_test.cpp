#include "client/adapters/nlohmann.hpp"

#include <gtest/gtest.h>

namespace parley {
namespace {

TEST(Nlohmann, ValuesGoBothWays) {
  const RawJson raw(R"({"b":1,"a":[true,null,"é"]})");
  EXPECT_EQ(to_nlohmann(raw)["a"][2], "é");
  EXPECT_EQ(from_nlohmann(to_nlohmann<nlohmann::ordered_json>(raw)), raw);
  EXPECT_EQ(to_nlohmann(*raw.json())["b"], 1);
  EXPECT_THROW((void)to_nlohmann(RawJson("\"\\ud800\"")), nlohmann::json::parse_error);
}

}  // namespace
}  // namespace parley
