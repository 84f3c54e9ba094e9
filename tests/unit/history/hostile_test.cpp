// Trees that nobody would make on purpose, and those that somebody would.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "history/conversation/transcript.hpp"
#include "history/export/export.hpp"
#include "history/listing/listing.hpp"
#include "history/search/search.hpp"
#include "history/usage/details.hpp"
#include "history/usage/usage.hpp"
#include "history/writing/change.hpp"
#include "tree_fixture.hpp"

namespace parley::history {
namespace {

class HostileTest : public TreeTest {
 protected:
  /// Does everything that reads; what matters is that all of it returns.
  Report read_all() {
    Listing listing = list_sessions({.scope = scope()});
    for (const SessionInfo& info : listing.sessions) {
      (void)read_messages(info.place());
      (void)read_messages(info.place(), {.limit = 3, .from_end = true});
      (void)read_tree(info.place());
      Report agents;
      (void)list_subagents(info.place(), agents);
      (void)export_session(info.place(), ExportFormat::html,
                           [](std::string_view) { return Result<void>(); });
    }
    const UsageLog usage = collect_usage({.scope = scope()});
    const SearchResult found = search({scope(), Pattern::literal("x", true).value()});
    Report report = listing.report;
    report.merge(Report(usage.report));
    report.merge(Report(found.report));
    return report;
  }
  static std::string id(int number) {
    char text[40];
    std::snprintf(text, sizeof text, "%08d-0000-4000-8000-000000000000", number);
    return text;
  }
  static bool mentions(const Report& report, const std::string& part) {
    for (const Skipped& item : report.skipped) {
      if (item.path.find(part) != std::string::npos) return true;
    }
    return false;
  }
};

TEST_F(HostileTest, NoRootAtAll) {
  EXPECT_TRUE(list_sessions({.scope = {{"/nowhere/at/all"}}}).sessions.empty());
  EXPECT_TRUE(list_sessions({.scope = {{}}}).sessions.empty());
  EXPECT_TRUE(list_sessions({.scope = {{"/dev/null"}}}).sessions.empty());
}

TEST_F(HostileTest, LinksPipesAndFoldersInPlaceOfFiles) {
  write(transcript(id(1)), line("user", "a", "", "fine"));
  std::filesystem::create_directory_symlink(root_, project() / "loop");
  std::filesystem::create_directory_symlink(root_ / "projects", root_ / "projects" / "-loop");
  std::filesystem::create_symlink(transcript(id(1)), transcript(id(2)));
  ASSERT_EQ(::mkfifo(transcript(id(3)).c_str(), 0600), 0);
  std::filesystem::create_directory(transcript(id(4)));
  std::filesystem::create_symlink("nowhere", transcript(id(5)));
  std::filesystem::create_directory_symlink("/", project() / id(1));
  const Report report = read_all();
  EXPECT_EQ(list_sessions({.scope = scope()}).sessions.size(), 1U);
  EXPECT_TRUE(mentions(report, "-loop"));
  for (const int number : {2, 3, 4, 5}) EXPECT_TRUE(mentions(report, id(number))) << number;
}

TEST_F(HostileTest, ARootWhoseProjectsLieElsewhere) {
  write(transcript(), line("user", "a", "", "fine"));
  const auto other = base_ / "other";
  std::filesystem::create_directory(other);
  std::filesystem::create_directory_symlink(root_ / "projects", other / "projects");
  const Listing listing = list_sessions({.scope = {{other.string()}}});
  EXPECT_TRUE(listing.sessions.empty());
  EXPECT_TRUE(mentions(listing.report, "other/projects"));
  const SessionPlace through{other.string(), kProject, kSession};
  EXPECT_EQ(read_messages(through).error().code(), ErrorCode::permission);
  EXPECT_EQ(rename_session(through, "x").error().code(), ErrorCode::permission);
  EXPECT_EQ(delete_session(through).error().code(), ErrorCode::permission);
  EXPECT_TRUE(std::filesystem::exists(transcript()));
}

TEST_F(HostileTest, UnreadableFolders) {
  write(transcript(id(1)), line("user", "a", "", "fine"));
  write(root_ / "projects" / "-closed" / (id(2) + ".jsonl"), line("user", "a", "", "x"));
  write(transcript(id(3)), line("user", "a", "", "x"));
  std::filesystem::permissions(root_ / "projects" / "-closed", std::filesystem::perms::none);
  std::filesystem::permissions(transcript(id(3)), std::filesystem::perms::none);
  // In a child, which is nobody if we are root: root may read everything. It looks from within the
  // folder, because nobody may not pass those above it.
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::error_code failed;
    std::filesystem::current_path(base_, failed);
    if (::geteuid() == 0) {
      constexpr ::uid_t kNobody = 65534;
      for (const auto& path : {base_, root_, root_ / "projects", project(), transcript(id(1))}) {
        if (::chown(path.c_str(), kNobody, kNobody) != 0) ::_exit(2);
      }
      if (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0) ::_exit(3);
    }
    root_ = "root";
    const Report report = read_all();
    const bool found = list_sessions({.scope = scope()}).sessions.size() == 1;
    const bool told = mentions(report, "-closed") && mentions(report, id(3));
    ::_exit(found && told ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  std::filesystem::permissions(root_ / "projects" / "-closed", std::filesystem::perms::owner_all);
}

TEST_F(HostileTest, JunkAndEmptyFiles) {
  write(transcript(id(1)), "");
  std::string junk;
  for (unsigned i = 0; i < 300000; ++i) junk += static_cast<char>(i * 7919 >> 3);
  write(transcript(id(2)), junk);
  write(transcript(id(3)), std::string(100000, '\n'));
  write(transcript(id(4)), std::string(100000, '['));
  write(transcript(id(5)), std::string(1000, '\0') + line("user", "a", "", "x"));
  write(transcript(id(6)), "null\n1\n\"x\"\n[]\n{}\ntrue\n");
  write(
      transcript(id(7)),
      R"({"type":1,"uuid":[],"message":"x","parentUuid":{}})"
      "\n"
      R"({"type":"user","uuid":"a","message":{"content":{"x":1}}})"
      "\n"
      R"({"type":"user","uuid":"b","parentUuid":"a","message":null})"
      "\n"
      R"({"type":"attachment","uuid":"c","attachment":{"type":"queued_command"}})"
      "\n"
      R"({"type":"system","subtype":"compact_boundary","uuid":"d","compactMetadata":{"preservedMessages":{"uuids":[1,null,"a"],"anchorUuid":5}}})"
      "\n");
  const Report report = read_all();
  EXPECT_GT(report.damaged_lines, 0U);
}

TEST_F(HostileTest, MillionsOfTinyLines) {
  std::string text;
  for (int i = 0; i < 1000000; ++i) text += "{}\n";
  write(transcript(), line("user", "a", "", "x") + text + line("assistant", "b", "a", "y"));
  EXPECT_EQ(read_messages(place()).value().messages.size(), 2U);
  EXPECT_EQ(read_messages(place(), {.limit = 1, .from_end = true}).value().messages.size(), 1U);
}

TEST_F(HostileTest, ALineLongerThanTheLimit) {
  // Sparse: the zeros cost no disk.
  write(transcript(), line("user", "a", "", "before") + "{");
  const auto begin = std::filesystem::file_size(transcript());
  std::filesystem::resize_file(transcript(), begin + (std::uintmax_t{600} << 20));
  std::ofstream(transcript(), std::ios::app | std::ios::binary)
      << "}\n" + line("assistant", "b", "a", "after");
  const Page page = read_messages(place()).value();
  EXPECT_EQ(page.messages.size(), 2U);
  EXPECT_EQ(page.report.oversized_lines, 1U);
  EXPECT_EQ(read_messages(place(), {.limit = 1, .from_end = true}).value().messages.size(), 1U);
  EXPECT_EQ(search({scope(), Pattern::literal("after", false).value()}).hits, 1U);
  EXPECT_EQ(list_sessions({.scope = scope()}).sessions.size(), 1U);
  EXPECT_EQ(collect_usage({.scope = scope()}).records.size(), 1U);
}

TEST_F(HostileTest, DeepChainsAndManyBoundaries) {
  std::string text, parent;
  for (int i = 0; i < 100000; ++i) {
    const std::string uuid = std::to_string(i);
    text += R"({"type":"progress","uuid":")" + uuid + R"(","parentUuid":")" + parent + "\"}\n";
    parent = uuid;
  }
  for (int i = 0; i < 20000; ++i) {
    text +=
        R"({"type":"system","subtype":"compact_boundary","uuid":"s)" + std::to_string(i) +
        R"(","compactMetadata":{"preservedSegment":{"headUuid":"1","anchorUuid":"0","tailUuid":"2"}}})"
        "\n";
  }
  write(transcript(), text + line("user", "z", parent, "end"));
  EXPECT_EQ(read_messages(place()).value().messages.size(), 1U);
}

