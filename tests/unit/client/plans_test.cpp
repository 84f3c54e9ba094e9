// The plan of ExitPlanMode, wherever a version of the CLI leaves it.
#include <sys/stat.h>

#include <fstream>

#include "support.hpp"
#include "transport/loop.hpp"
#include "transport/replay.hpp"

namespace parley::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Plans : public ::testing::Test {
 protected:
  /// What on_plan is asked after the model's call and the request with these inputs.
  PlanAsk asked_with(const std::string& request_input, const std::string& call_input = "",
                     const std::string& call_id = "t1") {
    std::string script = "init\nexpect user\n";
    if (!call_input.empty()) {
      script +=
          R"(out {"type":"assistant","parent_tool_use_id":null,"message":{"role":"assistant",)"
          R"("content":[{"type":"tool_use","name":"ExitPlanMode","id":")" +
          call_id + R"(","input":)" + call_input + "}]}}\n";
    }
    script += R"(out {"type":"control_request","request_id":"q","request":{"subtype":)"
              R"("can_use_tool","tool_name":"ExitPlanMode","tool_use_id":"t1","input":)" +
              request_input + "}}\nexpect behavior\n" +
              R"(out {"type":"result","subtype":"success","is_error":false,"result":"done"})"
              "\neof";
    Options options = fake(script);
    PlanAsk seen;
    options.on_plan = [&seen](const PlanAsk& ask) {
      seen = ask;
      return approve_plan();
    };
    Session session(std::move(options));
    EXPECT_TRUE(session.connect());
    EXPECT_TRUE(session.ask("Plan it.").result(kPatience));
    return seen;
  }
  /// The input of a request that names a file.
  static std::string naming(const std::filesystem::path& file) {
    return R"({"planFilePath":)" + Json(file.string()).dump() + "}";
  }
};

/// What on_plan is asked in a recording of the real CLI.
PlanAsk asked_in(const std::string& version, const std::string& scenario) {
  const auto file = std::filesystem::path(PARLEY_RECORDINGS) / version / (scenario + ".jsonl");
  const Recording recording = Recording::load(file, 0).value();
  Options options;
  PlanAsk seen;
  Bell asked;
  options.on_permission = [](const PermissionAsk&) { return allow(); };
  options.on_plan = [&](const PlanAsk& ask) {
    seen = ask;
    asked.ring();
    return approve_plan();
  };
  Session session(options,
                  [&] { return make_replay_transport(Loop::shared().value(), recording); });
  EXPECT_TRUE(session.start());
  for (const RecordedEvent& event : recording.events) {
    // The answers of the recorded client are the session's own here.
    if (event.kind != RecordedEvent::Kind::input ||
        event.line.find("control_response") != std::string::npos) {
      continue;
    }
    EXPECT_TRUE(session.send_raw(RawJson(event.line)));
  }
  session.end_input();
  for (;;) {
    const auto message = session.receive(kPatience);
    EXPECT_TRUE(message || message.error().code() != ErrorCode::timeout);
    if (!message) break;
  }
  // The recording does not wait for answers, and close() drops what has not begun.
  EXPECT_TRUE(asked.wait());
  session.close();
  return seen;
}

TEST(RecordedPlans, AreReadInBothVersions) {
  for (const char* version : {"2.1.38", "2.1.325"}) {
    for (const char* scenario : {"mode_plan_exit_allow", "mode_plan_exit_setmode"}) {
      SCOPED_TRACE(std::string(version) + " " + scenario);
      const PlanAsk ask = asked_in(version, scenario);
      EXPECT_EQ(ask.plan, "1. Do it\n2. Check it");
      EXPECT_THAT(ask.plan_error, IsEmpty());
    }
  }
}

