// Branches, compaction, parallel calls, queued prompts and pages.
#include <gtest/gtest.h>

#include "history/conversation/transcript.hpp"
#include "tree_fixture.hpp"

namespace parley::history {
namespace {

class Conversation : public TreeTest {
 protected:
  std::string uuids(const ReadOptions& options = {}) {
    auto page = read_messages(place(), options);
    if (!page) return page.error().what();
    std::string all;
    for (const Message& message : page->messages) all += (all.empty() ? "" : " ") + message.uuid;
    return all;
  }
};

TEST_F(Conversation, DeadBranchesAreDropped) {
  write(transcript(), line("user", "a", "", "hi") + line("assistant", "b", "a", "one") +
                          line("user", "c", "b", "wrong way") +
                          line("user", "d", "b", "right way") +
                          line("assistant", "e", "d", "done"));
  EXPECT_EQ(uuids(), "a b d e");
  const Tree tree = read_tree(place()).value();
  ASSERT_EQ(tree.nodes.size(), 5U);
  EXPECT_FALSE(tree.nodes[2].alive);
  EXPECT_TRUE(tree.nodes[3].alive);
}

TEST_F(Conversation, EachUuidOnceAndTheLastLineCounts) {
  write(transcript(), line("user", "a", "", "old") + line("assistant", "b", "a", "x") +
                          line("user", "a", "", "new"));
  auto page = read_messages(place()).value();
  ASSERT_EQ(page.messages.size(), 2U);
  EXPECT_EQ(page.messages[0].message->json().value()["content"].as_string(), "new");
}

TEST_F(Conversation, CompactionStartsAfresh) {
  const Json metadata = Json::object({{"trigger", "manual"}});
  write(transcript(), line("user", "a", "", "hi") + line("assistant", "b", "a", "one") +
                          line("system", "s", "", "",
                               {{"subtype", "compact_boundary"},
                                {"logicalParentUuid", "b"},
                                {"compactMetadata", metadata}}) +
                          line("user", "c", "s", "summary", {{"isCompactSummary", true}}) +
                          line("user", "d", "c", "go on"));
  EXPECT_EQ(uuids(), "c d");
  EXPECT_EQ(uuids({.include_system = true}), "s c d");
}

TEST_F(Conversation, CompactionKeepsASegment) {
  const Json kept = Json::object({{"headUuid", "k1"}, {"anchorUuid", "c"}, {"tailUuid", "k2"}});
  write(transcript(), line("user", "a", "", "hi") + line("user", "k1", "a", "kept") +
                          line("assistant", "k2", "k1", "kept too") +
                          line("system", "s", "", "",
                               {{"subtype", "compact_boundary"},
                                {"compactMetadata", Json::object({{"preservedSegment", kept}})}}) +
                          line("user", "c", "s", "summary", {{"isCompactSummary", true}}) +
                          line("user", "d", "c", "go on"));
  EXPECT_EQ(uuids(), "c k1 k2 d");
}

TEST_F(Conversation, ParallelCallsStayTogether) {
  const auto call = [](const char* id) {
    return Json::array({tool_use(id, "Bash", Json::object())});
  };
  const auto result = [](const char* id) { return Json::array({tool_result(id, "ok")}); };
  write(transcript(), line("user", "a", "", "do both") +
                          line("assistant", "b1", "a", call("t1"), {{"message.id", "m"}}) +
                          line("assistant", "b2", "b1", call("t2"), {{"message.id", "m"}}) +
                          line("user", "r1", "b1", result("t1")) +
                          line("user", "r2", "b2", result("t2")) +
                          line("assistant", "e", "r2", "done"));
  EXPECT_EQ(uuids(), "a b1 b2 r1 r2 e");
}

TEST_F(Conversation, CyclesEnd) {
  write(transcript(), line("user", "a", "b", "x") + line("assistant", "b", "a", "y"));
  EXPECT_EQ(uuids(), "");  // nothing is the end of it
}

TEST_F(Conversation, DamagedLinesAreCounted) {
  write(transcript(), line("user", "a", "", "hi") + "{broken\n\n\n[1]\n" +
                          line("assistant", "b", "a", "one") + "{\"type\":\"user\",\"uu");
  auto page = read_messages(place()).value();
  EXPECT_EQ(page.messages.size(), 2U);
  EXPECT_EQ(page.report.damaged_lines, 3U);
}

TEST_F(Conversation, PagesFromBothEnds) {
  std::string text, parent;
  for (int i = 0; i < 3000; ++i) {
    const std::string uuid = "u" + std::to_string(i);
    text += line(i % 2 == 0 ? "user" : "assistant", uuid, parent, std::string(300, 'x'));
    parent = uuid;
  }
  write(transcript(), text);
  EXPECT_EQ(uuids({.offset = 1, .limit = 2}), "u1 u2");
  EXPECT_EQ(uuids({.limit = 2, .from_end = true}), "u2998 u2999");
  EXPECT_EQ(uuids({.offset = 2500, .limit = 2, .from_end = true}), "u498 u499");
  EXPECT_EQ(uuids({.offset = 2999, .limit = 5, .from_end = true}), "u0");
  EXPECT_EQ(uuids({.offset = 3000, .limit = 5, .from_end = true}), "");
  auto last = read_messages(place(), {.limit = 2, .from_end = true}).value();
  EXPECT_FALSE(last.total.has_value());  // it was not necessary to know
}

TEST_F(Conversation, Subagents) {
  write(transcript(), line("user", "a", "", "hi"));
  const auto folder = project() / kSession / "subagents";
  write(folder / "agent-abc.jsonl", line("user", "s1", "", "task", {{"isSidechain", true}}) +
                                        line("assistant", "s2", "s1", "done"));
  write(folder / "agent-abc.meta.json", R"({"toolUseId":"toolu_1","agentType":"x"})");
  Report report;
  const auto agents = list_subagents(place(), report).value();
  ASSERT_EQ(agents.size(), 1U);
  EXPECT_EQ(agents[0].agent_id, "abc");
  const auto page = read_subagent_messages(place(), "abc").value();
  ASSERT_EQ(page.messages.size(), 2U);
  EXPECT_EQ(page.messages[0].parent_tool_use_id, Nullable<std::string>("toolu_1"));
  EXPECT_EQ(read_subagent_messages(place(), "nope").error().code(), ErrorCode::not_found);
}

TEST_F(Conversation, StoredResults) {
  write(transcript(), line("user", "a", "", "hi"));
  EXPECT_TRUE(list_stored_results(place()).value().empty());
  write(project() / kSession / "tool-results" / "toolu_1.txt", "long output");
  EXPECT_EQ(list_stored_results(place()).value(), std::vector<std::string>{"toolu_1"});
  EXPECT_EQ(read_stored_result(place(), "toolu_1").value(), "long output");
  EXPECT_EQ(read_stored_result(place(), "toolu_1", 4).error().code(), ErrorCode::too_large);
  EXPECT_EQ(read_stored_result(place(), "toolu_2").error().code(), ErrorCode::not_found);
  EXPECT_EQ(read_stored_result(place(), "../../x").error().code(), ErrorCode::permission);
}

}  // namespace
}  // namespace parley::history
