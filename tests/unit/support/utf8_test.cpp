// UTF-8: what is a character, and what becomes U+FFFD.
#include "support/text/utf8.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace parley {
namespace {

int length_of(std::string_view bytes) {
  return detail::utf8_length(bytes.data(), bytes.data() + bytes.size());
}

std::string encoded(unsigned code_point) {
  char buffer[4];
  return std::string(buffer, detail::put_utf8(code_point, buffer));
}

TEST(Utf8, EveryCodePointComesBack) {
  for (unsigned c = 0; c <= 0x10FFFF; ++c) {
    const std::string bytes = encoded(c);
    const int want = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    const bool surrogate = c >= 0xD800 && c <= 0xDFFF;
    ASSERT_EQ(static_cast<int>(bytes.size()), want) << c;
    ASSERT_EQ(length_of(bytes), surrogate ? 0 : want) << c;
  }
}

TEST(Utf8, BoundariesOfEachLength) {
  EXPECT_EQ(length_of("\x7F"), 1);
  EXPECT_EQ(length_of("\xC2\x80"), 2);          // U+0080
  EXPECT_EQ(length_of("\xDF\xBF"), 2);          // U+07FF
  EXPECT_EQ(length_of("\xE0\xA0\x80"), 3);      // U+0800
  EXPECT_EQ(length_of("\xED\x9F\xBF"), 3);      // U+D7FF, last before the surrogates
  EXPECT_EQ(length_of("\xEE\x80\x80"), 3);      // U+E000, first after them
  EXPECT_EQ(length_of("\xEF\xBF\xBF"), 3);      // U+FFFF
  EXPECT_EQ(length_of("\xF0\x90\x80\x80"), 4);  // U+10000
  EXPECT_EQ(length_of("\xF4\x8F\xBF\xBF"), 4);  // U+10FFFF
}

TEST(Utf8, RefusesOverlongForms) {
  EXPECT_EQ(length_of("\xC0\x80"), 0);
  EXPECT_EQ(length_of("\xC1\xBF"), 0);
  EXPECT_EQ(length_of("\xE0\x80\x80"), 0);
  EXPECT_EQ(length_of("\xE0\x9F\xBF"), 0);
  EXPECT_EQ(length_of("\xF0\x80\x80\x80"), 0);
  EXPECT_EQ(length_of("\xF0\x8F\xBF\xBF"), 0);
}

TEST(Utf8, RefusesSurrogatesAndWhatIsBeyondUnicode) {
  EXPECT_EQ(length_of("\xED\xA0\x80"), 0);  // U+D800
  EXPECT_EQ(length_of("\xED\xBF\xBF"), 0);  // U+DFFF
  EXPECT_EQ(length_of("\xF4\x90\x80\x80"), 0);
  EXPECT_EQ(length_of("\xF5\x80\x80\x80"), 0);
  EXPECT_EQ(length_of("\xFF\xBF\xBF\xBF"), 0);
}

TEST(Utf8, RefusesTruncatedAndStrayBytes) {
  EXPECT_EQ(length_of(""), 0);
  EXPECT_EQ(length_of("\x80"), 0);
  EXPECT_EQ(length_of("\xBF\x80"), 0);
  for (const std::string whole : {"\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x8E\x89"}) {
    for (std::size_t cut = 1; cut < whole.size(); ++cut) {
      EXPECT_EQ(length_of(whole.substr(0, cut)), 0);
      // A wrong byte instead of a missing one.
      std::string broken = whole;
      broken[cut] = 'a';
      EXPECT_EQ(length_of(broken), 0);
      broken[cut] = '\xC3';
      EXPECT_EQ(length_of(broken), 0);
    }
  }
}

TEST(Utf8, DoesNotReadPastTheEnd) {
  // The byte after the view would complete the character.
  const std::string bytes = "\xE2\x82\xAC";
  EXPECT_EQ(detail::utf8_length(bytes.data(), bytes.data() + 2), 0);
  EXPECT_FALSE(is_utf8(std::string_view(bytes).substr(0, 2)));
}

TEST(Utf8, WholeTexts) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("plain"));
  EXPECT_TRUE(is_utf8("na\xC3\xAFve \xE6\x97\xA5\xE6\x9C\xAC \xF0\x9F\x8E\x89"));
  EXPECT_TRUE(is_utf8(std::string_view("\0", 1)));
  EXPECT_FALSE(is_utf8("caf\xE9"));
  EXPECT_FALSE(is_utf8("\xED\xA0\xBD\xED\xB8\x80"));  // a pair of surrogates, each in three bytes
}

