#include "support/text/unprintable.hpp"

#include <gtest/gtest.h>

namespace parley {
namespace {

using namespace std::literals;

TEST(Unprintable, OrdinaryTextStays) {
  for (const std::string_view text : {"", "plain", "two\nlines\tand\r\na third",
                                      "äöü €  אבג 日本 😀", "\u00a0\u2029\u202f\u2065"}) {
    EXPECT_EQ(printable(text), text);
    EXPECT_EQ(printable_json(text), text);
  }
}

TEST(Unprintable, WhatATerminalWouldObey) {
  EXPECT_EQ(printable("\x1b]52;c;ZXZpbA==\a"), "\uFFFD]52;c;ZXZpbA==\uFFFD");
  EXPECT_EQ(printable("a\rb\0c\x7f"sv), "a\uFFFDb\uFFFDc\uFFFD");
  EXPECT_EQ(printable("\u009b31m \u0080\u009f"), "\uFFFD31m \uFFFD\uFFFD");
  EXPECT_EQ(printable("rm \u202eelif\u202c \u2066x\u2069"), "rm \uFFFDelif\uFFFD \uFFFDx\uFFFD");
  EXPECT_EQ(printable("\x9b\x33\x31m \xc2"), "\uFFFD31m \uFFFD");  // not UTF-8: C1 to some
  EXPECT_EQ(printable("\xe2\x80"), "\uFFFD\uFFFD");
}

TEST(Unprintable, OnOneLine) {
  EXPECT_EQ(on_one_line("a\r\nb\tc\x1b[31m\u009b\u202e\xff"), "a  b c [31m   ");
}

TEST(Unprintable, JsonSaysTheSame) {
  EXPECT_EQ(printable_json("{\"a\":\"\u009b\u202e\x7f\"}\n"),
            "{\"a\":\"\\u009b\\u202e\\u007f\"}\n");
  EXPECT_EQ(printable_json("a damaged line: \x1b[31m \xff\r\n"),
            "a damaged line: \\u001b[31m \uFFFD\r\n");
}

}  // namespace
}  // namespace parley
