// Writing transcripts: locks, crashes, subagents, stored results.
#include "history/writing/appender.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sstream>

#include "history/conversation/transcript.hpp"
#include "history/writing/change.hpp"
#include "tree_fixture.hpp"

namespace parley::history {
namespace {

class AppenderTest : public TreeTest {
 protected:
  const AppenderOptions kNew{.existing = Existing::refused};
  const AppenderOptions kOld{.existing = Existing::required};
};

TEST_F(AppenderTest, SurvivesACutAtEveryByte) {
  const std::string whole = line("user", "a", "", "hello") + line("assistant", "b", "a", "hi");
  const std::string note = R"({"type":"tag","tag":"after the crash"})";
  for (std::size_t cut = 0; cut <= whole.size(); ++cut) {
    std::filesystem::remove(transcript());  // to cut an existing file takes milliseconds on ext4
    write(transcript(), whole.substr(0, cut));
    ASSERT_TRUE(Appender::open(place()).value().append(note));
    const std::string after = read(transcript());
    EXPECT_TRUE(after.ends_with("\n" + note + "\n") || after == note + "\n");
    EXPECT_TRUE(after.starts_with(whole.substr(0, cut)));  // nothing written is touched
    auto page = read_messages(place());
    ASSERT_TRUE(page);
    EXPECT_LE(page->report.damaged_lines, 1U);
  }
}

/// Appends lines until it is killed, and tells how many by a byte each. Does not return.
[[noreturn]] void write_until_killed(const SessionPlace& place, int told, int round) {
  auto appender = Appender::open(place);
  if (!appender) ::_exit(1);
  for (int i = 0;; ++i) {
    const std::string uuid = std::to_string(round) + "-" + std::to_string(i);
    // Some lines are long enough that the kill can fall into the write itself.
    const std::string text(i % 3 == 0 ? 1 << 18 : 100, 'x');
    if (!appender->append(Json::object({{"uuid", uuid}, {"text", text}}).dump())) ::_exit(2);
    if (::write(told, "x", 1) != 1) ::_exit(3);
  }
}

TEST_F(AppenderTest, AKillLosesNothingThatWasAcknowledged) {
  for (int round = 0; round < 25; ++round) {
    int told[2];
    ASSERT_EQ(::pipe(told), 0);
    const pid_t writer = ::fork();
    ASSERT_GE(writer, 0);
    if (writer == 0) {
      ::close(told[0]);
      write_until_killed(place(), told[1], round);
    }
    ::close(told[1]);
    int acknowledged = 0;
    char byte = 0;
    while (acknowledged <= round % 7 && ::read(told[0], &byte, 1) == 1) ++acknowledged;
    EXPECT_EQ(Appender::open(place()).error().code(), ErrorCode::closed);
    ::kill(writer, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(writer, &status, 0), writer);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the writer ended by itself with " << status;
    while (::read(told[0], &byte, 1) == 1) ++acknowledged;
    ::close(told[0]);

    int whole = 0, damaged = 0;
    std::istringstream lines(read(transcript()));
    for (std::string text; std::getline(lines, text);) {
      auto entry = Json::parse(text);
      if (!entry) {
        ++damaged;
      } else if (whole < acknowledged) {
        EXPECT_EQ((*entry)["uuid"].as_string(),
                  std::to_string(round) + "-" + std::to_string(whole));
        ++whole;
      } else {
        ++whole;  // written, but the writer could not say so any more
      }
    }
    EXPECT_GE(whole, acknowledged);
    EXPECT_LE(whole, acknowledged + 1);
    EXPECT_LE(damaged, 1);
    // The lock went with the process, and the next line stands on its own.
    ASSERT_TRUE(Appender::open(place()).value().append(R"({"uuid":"next"})"));
    EXPECT_TRUE(read(transcript()).ends_with("\n{\"uuid\":\"next\"}\n"));
    std::filesystem::remove(transcript());
  }
}

TEST_F(AppenderTest, OneWriterAtATime) {
  auto first = Appender::open(place());
  ASSERT_TRUE(first);
  const Error refused = Appender::open(place()).error();
  EXPECT_EQ(refused.code(), ErrorCode::closed);
  EXPECT_EQ(refused.message(), "another program is writing this session");
  EXPECT_TRUE(rename_session(place(), "while it runs"));
  Appender moved = std::move(*first);
  EXPECT_EQ(Appender::open(place()).error().code(), ErrorCode::closed);
  EXPECT_TRUE(moved.append("{}"));
  { const Appender gone = std::move(moved); }
  EXPECT_TRUE(Appender::open(place()));
}

TEST_F(AppenderTest, NewAndResumedSessions) {
  EXPECT_EQ(Appender::open(place(), kOld).error().code(), ErrorCode::not_found);
  EXPECT_FALSE(std::filesystem::exists(transcript()));
  EXPECT_TRUE(Appender::open(place(), kNew));
  EXPECT_EQ(Appender::open(place(), kNew).error().code(), ErrorCode::invalid);
  EXPECT_TRUE(Appender::open(place(), kOld));
  EXPECT_EQ(std::filesystem::status(transcript()).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST_F(AppenderTest, TakesWholeObjectsOnly) {
  auto appender = Appender::open({root_.string(), "-new", "55555555-5555-4555-8555-555555555555"},
                                 {.durability = Durability::each_line});
  ASSERT_TRUE(appender);
  for (const char* bad : {"", "[]", "{\"a\":1", "{}\n{}", "{} x"}) {
    EXPECT_EQ(appender->append(bad).error().code(), ErrorCode::invalid) << bad;
  }
  EXPECT_TRUE(appender->append(R"({"type":"user"})"));
  EXPECT_TRUE(appender->sync());
  EXPECT_EQ(appender->path(), appender->place().path());
  EXPECT_EQ(read(appender->path()), "{\"type\":\"user\"}\n");
  EXPECT_EQ(Appender::open({root_.string(), "-new", "../x"}).error().code(), ErrorCode::invalid);
}

TEST_F(AppenderTest, SaysWhenTheFileIsGone) {
  auto appender = Appender::open(place());
  ASSERT_TRUE(appender);
  EXPECT_TRUE(appender->append("{}"));
  std::filesystem::remove(transcript());
  EXPECT_EQ(appender->append("{}").error().code(), ErrorCode::not_found);
  EXPECT_FALSE(std::filesystem::exists(transcript()));
}

TEST_F(AppenderTest, GoesOnAfterAFullDisk) {
  auto appender = Appender::open(place());
  ASSERT_TRUE(appender);
  ASSERT_TRUE(appender->append(R"({"uuid":"first"})"));
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto ignored = ::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 50;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto failed = appender->append(R"({"uuid":")" + std::string(100, 'x') + "\"}");
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  ::signal(SIGXFSZ, ignored);
  EXPECT_EQ(failed.error().code(), ErrorCode::io);
  ASSERT_TRUE(appender->append(R"({"uuid":"second"})"));
  const std::string text = read(transcript());
  EXPECT_TRUE(text.starts_with("{\"uuid\":\"first\"}\n"));
  EXPECT_TRUE(text.ends_with("\n{\"uuid\":\"second\"}\n"));
}

TEST_F(AppenderTest, SubagentsAndStoredResults) {
  auto main = Appender::open(place(), kNew);
  auto agent = Appender::open(place(), {.existing = Existing::refused, .agent_id = "a1"});
  ASSERT_TRUE(main);
  ASSERT_TRUE(agent);
  std::string task = line("user", "s1", "", "task", {{"isSidechain", true}});
  task.pop_back();  // the appender adds the newline
  ASSERT_TRUE(agent->append(task));
  ASSERT_TRUE(write_subagent_note(place(), "a1", R"({"toolUseId":"toolu_1","agentType":"x"})"));
  Report report;
  const auto agents = list_subagents(place(), report).value();
  ASSERT_EQ(agents.size(), 1U);
  EXPECT_EQ(agents[0].tool_use_id, "toolu_1");
  EXPECT_EQ(agents[0].path, agent->path());
  EXPECT_EQ(read_subagent_messages(place(), "a1").value().messages.size(), 1U);
  EXPECT_EQ(Appender::open(place(), {.agent_id = "../a"}).error().code(), ErrorCode::invalid);
  EXPECT_EQ(write_subagent_note(place(), "../a", "{}").error().code(), ErrorCode::invalid);
  EXPECT_FALSE(write_subagent_note(place(), "a1", "[]"));

  const std::string path = store_result(place(), "toolu_1", "long output").value();
  EXPECT_EQ(read(path), "long output");
  EXPECT_EQ(read_stored_result(place(), "toolu_1").value(), "long output");
  EXPECT_EQ(store_result(place(), "../../x", "").error().code(), ErrorCode::permission);
}

}  // namespace
}  // namespace parley::history
