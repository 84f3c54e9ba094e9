// Transcripts in a store: what the CLI writes arrives there, and a session comes back out of it.
#include <unistd.h>

#include <fstream>

#include "client/store/session_store.hpp"
#include "support.hpp"
#include "support/files/io.hpp"

namespace parley::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string mirrored(const std::string& path, const std::string& entries) {
  return R"(out {"type":"transcript_mirror","filePath":")" + path + R"(","entries":)" + entries +
         "}\n";
}

std::vector<std::string> texts(const std::optional<std::vector<RawJson>>& entries) {
  std::vector<std::string> all;
  for (const RawJson& entry : entries.value()) all.push_back(entry.text);
  return all;
}

/// Fails as often as it is told to, and counts.
class UnsureStore final : public SessionStore {
 public:
  explicit UnsureStore(int failures) : failures_(failures) {}
  Result<void> append(const SessionKey& key, const std::vector<RawJson>& entries) override {
    ++attempts;
    if (failures_-- > 0) return Error(ErrorCode::io, "the disk is full");
    return kept.append(key, entries);
  }
  Result<std::optional<std::vector<RawJson>>> load(const SessionKey& key) override {
    return kept.load(key);
  }
  MemorySessionStore kept;
  std::atomic<int> attempts = 0;

 private:
  int failures_;
};

TEST(SessionKey, IsReadFromAFileName) {
  const auto key = SessionKey::of_file("/home/x/.claude/projects/-work/abc.jsonl");
  ASSERT_TRUE(key);
  EXPECT_EQ(*key, (SessionKey{"-work", "abc", ""}));
  EXPECT_EQ(SessionKey::of_file("/c/projects/-work/abc/subagents/agent-1.jsonl"),
            (SessionKey{"-work", "abc", "subagents/agent-1"}));
  EXPECT_FALSE(SessionKey::of_file("/c/projects/-work/abc.json"));
  EXPECT_FALSE(SessionKey::of_file("/c/elsewhere/abc.jsonl"));
  EXPECT_FALSE(SessionKey::of_file("/c/projects/abc.jsonl"));
}

TEST(SessionStore, GetsWhatTheCliWrites) {
  const auto store = std::make_shared<MemorySessionStore>();
  const auto arguments = temporary_file("store-args");
  Options options =
      fake("args " + arguments.string() + "\ninit\n" +
           mirrored("/c/projects/-w/s-1.jsonl", R"([{"uuid":"1"},{"uuid":"2"}])") +
           mirrored("/c/projects/-w/s-1.jsonl", R"([{"uuid":"3"}])") +
           mirrored("/c/projects/-w/s-1/subagents/a.jsonl", R"([{"uuid":"4"}])") + "turn ok\neof");
  options.transcript.store = store;
  Session session(options);
  ASSERT_TRUE(session.connect());
  int mirrors = 0;
  ASSERT_TRUE(session.send("x"));
  ASSERT_TRUE(next_result(session, [&](const Message& message) {
    if (std::holds_alternative<TranscriptMirror>(message)) ++mirrors;
  }));
  session.close();
  EXPECT_EQ(mirrors, 0) << "they are for the store";
  EXPECT_THAT(read_file(arguments).value_or(""), HasSubstr("--session-mirror"));
  EXPECT_THAT(texts(store->load({"-w", "s-1", ""}).value()),
              ElementsAre(R"({"uuid":"1"})", R"({"uuid":"2"})", R"({"uuid":"3"})"));
  EXPECT_THAT(store->subpaths({"-w", "s-1", ""}).value(), ElementsAre("subagents/a"));
}

TEST(SessionStore, IsTriedAgainAndThenTold) {
  const auto unsure = std::make_shared<UnsureStore>(1), broken = std::make_shared<UnsureStore>(99);
  for (const auto& store : {unsure, broken}) {
    Options options =
        fake("init\n" + mirrored("/c/projects/-w/s-1.jsonl", R"([{"uuid":"1"}])") + "eof");
    options.transcript.store = store;
    Session session(options);
    ASSERT_TRUE(session.connect());
    if (store == broken) {
      const auto message = session.receive(kPatience);
      ASSERT_TRUE(message);
      const auto* error = message->get_if<MirrorError>();
      ASSERT_NE(error, nullptr);
      EXPECT_EQ(error->error, "the disk is full");
      EXPECT_EQ(error->key->sessionId, "s-1");
    }
  }
  EXPECT_EQ(unsure->attempts, 2);
  EXPECT_TRUE(unsure->kept.load({"-w", "s-1", ""}).value());
  EXPECT_EQ(broken->attempts, 3);
}

