#include "support/time.hpp"

#include <gtest/gtest.h>

namespace parley {
namespace {

TEST(Time, GoesBothWays) {
  const std::string text = "2026-11-15T09:05:10.619Z";
  const auto time = parse_time(text);
  ASSERT_TRUE(time);
  EXPECT_EQ(*time, 1794733510619);
  EXPECT_EQ(format_time(*time), text);
  EXPECT_EQ(parse_time("2026-11-15T10:05:10.619+01:00"), *time);
  EXPECT_EQ(parse_time("1969-12-31T23:59:59.999Z"), -1);
  EXPECT_EQ(format_time(-1), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(parse_time("2026-11-15"), parse_time("2026-11-15T00:00Z"));
  EXPECT_EQ(parse_time("2026-11-15T09:05:10.6199999Z"), *time);
}

TEST(Time, WhatIsNone) {
  for (const char* bad :
       {"", "x", "2026-13-01", "2026-02-30T00:00:00Z", "2026-11-15T25:00Z", "2026-11-15T10:00:00",
        "2026-11-15 10:00:00Z", "2026-11-15T", "2026-11-15T10:00:00+1", "2026-11-15T10:00:00*01:00",
        "-026-11-15", "2026-11-15T10:0x:00Z"}) {
    EXPECT_FALSE(parse_time(bad)) << bad;
  }
}

TEST(Time, NowIsNow) {
  const std::int64_t before = now_ms();
  const auto now = parse_time(timestamp());
  ASSERT_TRUE(now);
  EXPECT_LE(before, *now);
  EXPECT_LE(*now, now_ms());
}

}  // namespace
}  // namespace parley
