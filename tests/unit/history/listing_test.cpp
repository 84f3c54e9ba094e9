#include "history/listing/listing.hpp"

#include <gtest/gtest.h>

#include "history/usage/details.hpp"
#include "tree_fixture.hpp"

namespace parley::history {
namespace {

constexpr const char* kOther = "22222222-2222-4222-8222-222222222222";

class ListingTest : public TreeTest {
 protected:
  SessionInfo only() {
    const Listing listing = list_sessions({.scope = scope()});
    EXPECT_EQ(listing.sessions.size(), 1U);
    return listing.sessions.empty() ? SessionInfo() : listing.sessions.front();
  }
};

TEST_F(ListingTest, DescribesASession) {
  write(transcript(), line("user", "a", "", "fix the bug") + line("assistant", "b", "a", "ok"));
  const SessionInfo info = only();
  EXPECT_EQ(info.sessionId, kSession);
  EXPECT_EQ(info.summary, "fix the bug");
  EXPECT_EQ(info.firstPrompt, "fix the bug");
  EXPECT_EQ(info.cwd, "/work");
  EXPECT_EQ(info.gitBranch, "main");
  EXPECT_EQ(info.createdAt, 1794736800000);
  EXPECT_EQ(info.fileSize, static_cast<std::int64_t>(std::filesystem::file_size(transcript())));
}

TEST_F(ListingTest, NotesComeFromTheEnd) {
  const std::string filler = line("assistant", "b", "a", std::string(200000, 'x'));
  write(transcript(), line("user", "a", "", "first") +
                          R"({"type":"custom-title","customTitle":"old"})"
                          "\n" +
                          filler +
                          R"({"type":"last-prompt","lastPrompt":"last"})"
                          "\n"
                          R"({"type":"custom-title","customTitle":"new"})"
                          "\n"
                          R"({"type":"tag","tag":"red"})"
                          "\n"
                          R"({"type":"cost-state","totalCostUSD":1.5})"
                          "\n");
  const SessionInfo info = only();
  EXPECT_EQ(info.customTitle, "new");
  EXPECT_EQ(info.summary, "new");
  EXPECT_EQ(info.tag, "red");
  EXPECT_EQ(info.costUSD, 1.5);
}

TEST_F(ListingTest, OrderLimitAndScope) {
  write(transcript(), line("user", "a", "", "older"));
  write(transcript(kOther), line("user", "a", "", "newer"));
  const auto now = std::filesystem::last_write_time(transcript(kOther));
  std::filesystem::last_write_time(transcript(), now - std::chrono::hours(1));
  const Listing all = list_sessions({.scope = scope()});
  ASSERT_EQ(all.sessions.size(), 2U);
  EXPECT_EQ(all.sessions[0].sessionId, kOther);
  EXPECT_EQ(list_sessions({.scope = scope(), .limit = 1, .offset = 1}).sessions[0].sessionId,
            kSession);
  Scope elsewhere = scope();
  elsewhere.working_folder = "/elsewhere";
  EXPECT_TRUE(list_sessions({.scope = elsewhere}).sessions.empty());
  elsewhere.working_folder = "/work";
  EXPECT_EQ(list_sessions({.scope = elsewhere}).sessions.size(), 2U);
}

TEST_F(ListingTest, SeveralRootsEachIdOnce) {
  write(transcript(), line("user", "a", "", "here"));
  const auto second = base_ / "second";
  write(second / "projects" / kProject / (std::string(kSession) + ".jsonl"),
        line("user", "a", "", "there"));
  write(second / "projects" / kProject / (std::string(kOther) + ".jsonl"),
        line("user", "a", "", "more"));
  const auto now = std::filesystem::last_write_time(transcript());
  std::filesystem::last_write_time(transcript(), now + std::chrono::hours(1));
  const Listing all = list_sessions({.scope = {{root_.string(), second.string()}}});
  ASSERT_EQ(all.sessions.size(), 2U);
  EXPECT_EQ(all.sessions[0].summary, "here");
}

TEST_F(ListingTest, FindsByTheBeginningOfAnId) {
  write(transcript(), line("user", "a", "", "x"));
  write(transcript("11112222-2222-4222-8222-222222222222"), line("user", "a", "", "y"));
  EXPECT_EQ(find_session(scope(), "11111111").value().session_id, kSession);
  EXPECT_EQ(find_session(scope(), "1111").error().code(), ErrorCode::invalid);
  EXPECT_EQ(find_session(scope(), "9999").error().code(), ErrorCode::not_found);
  EXPECT_EQ(find_session(scope(), "1").error().code(), ErrorCode::invalid);
}

TEST_F(ListingTest, Details) {
  write(transcript(), line("user", "a", "", "x") + line("assistant", "b", "a", "y") +
                          R"({"type":"tag","tag":"red"})"
                          "\n");
  std::vector<SessionInfo> sessions = list_sessions({.scope = scope()}).sessions;
  EXPECT_TRUE(add_details(sessions, scope(), Prices::built_in()).empty());
  EXPECT_EQ(sessions[0].messages, 2);
  EXPECT_DOUBLE_EQ(sessions[0].costUSD.value(), (10 * 3 + 20 * 15) / 1e6);
}

TEST(HistoryRoots, FromTheEnvironment) {
  const auto roots = [](const char* config, const char* home) {
    return default_roots(
        [=](const char* name) { return std::string_view(name) == "HOME" ? home : config; });
  };
  using List = std::vector<std::string>;
  EXPECT_EQ(roots("/config", "/home/me"), List{"/config"});
  EXPECT_EQ(roots("", "/home/me"), List{"/home/me/.claude"});
  EXPECT_EQ(roots(nullptr, nullptr), List{});
}

}  // namespace
}  // namespace parley::history
