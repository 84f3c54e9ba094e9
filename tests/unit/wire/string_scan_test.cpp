// The SSE2 scans against their portable twins, and the twins against the plain definition.
#include "wire/json/string_scan.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace parley::detail {
namespace {

const char* find_plainly(const char* p, const char* end) {
  while (p < end && !is_special(static_cast<unsigned char>(*p))) ++p;
  return p;
}

void expect_all_agree(const char* p, const char* end) {
  const char* want = find_plainly(p, end);
  ASSERT_EQ(find_special(p, end) - p, want - p) << std::string(p, end);
  ASSERT_EQ(find_special_portable(p, end) - p, want - p) << std::string(p, end);

  bool fast_multi_byte = false;
  bool slow_multi_byte = false;
  const char* slow_stop = find_string_stop_portable(p, end, slow_multi_byte);
  ASSERT_EQ(find_string_stop(p, end, fast_multi_byte) - p, slow_stop - p) << std::string(p, end);
  ASSERT_EQ(fast_multi_byte, slow_multi_byte) << std::string(p, end);

  StringScan fast;
  StringScan slow;
  const char* fast_end = find_string_end(p, end, fast);
  const char* slow_end = find_string_end_portable(p, end, slow);
  ASSERT_EQ(fast_end - p, slow_end - p) << std::string(p, end);
  ASSERT_EQ(fast.why == nullptr, slow.why == nullptr) << std::string(p, end);
  if (fast.why != nullptr) {
    ASSERT_STREQ(fast.why, slow.why);
    return;
  }
  ASSERT_EQ(fast.escaped, slow.escaped) << std::string(p, end);
  // The fast one may have seen a byte of the same block beyond the quote, but misses none.
  ASSERT_GE(fast.multi_byte, slow.multi_byte) << std::string(p, end);
}

TEST(StringScan, SpecialBytesAreQuoteBackslashControlAndNonAscii) {
  for (unsigned c = 0; c < 256; ++c) {
    const bool want = c == 0x22 || c == 0x5C || c < 0x20 || c > 0x7F;
    EXPECT_EQ(is_special(static_cast<unsigned char>(c)), want) << c;
  }
}

TEST(StringScan, EmptyRangeGivesItsEnd) {
  const char text[] = "\"";
  EXPECT_EQ(find_special(text, text), text);
  EXPECT_EQ(find_special_portable(text, text), text);
}

// Each byte value, alone at each place of texts of each length, at each alignment. The bytes around
// the range are special, so a scan that looks outside of it shows.
TEST(StringScan, EveryByteAtEveryPlaceLengthAndAlignment) {
  constexpr std::size_t kLongest = 40;
  for (std::size_t align = 0; align < 16; ++align) {
    for (std::size_t length = 0; length <= kLongest; ++length) {
      std::vector<char> room(16 + kLongest + 32, '"');
      char* from = room.data() + align;
      char* end = from + length;
      std::fill(from, end, 'a');
      expect_all_agree(from, end);
      for (std::size_t at = 0; at < length; ++at) {
        for (unsigned c = 0; c < 256; ++c) {
          from[at] = static_cast<char>(c);
          expect_all_agree(from, end);
        }
        from[at] = 'a';
      }
    }
  }
}

// The portable twin's arithmetic borrows from one byte into the next: neighbours matter.
TEST(StringScan, EveryPairOfNeighbours) {
  std::string text(24, ' ');
  for (unsigned a = 0; a < 256; ++a) {
    for (unsigned b = 0; b < 256; ++b) {
      text[10] = static_cast<char>(a);
      text[11] = static_cast<char>(b);
      expect_all_agree(text.data(), text.data() + text.size());
    }
  }
}

TEST(StringScan, TheEndOfAString) {
  const auto scan = [](std::string_view text) {
    StringScan found;
    const char* at = find_string_end(text.data(), text.data() + text.size(), found);
    return std::to_string(at - text.data()) + (found.escaped ? " escaped" : "") +
           (found.multi_byte ? " multi_byte" : "") +
           (found.why == nullptr ? "" : std::string(" ") + found.why);
  };
  EXPECT_EQ(scan("\""), "0");
  EXPECT_EQ(scan("abc\"def"), "3");
  EXPECT_EQ(scan("a\\\"b\""), "4 escaped");
  EXPECT_EQ(scan("a\\\\\""), "3 escaped");
  EXPECT_EQ(scan("\\u00e9\\ud800\""), "12 escaped");
  EXPECT_EQ(scan("\xC3\xA9\""), "2 multi_byte");
  EXPECT_EQ(scan(""), "0 unterminated string");
  EXPECT_EQ(scan("abc"), "3 unterminated string");
  EXPECT_EQ(scan("ab\nc\""), "2 control character in string");
  EXPECT_EQ(scan("ab\\x\""), "2 escaped bad escape");
  EXPECT_EQ(scan("ab\\"), "2 escaped bad escape");
  EXPECT_EQ(scan("ab\\u12\""), "2 escaped bad escape");
  EXPECT_EQ(scan("ab\\u123g\""), "2 escaped bad escape");
}

// Long strings take another path, 64 bytes at a time: each kind of find at each place of it.
TEST(StringScan, FindsAtEveryPlaceOfALongString) {
  const std::vector<std::string> finds = {"\"",      "\\n",      "\\\\", "\\\"",   "\\u00e9",
                                          "\\u00g9", "\\",       "\x1F", "\\\x1F", "\xC3\xA9",
                                          "\\x",     "\\\\\\\"", "\x7F"};
  for (const std::string& find : finds) {
    for (std::size_t at = 0; at < 260; ++at) {
      for (const std::size_t rest : {std::size_t{0}, std::size_t{5}, std::size_t{70}}) {
        const std::string text = std::string(at, 'a') + find + std::string(rest, 'b') + "\"c";
        expect_all_agree(text.data(), text.data() + text.size());
        // And with an escape in each block before it.
        std::string busy = text;
        for (std::size_t i = 7; i + 1 < at; i += 29) busy.replace(i, 2, "\\n");
        expect_all_agree(busy.data(), busy.data() + busy.size());
      }
    }
  }
}

TEST(StringScan, RandomStrings) {
  std::mt19937 random(7);
  const std::vector<std::string> parts = {"\\n", "\\\"",  "\\\\", "\\u12ab", "\xE2\x82\xAC",
                                          "\"",  "\\u12", "\\q",  "\n"};
  for (int round = 0; round < 50000; ++round) {
    std::string text;
    const std::size_t length = random() % 300;
    const std::size_t rare = 2 + random() % 60;
    while (text.size() < length) {
      // The last few end or break the string; they are rarer still.
      if (random() % rare != 0) {
        text += static_cast<char>('a' + random() % 26);
      } else {
        text += parts[random() % (random() % 8 == 0 ? parts.size() : 5)];
      }
    }
    if (random() % 2 == 0) text += "\" and what follows";
    const std::vector<char> exact(text.begin(), text.end());
    expect_all_agree(exact.data(), exact.data() + exact.size());
  }
}

TEST(StringScan, RandomText) {
  std::mt19937 random(1);
  // Mostly plain bytes, so that the scan runs over whole blocks before it stops.
  const std::string borders = "\x1F\x20\x21\x22\x23\x5B\x5C\x5D\x7E\x7F\x80\xFF";
  std::string text;
  for (int round = 0; round < 20000; ++round) {
    text.resize(random() % 100);
    for (char& c : text) {
      const bool border = random() % 40 == 0;
      c = border ? borders[random() % borders.size()] : static_cast<char>(0x20 + random() % 95);
    }
    const std::size_t from = text.empty() ? 0 : random() % text.size();
    expect_all_agree(text.data() + from, text.data() + text.size());
  }
}

}  // namespace
}  // namespace parley::detail
