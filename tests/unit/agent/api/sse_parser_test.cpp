#include "agent/api/sse_parser.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace parley::agent {
namespace {

using Events = std::vector<std::string>;

Events parse(std::string_view bytes, std::size_t portion, SseParser parser = SseParser()) {
  Events events;
  for (std::size_t at = 0; at < bytes.size(); at += portion) {
    parser.push(bytes.substr(at, portion), [&](std::string_view data) {
      events.emplace_back(data);
      return true;
    });
  }
  return events;
}

/// The same at every split point, or the test fails.
Events parse(std::string_view bytes) {
  const Events whole = parse(bytes, bytes.size() + 1);
  for (std::size_t portion = 1; portion <= bytes.size(); ++portion) {
    EXPECT_EQ(parse(bytes, portion), whole) << "in portions of " << portion;
  }
  return whole;
}

TEST(SseParser, GivesTheDataOfEvents) {
  EXPECT_EQ(parse("event: a\ndata: {\"x\":1}\n\ndata:2\n\n"), (Events{"{\"x\":1}", "2"}));
}

TEST(SseParser, TakesEveryLineEnd) {
  EXPECT_EQ(parse("data: 1\r\n\r\ndata: 2\r\rdata: 3\n\n"), (Events{"1", "2", "3"}));
  EXPECT_EQ(parse("data: 1\r\n\ndata: 2\n\r\n"), (Events{"1", "2"}));
}

TEST(SseParser, JoinsLinesOfData) {
  EXPECT_EQ(parse("data: a\ndata:\ndata:  b\n\n"), (Events{"a\n\n b"}));
  EXPECT_EQ(parse("data\n\n"), (Events{""}));
}

TEST(SseParser, DropsCommentsOtherFieldsAndEmptyEvents) {
  EXPECT_EQ(parse(": hello\nid: 7\nretry: 3\nevent: x\n\n\n\n:\ndata: 1\ndatax: 2\n\n"),
            (Events{"1"}));
}

TEST(SseParser, DropsAByteOrderMarkAtTheStartOnly) {
  EXPECT_EQ(parse("\xEF\xBB\xBF"
                  "data: 1\n\n\xEF\xBB\xBF"
                  "data: 2\n\n"),
            (Events{"1"}));
}

TEST(SseParser, DropsWhatIsNotComplete) {
  EXPECT_EQ(parse("data: 1\n\ndata: 2\n"), (Events{"1"}));
  EXPECT_EQ(parse("data: 1\n\ndata: 2"), (Events{"1"}));
}

TEST(SseParser, TakesJunkForNothing) {
  EXPECT_EQ(parse("<html>hello</html>"), Events{});
  EXPECT_EQ(parse(std::string("\0\xFF\xFE\n\n\0data: x\n\n", 14)), Events{});
}

TEST(SseParser, BoundsAnEvent) {
  const auto too_large = [](const std::string& bytes) {
    SseParser parser(64);
    std::size_t most = 0;
    bool more = true;
    for (const char c : bytes) {
      more = parser.push(std::string_view(&c, 1), [](std::string_view) { return true; });
      most = std::max(most, parser.pending());
    }
    EXPECT_LE(most, 65U);
    EXPECT_EQ(more, !parser.too_large());
    return parser.too_large();
  };
  EXPECT_TRUE(too_large("data: " + std::string(100, 'x')));
  EXPECT_TRUE(too_large(std::string(100, 'x')));
  std::string lines;
  for (int i = 0; i < 100; ++i) lines += "data: x\n";
  EXPECT_TRUE(too_large(lines));
  std::string events;
  for (int i = 0; i < 100; ++i) events += "data: 0123456789\n\n";
  EXPECT_FALSE(too_large(events));
}

TEST(SseParser, NamesAndIdsOfEvents) {
  SseParser parser;
  std::string seen;
  const auto note = [&](std::string_view data) {
    seen += parser.event() + ":" + std::string(data) + ":" + parser.last_id() + " ";
    return true;
  };
  EXPECT_TRUE(parser.push("event: a\nid: 1\ndata: x\n\ndata: y\n\nid: 2\nretry: 500\n\n", note));
  EXPECT_EQ(seen, "a:x:1 :y:1 ");
  EXPECT_EQ(parser.last_id(), "2");
  EXPECT_EQ(parser.retry(), std::chrono::milliseconds(500));
  EXPECT_TRUE(parser.push("retry: soon\nretry: -1\n\n", note));
  EXPECT_EQ(parser.retry(), std::chrono::milliseconds(500));
}

TEST(SseParser, StopsWhenToldTo) {
  SseParser parser;
  int seen = 0;
  const auto once = [&](std::string_view) {
    ++seen;
    return false;
  };
  EXPECT_FALSE(parser.push("data: 1\n\ndata: 2\n\n", once));
  EXPECT_FALSE(parser.push("data: 3\n\n", once));
  EXPECT_EQ(seen, 1);
}

}  // namespace
}  // namespace parley::agent
