#include "history/search/search.hpp"

#include <gtest/gtest.h>

#include "tree_fixture.hpp"

namespace parley::history {
namespace {

class SearchTest : public TreeTest {
 protected:
  SearchOptions options(const std::string& text, bool ignore_case = false) {
    return {scope(), Pattern::literal(text, ignore_case).value()};
  }
  std::string found(const SearchOptions& what) {
    std::string all;
    const SearchResult result = search(what);
    for (const SessionHits& session : result.sessions) {
      for (const Hit& hit : session.hits) {
        all += std::string(to_string(hit.kind)) + ":" + hit.uuid + " ";
      }
    }
    return all;
  }
};

TEST_F(SearchTest, EveryKindOfText) {
  const Json blocks =
      Json::array({Json::object({{"type", "thinking"}, {"thinking", "I wonder about needles"}}),
                   Json::object({{"type", "text"}, {"text", "a needle"}}),
                   tool_use("t1", "Bash", Json::object({{"command", "grep needle ."}}))});
  write(transcript(), line("user", "a", "", "find the needle") +
                          line("assistant", "b", "a", blocks) +
                          line("user", "c", "b", Json::array({tool_result("t1", "1: needle")})) +
                          line("assistant", "d", "c", "nothing here"));
  EXPECT_EQ(found(options("needle")), "user:a thinking:b assistant:b call:b result:c ");
  SearchOptions only = options("needle");
  only.kinds = {TextKind::answer};
  EXPECT_EQ(found(only), "assistant:b ");
  only = options("needle");
  only.tool = "Bash";
  EXPECT_EQ(found(only), "call:b result:c ");
  only.tool = "Read";
  EXPECT_EQ(found(only), "");
}

TEST_F(SearchTest, FindsWhatJsonEscapes) {
  write(transcript(), line("user", "a", "", "say \"hi\"\nand\tgo C:\\x <b>ünï</b>"));
  for (const char* text : {"\"hi\"", "\"hi\"\nand", "C:\\x", "<b>ü", "ünï", "and\tgo"}) {
    EXPECT_EQ(found(options(text)), "user:a ") << text;
  }
  EXPECT_EQ(found(options("SAY", true)), "user:a ");
  EXPECT_EQ(found(options("SAY")), "");
  EXPECT_EQ(found(options("uuid")), "");  // keys are no text
}

TEST_F(SearchTest, ContextAndOffsets) {
  write(transcript(), line("user", "a", "", "one\ntwo\nthree needle four\nfive\nsix"));
  SearchOptions what = options("needle");
  what.context_lines = 1;
  const Hit hit = search(what).sessions.at(0).hits.at(0);
  EXPECT_EQ(hit.before, "two\nthree ");
  EXPECT_EQ(hit.match, "needle");
  EXPECT_EQ(hit.after, " four\nfive");
}

TEST_F(SearchTest, TimeLimitAndGroups) {
  const std::string other = "22222222-2222-4222-8222-222222222222";
  std::string text;
  for (int i = 0; i < 50; ++i) text += line("user", "u" + std::to_string(i), "", "needle");
  write(transcript(), text);
  write(transcript(other), line("user", "z", "", "needle"));
  SearchOptions what = options("needle");
  what.most_hits = 10;
  const SearchResult result = search(what);
  EXPECT_EQ(result.hits, 51U);
  std::size_t kept = 0;
  for (const SessionHits& session : result.sessions) kept += session.hits.size();
  EXPECT_EQ(kept, 10U);
  what.since_ms = 1794736800001;
  EXPECT_EQ(search(what).hits, 0U);
}

TEST_F(SearchTest, TheLimitCountsHitsOfTheToolOnly) {
  std::string text;
  const auto call = [&](const std::string& id, const std::string& tool) {
    text += line("assistant", "a" + id, "", Json::array({tool_use(id, tool, Json::object())})) +
            line("user", "r" + id, "a" + id, Json::array({tool_result(id, "needle")}));
  };
  for (int i = 0; i < 50; ++i) call("b" + std::to_string(i), "Bash");
  for (int i = 0; i < 7; ++i) call("r" + std::to_string(i), "Read");
  write(transcript(), text);
  SearchOptions what = options("needle");
  what.tool = "Read";
  what.most_hits = 5;
  const SearchResult result = search(what);
  EXPECT_EQ(result.hits, 7U);
  EXPECT_EQ(found(what), "result:rr0 result:rr1 result:rr2 result:rr3 result:rr4 ");
  EXPECT_EQ(result.sessions.at(0).hits.at(0).tool, "Read");
  what.kinds = {TextKind::tool_call};
  EXPECT_EQ(search(what).hits, 0U);
}

TEST_F(SearchTest, Regex) {
  write(transcript(), line("user", "a", "", "error 404 and Error 500"));
  SearchOptions what{scope(), Pattern::regex("error\\s(5\\d\\d)", true).value()};
  const SearchResult result = search(what);
  ASSERT_EQ(result.hits, 1U);
  EXPECT_EQ(result.sessions[0].hits[0].match, "Error 500");
}

TEST_F(SearchTest, CanBeStopped) {
  write(transcript(), line("user", "a", "", "needle"));
  std::stop_source source;
  source.request_stop();
  SearchOptions what = options("needle");
  what.scan.stop = source.get_token();
  EXPECT_EQ(search(what).hits, 0U);
}

TEST_F(SearchTest, TheLatestHitsAreKept) {
  const std::string old_id = "00000000-0000-4000-8000-000000000000";
  write(transcript(old_id), line("user", "a", "", "needle old"));
  write(transcript(), line("user", "a", "", "needle new"));
  const auto now = std::filesystem::last_write_time(transcript());
  std::filesystem::last_write_time(transcript(old_id), now - std::chrono::hours(1));
  SearchOptions options{scope(), Pattern::literal("needle", false).value()};
  options.most_hits = 1;
  const SearchResult result = search(options);
  EXPECT_EQ(result.hits, 2U);
  ASSERT_EQ(result.sessions.size(), 1U);
  EXPECT_EQ(result.sessions[0].hits[0].after, " new");
}

}  // namespace
}  // namespace parley::history