/// The definition: one character after the other.
bool is_utf8_plainly(std::string_view text) {
  const char* p = text.data();
  const char* end = p + text.size();
  while (p < end) {
    const int length = detail::utf8_length(p, end);
    if (length == 0) return false;
    p += length;
  }
  return true;
}

// Long texts are checked sixteen bytes at a time: every pair of bytes, and every lead byte with
// every second byte before valid and broken rests, across each border of a block.
TEST(Utf8, EveryPairOfBytesInALongText) {
  for (unsigned a = 0; a < 256; ++a) {
    for (unsigned b = 0; b < 256; ++b) {
      for (const std::string_view rest : {"", "\x80", "\x80\x80", "\x80\x80\x80", "\xC3\xA9"}) {
        for (const std::size_t before : {30u, 31u, 38u}) {
          std::string text(before, 'x');
          text += static_cast<char>(a);
          text += static_cast<char>(b);
          text += rest;
          ASSERT_EQ(is_utf8(text), is_utf8_plainly(text)) << a << ' ' << b << ' ' << rest.size();
          text.append(17, 'y');
          ASSERT_EQ(is_utf8(text), is_utf8_plainly(text)) << a << ' ' << b << ' ' << rest.size();
        }
      }
    }
  }
}

TEST(Utf8, EveryPlaceOfALongText) {
  // One item per line would fill pages.
  // clang-format off
  const std::vector<std::string> parts = {
      "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x8E\x89", "\xED\x9F\xBF", "\xF4\x8F\xBF\xBF",
      "\xC3",     "\xE2\x82",     "\xF0\x9F\x8E",     "\xED\xA0\x80", "\xF4\x90\x80\x80",
      "\x80",     "\xC0\x80",     "\xE0\x9F\xBF",     "\xF0\x8F\xBF\xBF", "\xFF",
      "\xC3\xA9\x80", "\xE2\x82\xAC\xBF", "\xF0\x9F\x8E\x89\x80", "\xF8\x88\x80\x80\x80"};
  // clang-format on
  for (const std::string& part : parts) {
    for (std::size_t before = 0; before < 70; ++before) {
      for (const std::size_t after : {std::size_t{0}, std::size_t{1}, std::size_t{40}}) {
        const std::string text = std::string(before, 'a') + part + std::string(after, 'b');
        const std::vector<char> exact(text.begin(), text.end());
        EXPECT_EQ(is_utf8({exact.data(), exact.size()}), is_utf8_plainly(text)) << before;
      }
    }
  }
}

TEST(Utf8, RandomTexts) {
  std::mt19937 random(11);
  int valid = 0;
  for (int round = 0; round < 50000; ++round) {
    std::string text;
    const std::size_t size = random() % 120;
    while (text.size() < size) {
      auto c = static_cast<unsigned>(random() % (random() % 4 == 0 ? 0x110000 : 0x900));
      if (c >= 0xD800 && c < 0xE000) c = 'x';
      text += encoded(c);
    }
    if (!text.empty() && random() % 2 == 0) {
      text[random() % text.size()] = static_cast<char>(random() % 256);
    }
    ASSERT_EQ(is_utf8(text), is_utf8_plainly(text));
    valid += is_utf8(text) ? 1 : 0;
  }
  EXPECT_GT(valid, 10000);
}

TEST(Utf8, ReplacesEachByteThatIsNoCharacter) {
  EXPECT_EQ(to_utf8(""), "");
  EXPECT_EQ(to_utf8("na\xC3\xAFve"), "na\xC3\xAFve");
  EXPECT_EQ(to_utf8("caf\xE9!"), "caf\xEF\xBF\xBD!");
  EXPECT_EQ(to_utf8("\xE2\x82"), "\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(to_utf8("\xE2\x82x"), "\xEF\xBF\xBD\xEF\xBF\xBDx");
  EXPECT_EQ(to_utf8("\xFF\xC3\xA9"), "\xEF\xBF\xBD\xC3\xA9");
}

TEST(Utf8, ReplacementIsAlwaysValid) {
  std::string bytes;
  for (unsigned a = 0; a < 256; ++a) {
    for (unsigned b = 0; b < 256; b += 3) {
      bytes += static_cast<char>(a);
      bytes += static_cast<char>(b);
    }
  }
  EXPECT_FALSE(is_utf8(bytes));
  EXPECT_TRUE(is_utf8(to_utf8(bytes)));
}

}  // namespace
}  // namespace parley
