#include "support/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <thread>
#include <vector>

#include "support/text/base64.hpp"

namespace parley {
namespace {

TEST(Random, UuidsAreOfVersionFour) {
  for (int i = 0; i < 200; ++i) {
    const std::string uuid = make_uuid();
    ASSERT_EQ(uuid.size(), 36U);
    for (std::size_t at = 0; at < uuid.size(); ++at) {
      const bool dash = at == 8 || at == 13 || at == 18 || at == 23;
      ASSERT_EQ(uuid[at] == '-', dash) << uuid;
      ASSERT_TRUE(dash || kHexDigits.find(uuid[at]) != std::string_view::npos) << uuid;
    }
    EXPECT_EQ(uuid[14], '4') << uuid;
    EXPECT_NE(std::string_view("89ab").find(uuid[19]), std::string_view::npos) << uuid;
  }
}

TEST(Random, NoTwoAreTheSameOnAnyThread) {
  std::array<std::vector<std::string>, 4> made;
  {
    std::vector<std::jthread> threads;
    for (auto& list : made) {
      threads.emplace_back([&list] {
        for (int i = 0; i < 2'000; ++i) list.push_back(make_uuid());
      });
    }
  }
  std::set<std::string> all;
  for (const auto& list : made) all.insert(list.begin(), list.end());
  EXPECT_EQ(all.size(), 8'000U);
}

TEST(Random, EveryCharacterOfAnAlphabetComesUpAlikeOften) {
  for (const std::string_view alphabet : {kLettersAndDigits, kHexDigits, std::string_view("abc")}) {
    const std::string text = random_text(40'000, alphabet);
    EXPECT_EQ(text.size(), 40'000U);
    EXPECT_EQ(text.find_first_not_of(alphabet), std::string::npos);
    for (const char c : alphabet) {
      const auto expected = 40'000.0 / static_cast<double>(alphabet.size());
      const auto count = static_cast<double>(std::count(text.begin(), text.end(), c));
      // Further off than eight standard deviations, which chance alone never is.
      EXPECT_LT(std::abs(count - expected), 8 * std::sqrt(expected)) << c << " of " << alphabet;
    }
  }
  EXPECT_EQ(random_text(0, kHexDigits), "");
}

TEST(Base64, OfTheStandard) {
  using namespace std::literals;
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\0\0"sv), "AAA=");
  EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
  EXPECT_EQ(base64("\xfb\xef\xbe"), "++++");
}

TEST(Base64, AndBack) {
  for (const char* text : {"", "f", "fo", "foo", "foob", "fooba", "foobar", "\xff\xfe\xfd"}) {
    EXPECT_EQ(from_base64(base64(text)), text);
  }
  EXPECT_EQ(from_base64("Zm9v\nYg"), "foob");
  EXPECT_EQ(from_base64("__-_"), from_base64("//+/"));
  for (const char* bad : {"Z", "Zg=x", "Zg!", "Zm9vY"}) {
    EXPECT_EQ(from_base64(bad), std::nullopt) << bad;
  }
}

}  // namespace
}  // namespace parley