// What takes quadratic time here would run for minutes, beyond the limit of the suite.
TEST_F(HostileTest, ManyCaveatsAndLostResults) {
  std::string text = line("user", "a", "", "begin"), parent = "a";
  const auto next = [&](const std::string& type, const std::string& uuid, const Json& content,
                        const std::vector<Json::Member>& more = {}) {
    text += line(type, uuid, parent, content, more);
    parent = uuid;
  };
  for (int i = 0; i < 60000; ++i) {
    next("user", "c" + std::to_string(i), "<local-command-caveat>x", {{"isMeta", true}});
  }
  for (int i = 0; i < 20000; ++i) {
    const std::string n = std::to_string(i);
    next("assistant", "m" + n, Json::array({tool_use("t" + n, "Bash", Json::object())}));
    // The result hangs on a line that does not exist: it is found by the call's id.
    text += line("user", "r" + n, "nowhere", Json::array({tool_result("t" + n, "ok")}));
  }
  next("user", "z", "end");
  write(transcript(), text);
  EXPECT_EQ(read_messages(place()).value().messages.size(), 2U + 2 * 20000U);
}

TEST_F(HostileTest, ThousandsOfProjects) {
  constexpr int kProjects = 2000;  // more than a process may have files open
  for (int i = 0; i < kProjects; ++i) {
    write(root_ / "projects" / ("-p" + std::to_string(i)) / (id(i) + ".jsonl"),
          line("user", "a", "", "x"));
  }
  const Listing listing = list_sessions({.scope = scope()});
  EXPECT_EQ(listing.sessions.size(), std::size_t{kProjects});
  EXPECT_TRUE(listing.report.empty());
}

