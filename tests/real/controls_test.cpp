// What a program asks the real CLI besides prompts, and sessions that go on elsewhere.
#include <fstream>

#include "support.hpp"

namespace parley::real {
namespace {

using ControlsTest = RealCli;

TEST_F(ControlsTest, QuestionsAboutTheSession) {
  if (!at_least({2, 1, 325})) GTEST_SKIP() << "older CLIs do not answer these";
  script(turns({text_turn("Hello.")}));
  Session session(options());
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(take_turn(session, "hi").result);
  const auto expect = [](const char* what, const auto& reply) {
    EXPECT_TRUE(reply) << what << ": " << reply.error().what();
  };
  expect("context_usage", session.info().context_usage());
  expect("usage", session.info().usage());
  expect("cost", session.info().cost());
  expect("models", session.info().models());
  expect("settings", session.settings().get());
  expect("permission_rules", session.settings().permission_rules());
  expect("hooks_listing", session.settings().hooks());
  expect("mcp_status", session.mcp().status());
  expect("cli_version", session.info().cli_version());
  expect("account", session.info().account());
  expect("agents", session.info().agents());
  expect("reload_skills", session.settings().reload_skills());
  expect("reload_output_styles", session.settings().reload_output_styles());
  expect("reload_plugins", session.settings().reload_plugins());
  expect("set_max_thinking_tokens", session.set_max_thinking_tokens(2000));
  expect("rename", session.rename("A good talk"));
  EXPECT_EQ(session.info().cli_version().value(), "2.1.325");
}

TEST_F(ControlsTest, FilesAreRewound) {
  if (!at_least({2, 1, 325})) GTEST_SKIP() << "older CLIs need a terminal for it";
  script(turns(
      {tool_turn("Write", R"({"file_path":"kept.txt","content":"new"})"), text_turn("Written.")}));
  std::ofstream(work() / "kept.txt") << "old";
  Options o = options();
  o.permissions.mode = PermissionMode::acceptEdits;
  o.transcript.file_checkpoints = true;
  Session session(o);
  ASSERT_TRUE(session.connect());
  const auto uuid = session.send("write");
  ASSERT_TRUE(uuid);
  ASSERT_TRUE(next_result(session));
  ASSERT_EQ(content_of(work() / "kept.txt"), "new");
  const auto rewound = session.files().rewind(*uuid);
  ASSERT_TRUE(rewound) << rewound.error().what();
  EXPECT_EQ(content_of(work() / "kept.txt"), "old");
}

TEST_F(ControlsTest, EnvironmentIsChangedAsFarAsTheCliTakesIt) {
  script(turns({tool_turn("Bash", R"({"command":"echo got-$PARLEY_PROBE","description":"Say"})"),
                text_turn("Said.")}));
  Options o = options();
  o.on_permission = [](const PermissionAsk&) { return allow(); };
  Session session(o);
  ASSERT_TRUE(session.connect());
  Map<std::string> variables;
  variables["PARLEY_PROBE"] = "value";
  variables["CLAUDE_CODE_OAUTH_TOKEN"] = "dummy";
  const auto taken = session.settings().update_environment(variables);
  ASSERT_TRUE(taken) << taken.error().what();
  const std::string results = results_of(take_turn(session, "say").messages);
  if (at_least({2, 1, 325})) {
    EXPECT_EQ(*taken, std::vector<std::string>{"CLAUDE_CODE_OAUTH_TOKEN"});
  } else {
    EXPECT_NE(results.find("got-value"), std::string::npos) << results;
  }
}

TEST_F(ControlsTest, SessionComesBackOutOfAStore) {
  if (!at_least({2, 1, 325})) GTEST_SKIP() << "older CLIs do not mirror their transcripts";
  script(turns({text_turn("One."), text_turn("Two.")}));
  const auto store = std::make_shared<MemorySessionStore>();
  Options o = options();
  o.transcript.store = store;
  {
    Session session(o);
    ASSERT_TRUE(session.connect());
    ASSERT_TRUE(take_turn(session, "REMEMBER-ME").result);
    o.resume.id = session.session_id();
  }
  ASSERT_FALSE(store->keys().empty());
  const std::size_t before = store->load(store->keys().front()).value()->size();
  forget_transcripts();
  Session session(o);
  const auto connected = session.connect();
  ASSERT_TRUE(connected) << connected.error().what();
  const TakenTurn turn = take_turn(session, "and now?");
  ASSERT_TRUE(turn.result) << turn.result.error().what();
  EXPECT_NE(model().requests().back()["messages"].dump().find("REMEMBER-ME"), std::string::npos);
  session.close();
  EXPECT_EQ(store->keys().size(), 1u);
  EXPECT_GT(store->load(store->keys().front()).value()->size(), before);
}

TEST_F(ControlsTest, PromptsSentWhileBusyAreAnswered) {
  script(turns({text_turn("One."), text_turn("Two.")}));
  Session session(options());
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(session.send("FIRST-PROMPT"));
  ASSERT_TRUE(session.send("SECOND-PROMPT"));
  ASSERT_TRUE(next_result(session));
  ASSERT_TRUE(next_result(session));
  EXPECT_NE(model().requests().back()["messages"].dump().find("SECOND-PROMPT"), std::string::npos);
}

TEST_F(ControlsTest, InterruptWhenIdleChangesNothing) {
  script(turns({text_turn("Hello.")}));
  Session session(options());
  ASSERT_TRUE(session.connect());
  const auto receipt = session.interrupt();
  ASSERT_TRUE(receipt) << receipt.error().what();
  EXPECT_FALSE(receipt->turn);
  EXPECT_TRUE(take_turn(session, "hi").result);
}

TEST_F(ControlsTest, RollbackForgetsWhatCameLater) {
  script(turns({text_turn("One."), text_turn("Two."), text_turn("Three.")}));
  std::string id, first;
  {
    Session session(options());
    ASSERT_TRUE(session.connect());
    for (const Message& message : take_turn(session, "FIRST-PROMPT").messages) {
      if (const auto* answer = std::get_if<AssistantMessage>(&message)) first = answer->uuid;
    }
    ASSERT_TRUE(take_turn(session, "SECOND-PROMPT").result);
    id = session.session_id();
  }
  Options o = options();
  o.resume.id = id;
  o.resume.at = first;
  Session session(o);
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(take_turn(session, "and now?").result);
  const std::string last = model().requests().back()["messages"].dump();
  EXPECT_NE(last.find("FIRST-PROMPT"), std::string::npos);
  EXPECT_EQ(last.find("SECOND-PROMPT"), std::string::npos);
}

TEST_F(ControlsTest, FixedIdAndNoTranscript) {
  script(turns({text_turn("One."), text_turn("Two.")}));
  Options kept = options(), unkept = options();
  kept.transcript.session_id = "5f0c1c6e-7b2f-4d6a-9a3e-0d9b6f2c1a11";
  unkept.transcript.session_id = "5f0c1c6e-7b2f-4d6a-9a3e-0d9b6f2c1a12";
  unkept.transcript.persist = false;
  for (const Options& o : {kept, unkept}) {
    Session session(o);
    ASSERT_TRUE(session.connect());
    ASSERT_TRUE(take_turn(session, "hi").result);
    EXPECT_EQ(session.session_id(), o.transcript.session_id);
    session.close();
    EXPECT_EQ(has_transcript(o.transcript.session_id), o.transcript.persist)
        << o.transcript.session_id;
  }
}

TEST_F(ControlsTest, UnknownSessionIsAnError) {
  script("[]");
  Options o = options();
  o.resume.id = "00000000-0000-4000-8000-000000000000";
  Session session(o);
  const bool failed = !session.connect() || !take_turn(session, "hi").result;
  EXPECT_TRUE(failed);
  ASSERT_TRUE(session.failure() || session.last_result());
}

TEST_F(ControlsTest, RetriesThatDoNotHelpEndInAnError) {
  script(R"([{"repeat":true,"status":529,"error":{"type":"error","error":
      {"type":"overloaded_error","message":"OVERLOADED"}}}])");
  Session session(options());
  ASSERT_TRUE(session.connect());
  const TakenTurn turn = take_turn(session, "hi");
  ASSERT_FALSE(turn.result);
  EXPECT_GE(model().requests().size(), 3u);
  EXPECT_EQ(any<ApiRetry>(turn.messages), at_least({2, 1, 325}));
}

TEST_F(ControlsTest, PromptsAreSuggested) {
  if (!at_least({2, 1, 325})) GTEST_SKIP() << "older CLIs suggest nothing";
  script(turns({text_turn("One."), text_turn("Two."), text_turn("Three."),
                R"({"when_last":"SUGGESTION","repeat":true,"content":[{"type":"text",
                   "text":"run the tests"}]})"}));
  Options o = options();
  o.delivery.prompt_suggestions = true;
  Session session(o);
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(take_turn(session, "one").result);
  ASSERT_TRUE(take_turn(session, "two").result);
  ASSERT_TRUE(take_turn(session, "three").result);
  EXPECT_TRUE(read_until(session, [](const Message& message) {
    return std::holds_alternative<PromptSuggestion>(message);
  }));
}

}  // namespace
}  // namespace parley::real
