// What several threads of one session do to each other.
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "agent/control/control.hpp"
#include "agent/session/session.hpp"

namespace parley::agent {
namespace {

/// A session whose words nobody hears.
class SessionThreads : public ::testing::Test {
 protected:
  SessionThreads() {
    session.output.mute();
    EXPECT_TRUE(session.prepare().ok());
  }
  static Flags flags() {
    Flags flags;
    flags.no_session_persistence = true;
    return flags;
  }
  void ask(ControlBody body) { handle_request(session, {"id", std::move(body), {}}); }

  const std::string folder = std::filesystem::temp_directory_path().string();
  Session session{flags(), {{"HOME", folder}}, folder};
};

TEST_F(SessionThreads, AModelIsSetWhileATurnEnds) {
  std::jthread turn([&] {
    for (int i = 0; i < 1000; ++i) ++session.results;
  });
  for (int i = 0; i < 1000; ++i) ask(control::SetModel{});
  turn.join();
  EXPECT_EQ(session.results, 1000);
}

TEST_F(SessionThreads, ASchemaIsReplacedWhileItIsInUse) {
  control::Initialize request;
  request.jsonSchema = RawJson(R"({"type":"object","properties":{"name":{"type":"string"}}})");
  ask(request);
  const Session::SharedTool in_use = session.find_offered("StructuredOutput");
  ASSERT_TRUE(in_use);
  std::jthread turn([&] {
    for (int i = 0; i < 500; ++i) {
      EXPECT_EQ(session.find_offered("StructuredOutput")->input_schema()["type"].as_string(),
                "object");
    }
  });
  for (int i = 0; i < 500; ++i) ask(request);
  turn.join();
  EXPECT_NE(session.structured_output(), in_use);
  EXPECT_EQ(in_use->name(), "StructuredOutput");
}

}  // namespace
}  // namespace parley::agent