TEST_F(HostileTest, ClockJumpsAndStrangeNames) {
  write(transcript(id(1)),
        line("user", "a", "", "x", {{"timestamp", "9999-12-31T23:59:59.999Z"}}) +
            line("assistant", "b", "a", "y", {{"timestamp", "0001-01-01T00:00:00Z"}}));
  std::filesystem::last_write_time(transcript(id(1)), std::filesystem::file_time_type::min());
  const auto strange = root_ / "projects" / "quote\" and\nnewline \x1b[31m";
  write(strange / (id(2) + ".jsonl"), line("user", "a", "", "evil \x1b]0;title\x07"));
  write(strange / "not a session.jsonl", "{}\n");
  EXPECT_EQ(list_sessions({.scope = scope()}).sessions.size(), 2U);
  const UsageLog log = collect_usage({.scope = scope()});
  for (const GroupBy by : {GroupBy::day, GroupBy::week, GroupBy::month, GroupBy::block}) {
    EXPECT_EQ(summarise(log, Prices::built_in(), {by, &local_utc_offset}).total.messages, 1);
  }
  (void)read_all();
}

TEST_F(HostileTest, FilesThatGrowShrinkAndVanish) {
  std::string text, parent;
  for (int i = 0; i < 2000; ++i) {
    text += line(i % 2 == 0 ? "user" : "assistant", "u" + std::to_string(i), parent, "xxxxx");
    parent = "u" + std::to_string(i);
  }
  write(transcript(), text);
  std::atomic<bool> over{false};
  std::thread changer([&] {
    for (int i = 0; !over; ++i) {
      switch (i % 4) {
        case 0: (void)::truncate(transcript().c_str(), 1000); break;
        case 1: (void)::unlink(transcript().c_str()); break;
        case 2: write(transcript(), text); break;
        default: std::ofstream(transcript(), std::ios::app) << text.substr(0, 5000);
      }
    }
  });
  for (int i = 0; i < 30; ++i) (void)read_all();
  over = true;
  changer.join();
}

TEST_F(HostileTest, ReadingChangesNothing) {
  write(transcript(), line("user", "a", "", "x") + "{\"half");
  const std::string before = read(transcript());
  const auto time = std::filesystem::last_write_time(transcript());
  (void)read_all();
  std::vector<SessionInfo> sessions = list_sessions({.scope = scope()}).sessions;
  (void)add_details(sessions, scope(), Prices::built_in());
  EXPECT_EQ(read(transcript()), before);
  EXPECT_EQ(std::filesystem::last_write_time(transcript()), time);
  int entries = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root_)) {
    (void)entry;
    ++entries;
  }
  EXPECT_EQ(entries, 3);  // projects, the project, the transcript
}

}  // namespace
}  // namespace parley::history