TEST_F(Plans, InTheRequestWithTheNameOfItsFile) {
  // As 2.1.325 asks when the agent has written its plan. What it says counts, not what is there.
  const PlanAsk ask =
      asked_with(R"({"plan":"# Plan\n1. Look\n","planFilePath":"/nowhere/plan-it.md"})");
  EXPECT_EQ(ask.plan, "# Plan\n1. Look\n");
  EXPECT_EQ(ask.plan_file, "/nowhere/plan-it.md");
  EXPECT_THAT(ask.plan_error, IsEmpty());
}

TEST_F(Plans, InTheFile) {
  const auto file = temporary_file("plan.md");
  std::ofstream(file) << "1. Read it\n";
  PlanAsk ask = asked_with(naming(file));
  EXPECT_EQ(ask.plan, "1. Read it\n");
  EXPECT_EQ(ask.plan_file, file.string());
  ask = asked_with("{}", naming(file));
  EXPECT_EQ(ask.plan, "1. Read it\n");
}

TEST_F(Plans, InTheCallOnly) {
  EXPECT_EQ(asked_with("{}", R"({"plan":"1. Call it"})").plan, "1. Call it");
  const PlanAsk beside = asked_with(naming("/nowhere/plan.md"), R"({"plan":"1. Call it"})");
  EXPECT_EQ(beside.plan, "1. Call it");
  EXPECT_THAT(beside.plan_error, IsEmpty());
  // Of another call, it is another plan.
  EXPECT_THAT(asked_with("{}", R"({"plan":"1. Call it"})", "t0").plan, IsEmpty());
}

TEST_F(Plans, NowhereIsEmptyWithTheReason) {
  const PlanAsk nothing = asked_with("{}");
  EXPECT_THAT(nothing.plan, IsEmpty());
  EXPECT_THAT(nothing.plan_error, HasSubstr("neither sent a plan nor named its file"));
  EXPECT_THAT(asked_with(R"({"plan":7,"planFilePath":[]})").plan_error, HasSubstr("neither"));
  EXPECT_THAT(asked_with("null").plan_error, HasSubstr("neither"));
}

TEST_F(Plans, AFileThatCannotBeReadIsTheReason) {
  const auto folder = temporary_file("folder.md");
  std::filesystem::create_directories(folder);
  EXPECT_THAT(asked_with(naming(folder)).plan_error, HasSubstr("is not a file"));
  const auto fifo = temporary_file("fifo.md");
  std::filesystem::remove(fifo);
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_THAT(asked_with(naming(fifo)).plan_error, HasSubstr("is not a file"));
  EXPECT_THAT(asked_with(naming("/nowhere/plan.md")).plan_error,
              HasSubstr("/nowhere/plan.md, which cannot be read: No such file"));
  EXPECT_THAT(asked_with(naming("plan.md")).plan_error, HasSubstr("not an absolute path"));
  EXPECT_THAT(asked_with(R"({"planFilePath":"/tmp/\u0000x"})").plan_error, HasSubstr("no name"));
  EXPECT_THAT(asked_with(naming("/dev/zero")).plan_error, HasSubstr("is not a file"));
  const auto empty = temporary_file("empty.md");
  std::ofstream(empty).close();
  EXPECT_THAT(asked_with(naming(empty)).plan_error, HasSubstr("is empty"));
}

TEST_F(Plans, AHugeFileIsNotRead) {
  const auto file = temporary_file("huge.md");
  std::ofstream(file) << "1. Begin\n";
  std::filesystem::resize_file(file, std::uintmax_t{1} << 20);
  EXPECT_EQ(asked_with(naming(file)).plan.size(), std::size_t{1} << 20);
  std::filesystem::resize_file(file, std::uintmax_t{1} << 40);  // has holes, takes no space
  const PlanAsk ask = asked_with(naming(file));
  EXPECT_THAT(ask.plan, IsEmpty());
  EXPECT_THAT(ask.plan_error, HasSubstr("is longer than 1048576 bytes"));
}

}  // namespace
}  // namespace parley::testing
