// Error and Result: what they carry, and when they throw.
#include "wire/error.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace parley {
namespace {

TEST(Error, SaysWhatAndWhere) {
  const Error error(ErrorCode::unexpected, "expected string", "message.content[2].id");
  EXPECT_EQ(error.code(), ErrorCode::unexpected);
  EXPECT_EQ(error.message(), "expected string");
  EXPECT_EQ(error.context(), "message.content[2].id");
  EXPECT_STREQ(error.what(), "message.content[2].id: expected string");
  EXPECT_STREQ(Error(ErrorCode::io, "no place").what(), "no place");
  EXPECT_STREQ(Error().what(), "");
}

TEST(Error, IsAValue) {
  const Error a(ErrorCode::io, "m", "c");
  Error b = a;
  EXPECT_EQ(a, b);
  b = Error(ErrorCode::closed, "m", "c");
  EXPECT_FALSE(a == b);
  EXPECT_FALSE(a == Error(ErrorCode::io, "n", "c"));
  EXPECT_FALSE(a == Error(ErrorCode::io, "m", "d"));
}

TEST(Error, EveryCodeHasItsOwnName) {
  std::string all = " ";
  for (int i = 0; i <= static_cast<int>(ErrorCode::permission); ++i) {
    const std::string name = " " + std::string(to_string(static_cast<ErrorCode>(i))) + " ";
    EXPECT_NE(name, " unknown ");
    EXPECT_EQ(all.find(name), std::string::npos) << name;
    all += name.substr(1);
  }
  EXPECT_EQ(to_string(static_cast<ErrorCode>(999)), "unknown");
}

TEST(Result, HoldsAValue) {
  Result<std::string> result(std::string("yes"));
  EXPECT_TRUE(result.ok());
  EXPECT_TRUE(static_cast<bool>(result));
  EXPECT_EQ(result.value(), "yes");
  EXPECT_EQ(*result, "yes");
  EXPECT_EQ(result->size(), 3u);
  *result += "!";
  EXPECT_EQ(std::as_const(result).value(), "yes!");
  EXPECT_EQ(std::as_const(result)->size(), 4u);
  EXPECT_THROW((void)result.error(), std::logic_error);
}

TEST(Result, HoldsAnError) {
  const Error error(ErrorCode::not_found, "no such file", "a.txt");
  Result<int> result(error);
  EXPECT_FALSE(result.ok());
  EXPECT_FALSE(static_cast<bool>(result));
  EXPECT_EQ(result.error(), error);
  EXPECT_THROW((void)result.value(), Error);
  EXPECT_THROW((void)*result, Error);
  EXPECT_THROW((void)Result<int>(error).value(), Error);
  try {
    (void)result.value();
    FAIL();
  } catch (const std::exception& thrown) {
    EXPECT_STREQ(thrown.what(), "a.txt: no such file");
  }
}

TEST(Result, MovesWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(5));
  const std::unique_ptr<int> taken = std::move(result).value();
  ASSERT_NE(taken, nullptr);
  EXPECT_EQ(*taken, 5);
}

TEST(Result, OfNothing) {
  const Result<void> good;
  EXPECT_TRUE(good.ok());
  EXPECT_NO_THROW(good.value());
  EXPECT_THROW((void)good.error(), std::logic_error);
  const Result<void> bad(Error(ErrorCode::timeout, "too late"));
  EXPECT_FALSE(bad.ok());
  EXPECT_FALSE(static_cast<bool>(bad));
  EXPECT_EQ(bad.error().code(), ErrorCode::timeout);
  EXPECT_THROW(bad.value(), Error);
}

}  // namespace
}  // namespace parley
