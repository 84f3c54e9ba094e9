#include "server/api/sign_ins.hpp"

#include <gtest/gtest.h>

namespace parley::server {
namespace {

constexpr std::int64_t kHour = 3600 * 1000;
constexpr std::int64_t kDay = 24 * kHour;

class SignInsTest : public ::testing::Test {
 protected:
  SignIns make() {
    return {kept_, [this](const std::string& text) { kept_ = text, ++saves_; },
            [this] { return now_; }};
  }
  std::string kept_;
  int saves_ = 0;
  std::int64_t now_ = 1'700'000'000'000;
};

TEST_F(SignInsTest, NeedsBothSecretsOfTheSameBrowser) {
  SignIns sign_ins = make();
  const SignIn phone = sign_ins.add("Phone");
  const SignIn desk = sign_ins.add("Desk");
  EXPECT_NE(phone.cookie, desk.cookie);
  ASSERT_TRUE(sign_ins.use(phone.cookie, phone.key));
  EXPECT_EQ(sign_ins.use(phone.cookie, phone.key)->browser, "Phone");
  EXPECT_FALSE(sign_ins.use(phone.cookie, desk.key));
  EXPECT_FALSE(sign_ins.use(phone.cookie, ""));
  EXPECT_FALSE(sign_ins.use("", phone.key));
  EXPECT_TRUE(sign_ins.find(phone.cookie));
  EXPECT_FALSE(sign_ins.find(phone.key));
}

TEST_F(SignInsTest, EndsAWeekAfterItsLastUse) {
  SignIns sign_ins = make();
  const SignIn used = sign_ins.add("used");
  const SignIn unused = sign_ins.add("unused");
  now_ += 6 * kDay;
  EXPECT_TRUE(sign_ins.use(used.cookie, used.key));
  now_ += 2 * kDay;
  EXPECT_TRUE(sign_ins.use(used.cookie, used.key));
  EXPECT_FALSE(sign_ins.use(unused.cookie, unused.key));
  ASSERT_EQ(sign_ins.list().size(), 1U);
  now_ += 7 * kDay;
  EXPECT_FALSE(sign_ins.use(used.cookie, used.key));
  EXPECT_FALSE(make().use(used.cookie, used.key)) << "nor after a restart";
}

TEST_F(SignInsTest, ACookieAloneDoesNotKeepItAlive) {
  SignIns sign_ins = make();
  const SignIn entry = sign_ins.add("x");
  now_ += 6 * kDay;
  EXPECT_TRUE(sign_ins.find(entry.cookie));
  now_ += 2 * kDay;
  EXPECT_FALSE(sign_ins.find(entry.cookie));
}

TEST_F(SignInsTest, LastsAcrossRestartsAndIsWrittenRarely) {
  SignIns before = make();
  const SignIn entry = before.add("x");
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(before.use(entry.cookie, entry.key));
  EXPECT_EQ(saves_, 1);
  now_ += 2 * kHour;
  EXPECT_TRUE(before.use(entry.cookie, entry.key));
  EXPECT_EQ(saves_, 2);
  SignIns after = make();
  ASSERT_TRUE(after.use(entry.cookie, entry.key));
  EXPECT_EQ(after.list()[0].used, now_);
}

TEST_F(SignInsTest, EndsOneAndNotTheOthers) {
  SignIns sign_ins = make();
  const SignIn first = sign_ins.add("1");
  const SignIn second = sign_ins.add("2");
  EXPECT_FALSE(sign_ins.end("nobody"));
  EXPECT_TRUE(sign_ins.end(first.id));
  EXPECT_FALSE(sign_ins.use(first.cookie, first.key));
  EXPECT_TRUE(sign_ins.use(second.cookie, second.key));
  EXPECT_FALSE(make().has(first.id));
}

TEST_F(SignInsTest, IsBounded) {
  SignIns sign_ins = make();
  const SignIn first = sign_ins.add("first");
  for (int i = 0; i < 100; ++i) {
    ++now_;
    (void)sign_ins.add("more");
  }
  EXPECT_EQ(sign_ins.list().size(), 100U);
  EXPECT_FALSE(sign_ins.has(first.id));
}

TEST_F(SignInsTest, ADamagedFileSignsNobodyIn) {
  for (const char* text : {"", "nonsense", R"({"sign_ins":[{"id":"a","used":9e15}]})",
                           R"({"sign_ins":[{"id":"a","cookie":"","key":"","used":9e15}]})"}) {
    kept_ = text;
    EXPECT_TRUE(make().list().empty()) << text;
    EXPECT_FALSE(make().use("", "")) << text;
  }
}

}  // namespace
}  // namespace parley::server