TEST(SessionStore, ASessionIsResumedFromIt) {
  const fs::path work = temporary_file("store-work"), home = temporary_file("store-home");
  fs::create_directories(work);
  fs::create_directories(home / ".claude" / "projects" / "other");
  std::ofstream(home / ".claude" / "settings.json") << "{}";
  std::ofstream(home / ".claude" / ".credentials.json")
      << R"({"oauth":{"accessToken":"a","refreshToken":"r"}})";
  std::ofstream(home / ".claude.json") << R"({"theme":"dark"})";
  std::string project = fs::canonical(work).string();
  for (char& c : project) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '-';
  }
  const auto store = std::make_shared<MemorySessionStore>();
  const std::string id = "0c565e0d-4c10-451b-a0aa-7fbe6ed80e07";
  ASSERT_TRUE(store->append({project, id, ""}, {RawJson(R"({"uuid":"1"})")}));
  ASSERT_TRUE(store->append({project, id, "subagents/agent-1"}, {RawJson(R"({"uuid":"2"})")}));

  const auto arguments = temporary_file("resume-args");
  Options options = fake("args " + arguments.string() + "\ninit\neof");
  options.process.environment.emplace_back("HOME", home.string());
  options.cwd = work;
  options.transcript.store = store;
  options.resume.id = id;
  fs::path folder;
  {
    Session session(options);
    ASSERT_TRUE(session.connect());
    const std::string all = read_file(arguments).value_or("");
    const auto at = all.find(std::string("CLAUDE_CONFIG_DIR="));
    ASSERT_NE(at, std::string::npos);
    folder = all.substr(at + 18, all.find('\0', at) - at - 18);
    EXPECT_EQ(read_file(folder / "projects" / project / (id + ".jsonl")), "{\"uuid\":\"1\"}\n");
    EXPECT_EQ(read_file(folder / "projects" / project / id / "subagents" / "agent-1.jsonl"),
              "{\"uuid\":\"2\"}\n");
    EXPECT_FALSE(fs::exists(folder / "projects" / "other"));
    EXPECT_EQ(read_file(folder / "settings.json"), "{}");
    EXPECT_EQ(read_file(folder / ".claude.json"), R"({"theme":"dark"})");
    EXPECT_EQ(read_file(folder / ".credentials.json"), R"({"oauth":{"accessToken":"a"}})")
        << "whoever renews a token invalidates the user's own";
    EXPECT_EQ(fs::status(folder).permissions() & fs::perms::others_all, fs::perms::none);
  }
  EXPECT_FALSE(fs::exists(folder));
}

TEST(SessionStore, AnotherUserMayReadWhatIsResumed) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  const auto store = std::make_shared<MemorySessionStore>();
  const std::string id = "0c565e0d-4c10-451b-a0aa-7fbe6ed80e07";
  ASSERT_TRUE(store->append({"-", id, ""}, {RawJson(R"({"uuid":"1"})")}));
  const ShellCli cli("cat \"$CLAUDE_CONFIG_DIR\"/projects/-/*.jsonl >&2");
  Options options;
  options.cli.program = cli.program();
  options.cwd = "/";
  options.process.user = "nobody";
  options.transcript.store = store;
  options.resume.id = id;
  Session session(options);
  // The folder of the tests is one that others need not be allowed to enter.
  const std::string before = fs::temp_directory_path();
  ::setenv("TMPDIR", "/tmp", 1);
  const auto connected = session.connect();
  ::setenv("TMPDIR", before.c_str(), 1);
  ASSERT_TRUE(connected) << connected.error().what();
  session.close();
  EXPECT_EQ(session.stderr_tail(), "{\"uuid\":\"1\"}\n");
}

TEST(SessionStore, AnUnknownSessionIsAnErrorBeforeAnythingStarts) {
  Options options = fake("init\neof");
  options.transcript.store = std::make_shared<MemorySessionStore>();
  options.resume.id = "0c565e0d-4c10-451b-a0aa-7fbe6ed80e07";
  Session session(options);
  const auto connected = session.connect();
  ASSERT_FALSE(connected);
  EXPECT_EQ(connected.error().code(), ErrorCode::not_found);
  EXPECT_THAT(connected.error().message(), HasSubstr("the session store has no session"));
}

TEST(SessionStore, APathOutOfTheFolderIsRefused) {
  const auto store = std::make_shared<MemorySessionStore>();
  const fs::path work = temporary_file("store-escape");
  fs::create_directories(work);
  std::string project = fs::canonical(work).string();
  for (char& c : project) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '-';
  }
  const std::string id = "0c565e0d-4c10-451b-a0aa-7fbe6ed80e07";
  ASSERT_TRUE(store->append({project, id, ""}, {RawJson("{}")}));
  ASSERT_TRUE(store->append({project, id, "../../../../escaped"}, {RawJson("{}")}));
  Options options = fake("init\neof");
  options.cwd = work;
  options.transcript.store = store;
  options.resume.id = id;
  Session session(options);
  const auto connected = session.connect();
  ASSERT_FALSE(connected);
  EXPECT_EQ(connected.error().code(), ErrorCode::invalid);
}

/// Does not return from append() before it is let go.
class StuckStore final : public SessionStore {
 public:
  Result<void> append(const SessionKey&, const std::vector<RawJson>&) override {
    entered.ring();
    (void)let_go.wait();
    left.ring();
    return {};
  }
  Result<std::optional<std::vector<RawJson>>> load(const SessionKey&) override {
    return std::optional<std::vector<RawJson>>();
  }
  Bell entered, let_go, left;
};

TEST(SessionStore, HoldsCloseUpNoLongerThanItsDeadline) {
  const auto store = std::make_shared<StuckStore>();
  Options options =
      fake("init\n" + mirrored("/c/projects/-w/s-1.jsonl", R"([{"uuid":"1"}])") + "eof");
  options.transcript.store = store;
  options.deadlines.store = 1ms;
  Session session(options);
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(store->entered.wait());
  session.close();
  EXPECT_EQ(store->left.count(), 0);
  store->let_go.ring();
  EXPECT_TRUE(store->left.wait());
}

}  // namespace
}  // namespace parley::testing
