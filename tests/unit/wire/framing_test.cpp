// The framer must give the same frames however the bytes are cut, and survive whatever they are.
#include "wire/framing.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace parley {
namespace {

std::string describe(const Frame& frame) {
  const char* kind = frame.kind == Frame::Kind::line         ? "line "
                     : frame.kind == Frame::Kind::unfinished ? "unfinished "
                                                             : "too long ";
  return kind + std::string(frame.text);
}

std::vector<std::string> drain(LineFramer& framer) {
  std::vector<std::string> frames;
  while (const auto frame = framer.next()) frames.push_back(describe(*frame));
  return frames;
}

std::vector<std::string> frames_of(const std::vector<std::string_view>& portions,
                                   std::size_t limit = LineFramer::kDefaultLimit) {
  LineFramer framer(limit);
  std::vector<std::string> frames;
  for (const std::string_view portion : portions) {
    framer.push(portion);
    for (std::string& frame : drain(framer)) frames.push_back(std::move(frame));
  }
  framer.finish();
  for (std::string& frame : drain(framer)) frames.push_back(std::move(frame));
  return frames;
}

using Frames = std::vector<std::string>;

TEST(Framing, LinesEndInNewlineOrCrLf) {
  EXPECT_EQ(frames_of({"{\"a\":1}\n{\"b\":2}\r\n"}), (Frames{"line {\"a\":1}", "line {\"b\":2}"}));
}

TEST(Framing, BlankLinesAreSteppedOver) {
  EXPECT_EQ(frames_of({"\n\r\n  \t\n1\n\n"}), (Frames{"line 1"}));
}

TEST(Framing, LastLineWithoutNewlineIsGivenAtTheEnd) {
  EXPECT_EQ(frames_of({"1\n2"}), (Frames{"line 1", "unfinished 2"}));
  EXPECT_EQ(frames_of({"1\n  "}), (Frames{"line 1"}));
}

TEST(Framing, OnlyOneCarriageReturnBelongsToTheEnd) {
  EXPECT_EQ(frames_of({"a\r\r\n"}), (Frames{"line a\r"}));
  EXPECT_EQ(frames_of({"a\rb\n"}), (Frames{"line a\rb"}));
}

TEST(Framing, NothingComesBeforeItIsComplete) {
  LineFramer framer;
  framer.push("{\"half\":");
  EXPECT_FALSE(framer.next());
  EXPECT_EQ(framer.pending(), 8u);
  framer.push("1}\n");
  EXPECT_EQ(drain(framer), (Frames{"line {\"half\":1}"}));
  EXPECT_EQ(framer.pending(), 0u);
}

TEST(Framing, LimitCostsOneLineAndNotTheSession) {
  EXPECT_EQ(frames_of({"12345\n123456\n12\n"}, 5),
            (Frames{"line 12345", "too long 123456", "line 12"}));
}

TEST(Framing, TooLongIsReportedOnceAndBeforeTheLineEnds) {
  LineFramer framer(4);
  framer.push("123456");
  EXPECT_EQ(drain(framer), (Frames{"too long 123456"}));
  for (int i = 0; i < 100; ++i) {
    framer.push("more and more");
    EXPECT_TRUE(drain(framer).empty());
    EXPECT_EQ(framer.pending(), 0u) << "dropped bytes must not pile up";
  }
  framer.push("end\nok\n");
  EXPECT_EQ(drain(framer), (Frames{"line ok"}));
}

TEST(Framing, CarriageReturnDoesNotCountAgainstTheLimit) {
  EXPECT_EQ(frames_of({"1234\r", "\nok\n"}, 4), (Frames{"line 1234", "line ok"}));
  EXPECT_EQ(frames_of({"1234\r"}, 4), (Frames{"too long 1234\r"}));
}

TEST(Framing, EveryByteValuePassesThrough) {
  std::string bytes;
  for (int c = 0; c < 256; ++c) {
    if (c != '\n') bytes += static_cast<char>(c);
  }
  EXPECT_EQ(frames_of({bytes + "x\n"}), (Frames{"line " + bytes + "x"}));
}

// Everything a hostile or unlucky peer puts on the wire: CRLF, blank lines, junk, half UTF-8, NUL,
// lines at, just below and just above the limit, an unfinished end.
const std::string kHostile = [] {
  std::string s = "{\"type\":\"keep_alive\"}\r\n\n\r\n   \nnot json\r\n{\"a\":\"\xE6\x97";
  s += std::string("\xA5\\n\"}\n\0\x01\n", 9);
  s += std::string(15, 'x') + "\n" + std::string(16, 'y') + "\r\n" + std::string(17, 'z') + "\n";
  s += std::string(40, 'w') + "\r\n\r\r\n[1]\n\"tail without end";
  return s;
}();

TEST(Framing, EverySplitPointGivesTheSameFrames) {
  for (const std::size_t limit : {std::size_t{16}, LineFramer::kDefaultLimit}) {
    // The excerpt of a line that is too long depends on how much had arrived; the rest must not.
    const auto without_excerpts = [](Frames frames) {
      for (std::string& frame : frames) {
        if (frame.starts_with("too long")) frame = "too long";
      }
      return frames;
    };
    const Frames whole = without_excerpts(frames_of({kHostile}, limit));
    ASSERT_GE(whole.size(), 8u);
    for (std::size_t i = 0; i <= kHostile.size(); ++i) {
      const std::string_view a = std::string_view(kHostile).substr(0, i);
      for (std::size_t j = i; j <= kHostile.size(); ++j) {
        const std::string_view b = std::string_view(kHostile).substr(i, j - i);
        const std::string_view c = std::string_view(kHostile).substr(j);
        ASSERT_EQ(without_excerpts(frames_of({a, b, c}, limit)), whole) << i << " " << j;
      }
    }
  }
}

TEST(Framing, ByteByByteGivesTheSameFrames) {
  std::vector<std::string_view> bytes;
  for (std::size_t i = 0; i < kHostile.size(); ++i) {
    bytes.push_back(std::string_view(kHostile).substr(i, 1));
  }
  EXPECT_EQ(frames_of(bytes), frames_of({kHostile}));
}

TEST(Framing, RandomPortionsThroughPrepareAndCommit) {
  std::mt19937 random(7);
  std::string stream;
  Frames expected;
  for (int i = 0; i < 2000; ++i) {
    const std::string line(1 + random() % 300, static_cast<char>('a' + i % 26));
    stream += line + (random() % 2 ? "\n" : "\r\n");
    expected.push_back("line " + line);
  }
  LineFramer framer;
  Frames frames;
  for (std::size_t at = 0; at < stream.size();) {
    const std::size_t room = 1 + random() % 5000;
    const std::span<char> space = framer.prepare(room);
    ASSERT_EQ(space.size(), room);
    const std::size_t got = std::min<std::size_t>(random() % (room + 1), stream.size() - at);
    std::copy_n(stream.data() + at, got, space.data());
    framer.commit(got);
    at += got;
    for (std::string& frame : drain(framer)) frames.push_back(std::move(frame));
  }
  EXPECT_EQ(frames, expected);
}

TEST(Framing, AHugeLineIsGivenWholeAndItsMemoryBack) {
  LineFramer framer;
  const std::string portion(1 << 20, 'x');
  for (int i = 0; i < 100; ++i) framer.push(portion);
  framer.push("\n");
  const auto frame = framer.next();
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->text.size(), std::size_t{100} << 20);
  EXPECT_FALSE(framer.next());
  framer.push("small\n");
  EXPECT_EQ(drain(framer), (Frames{"line small"}));
}

}  // namespace
}  // namespace parley
