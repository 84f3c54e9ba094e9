// Rename, tag, archive, delete, fork, import, export.
#include "history/writing/change.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "history/conversation/transcript.hpp"
#include "history/export/export.hpp"
#include "history/listing/listing.hpp"
#include "history/writing/appender.hpp"
#include "support/text/unprintable.hpp"
#include "tree_fixture.hpp"
#include "wire/ids.hpp"

namespace parley::history {
namespace {

class ChangeTest : public TreeTest {
 protected:
  void SetUp() override {
    TreeTest::SetUp();
    write(transcript(), line("user", "a", "", "hello") + line("assistant", "b", "a", "hi") +
                            line("user", "c", "b", "bye") + line("assistant", "d", "c", "ciao"));
  }
  SessionInfo info() { return session_info(scope(), kSession).value(); }
  static std::string texts(const SessionPlace& place) {
    std::string all;
    for (const Message& message : read_messages(place).value().messages) {
      all += std::string(message.message->json().value()["content"].as_string()) + " ";
    }
    return all;
  }
  std::string exported(ExportFormat format) {
    std::string out;
    EXPECT_TRUE(export_session(place(), format, [&](std::string_view piece) {
      out += piece;
      return Result<void>();
    }));
    return out;
  }
};

TEST_F(ChangeTest, RenameAndTag) {
  ASSERT_TRUE(rename_session(place(), "  My \"title\"\n"));
  EXPECT_EQ(info().customTitle, "My \"title\"");
  ASSERT_TRUE(tag_session(place(), "red"));
  EXPECT_EQ(info().tag, "red");
  ASSERT_TRUE(tag_session(place(), std::nullopt));
  EXPECT_FALSE(info().tag.has_value());
  EXPECT_EQ(rename_session(place(), " ").error().code(), ErrorCode::invalid);
  EXPECT_EQ(tag_session(place(), " ").error().code(), ErrorCode::invalid);
  const SessionPlace missing{root_.string(), kProject, "33333333-3333-4333-8333-333333333333"};
  EXPECT_EQ(rename_session(missing, "x").error().code(), ErrorCode::not_found);
  EXPECT_FALSE(std::filesystem::exists(transcript(missing.session_id)));
}

TEST_F(ChangeTest, ArchiveUntilTheNextPrompt) {
  ASSERT_TRUE(archive_session(place(), true));
  EXPECT_EQ(info().archived, true);
  ASSERT_TRUE(archive_session(place(), false));
  EXPECT_EQ(info().archived, false);
  ASSERT_TRUE(archive_session(place(), true));
  ASSERT_TRUE(append_note(place(), Json::object({{"type", "user"},
                                                 {"uuid", "e"},
                                                 {"timestamp", "2999-01-01T00:00:00.000Z"},
                                                 {"message", Json::object({{"content", "again"}})}})
                                       .dump()));
  EXPECT_EQ(info().archived, false);
}

TEST_F(ChangeTest, DeleteTakesTheFolderAlong) {
  write(project() / kSession / "subagents" / "agent-x.jsonl", "{}\n");
  ASSERT_TRUE(delete_session(place()));
  EXPECT_FALSE(std::filesystem::exists(transcript()));
  EXPECT_FALSE(std::filesystem::exists(project() / kSession));
  EXPECT_EQ(delete_session(place()).error().code(), ErrorCode::not_found);
}

TEST_F(ChangeTest, NothingFollowsLinksOut) {
  const auto outside = base_ / "outside";
  write(outside / "precious.jsonl", "keep me");
  write(outside / "folder" / "precious", "keep me");
  const std::string linked = "44444444-4444-4444-8444-444444444444";
  std::filesystem::create_symlink(outside / "precious.jsonl", transcript(linked));
  EXPECT_FALSE(rename_session(place(linked), "x"));
  EXPECT_FALSE(delete_session(place(linked)));
  EXPECT_FALSE(read_messages(place(linked)));
  // The session's own folder is a link: nothing is deleted at all.
  std::filesystem::create_directory_symlink(outside / "folder", project() / kSession);
  EXPECT_EQ(delete_session(place()).error().code(), ErrorCode::permission);
  EXPECT_EQ(archive_session(place(), true).error().code(), ErrorCode::permission);
  EXPECT_TRUE(std::filesystem::exists(transcript()));
  // A link inside it is removed, not followed.
  std::filesystem::remove(project() / kSession);
  std::filesystem::create_directory(project() / kSession);
  std::filesystem::create_directory_symlink(outside / "folder", project() / kSession / "link");
  EXPECT_TRUE(delete_session(place()));
  EXPECT_EQ(read(outside / "precious.jsonl"), "keep me");
  EXPECT_EQ(read(outside / "folder" / "precious"), "keep me");
  // Names that lead out.
  EXPECT_FALSE(read_messages({root_.string(), "../../outside", "precious"}));
  EXPECT_FALSE(delete_session({root_.string(), "..", "x"}));
}

TEST_F(ChangeTest, ForkCopiesUnderFreshUuids) {
  const SessionPlace copy = fork_session(place()).value();
  EXPECT_NE(copy.session_id, kSession);
  EXPECT_EQ(texts(copy), texts(place()));
  const auto old_page = read_messages(place()).value(), new_page = read_messages(copy).value();
  for (std::size_t i = 0; i < old_page.messages.size(); ++i) {
    EXPECT_NE(old_page.messages[i].uuid, new_page.messages[i].uuid);
    EXPECT_EQ(new_page.messages[i].session_id, copy.session_id);
  }
  EXPECT_EQ(session_info(scope(), copy.session_id).value().summary, "hello (fork)");
}

TEST_F(ChangeTest, ForkUpToAMessage) {
  const SessionPlace copy = fork_session(place(), {.up_to = "b", .title = "Half"}).value();
  EXPECT_EQ(texts(copy), "hello hi ");
  EXPECT_EQ(session_info(scope(), copy.session_id).value().summary, "Half");
  EXPECT_EQ(fork_session(place(), {.up_to = "zz"}).error().code(), ErrorCode::not_found);
}

TEST_F(ChangeTest, ImportKeepsOrChangesTheId) {
  const std::string file = (base_ / "in.jsonl").string();
  write(file, read(transcript()) + "{damaged\n");
  const auto fresh = import_session(file, root_.string(), "-other").value();
  EXPECT_EQ(fresh.place.session_id, kSession);
  EXPECT_EQ(fresh.damaged_lines, 1U);
  EXPECT_EQ(texts(fresh.place), texts(place()));
  const auto again = import_session(file, root_.string(), "-other").value();
  EXPECT_NE(again.place.session_id, kSession);
  EXPECT_EQ(texts(again.place), texts(place()));
  write(file, "no transcript\n");
  EXPECT_EQ(import_session(file, root_.string(), "-other").error().code(), ErrorCode::invalid);
}

TEST_F(ChangeTest, Exports) {
  write(transcript(), line("user", "a", "", "<script>alert(1)</script> & ```") +
                          line("assistant", "b", "a",
                               Json::array({tool_use("t", "Edit",
                                                     Json::object({{"file_path", "/x.c"},
                                                                   {"old_string", "a\nb"},
                                                                   {"new_string", "a\nc"}}))})) +
                          line("user", "c", "b", Json::array({tool_result("t", "done")})) +
                          "{\"half");
  EXPECT_EQ(exported(ExportFormat::jsonl), read(transcript()) + "\n");
  const std::string html = exported(ExportFormat::html);
  EXPECT_EQ(html.find("<script>"), std::string::npos);
  EXPECT_NE(html.find("&lt;script&gt;alert(1)&lt;/script&gt; &amp;"), std::string::npos);
  EXPECT_NE(html.find("<span class=\"del\">-b</span><span class=\"add\">+c</span>"),
            std::string::npos);
  EXPECT_EQ(html.find("http://"), std::string::npos);  // self-contained
  const std::string markdown = exported(ExportFormat::markdown);
  EXPECT_NE(markdown.find("```diff\n a\n-b\n+c\n```"), std::string::npos);
  EXPECT_NE(markdown.find("<details><summary>Edit: /x.c</summary>"), std::string::npos);
}

TEST_F(ChangeTest, ExportsForEyesHoldNothingThatATerminalObeys) {
  const std::string evil = "\x1b]0;evil\a\u009b31m\x7f\u202e";
  write(transcript(), line("user", "a", "", evil) + line("assistant", "b" + evil, "a", evil));
  EXPECT_EQ(exported(ExportFormat::jsonl), read(transcript()));
  for (const ExportFormat format : {ExportFormat::html, ExportFormat::markdown}) {
    const std::string text = exported(format);
    EXPECT_NE(text.find("\uFFFD]0;evil\uFFFD\uFFFD31m\uFFFD\uFFFD"), std::string::npos);
    EXPECT_EQ(text, printable(text));
  }
}

TEST_F(ChangeTest, ExportsResultsWithTheirCallsHoweverLate) {
  std::string text = line("user", "a", "", "begin"), parent = "a";
  const auto next = [&](const char* type, const std::string& uuid, const Json& content) {
    text += line(type, uuid, parent, content);
    parent = uuid;
  };
  next("assistant", "b",
       Json::array({tool_use("early", "Bash", Json::object()),
                    tool_use("never", "Bash", Json::object()),
                    tool_use("late", "Bash", Json::object())}));
  next("user", "c", Json::array({tool_result("early", "RESULT 1")}));
  for (int i = 0; i < 100; ++i) {
    next("user", "u" + std::to_string(i), "more " + std::to_string(i));
    if (i == 5) next("user", "d", Json::array({tool_result("late", "RESULT 2")}));
  }
  next("user", "e", Json::array({tool_result("never", "too late")}));
  write(transcript(), text);
  const std::string markdown = exported(ExportFormat::markdown);
  const auto at = [&](const char* what) { return markdown.find(what); };
  EXPECT_LT(at("RESULT 1"), at("RESULT 2"));
  EXPECT_LT(at("RESULT 2"), at("more 0"));
  EXPECT_LT(at("more 98"), at("more 99"));
  EXPECT_GT(at("too late"), at("more 99"));  // it waited no longer
  EXPECT_NE(at("too late"), std::string::npos);
}

TEST_F(ChangeTest, DeleteLeavesASessionThatIsBeingWritten) {
  auto writer = Appender::open(place());
  ASSERT_TRUE(writer);
  EXPECT_EQ(delete_session(place()).error().code(), ErrorCode::closed);
  EXPECT_TRUE(std::filesystem::exists(transcript()));
  writer = Error();
  EXPECT_TRUE(delete_session(place()));
}

TEST_F(ChangeTest, WhatIsStoppedLeavesNothingBehind) {
  const auto stopped = std::make_unique<std::stop_source>();  // on the heap: g++ 12 warns otherwise
  stopped->request_stop();
  const std::string file = (base_ / "in.jsonl").string();
  write(file, read(transcript()));
  EXPECT_EQ(import_session(file, root_.string(), "-other", stopped->get_token()).error().code(),
            ErrorCode::cancelled);
  EXPECT_EQ(fork_session(place(), {.stop = stopped->get_token()}).error().code(),
            ErrorCode::cancelled);
  EXPECT_EQ(list_sessions({.scope = scope()}).sessions.size(), 1U);
}

}  // namespace
}  // namespace parley::history
