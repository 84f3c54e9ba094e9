// A well-behaved CLI: what a program normally does with a session.
#include <poll.h>

#include <atomic>
#include <future>
#include <thread>

#include "client/client.hpp"
#include "client/shared/pool.hpp"
#include "support.hpp"
#include "transport/loop.hpp"

namespace parley::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Query, GivesTheMessagesOfOneTurn) {
  std::vector<std::string> kinds;
  std::string text;
  for (const Message& message : query("Hi", fake("init\nturns Hello"))) {
    text += text_of(message);
    kinds.push_back(std::holds_alternative<SystemInit>(message)      ? "init"
                    : std::holds_alternative<ResultMessage>(message) ? "result"
                                                                     : "other");
  }
  EXPECT_EQ(text, "Hello");
  EXPECT_THAT(kinds, ElementsAre("init", "other", "result"));
}

TEST(Query, TextIsTheAnswer) { EXPECT_EQ(query("Hi", fake("init\nturns Yes")).text(), "Yes"); }

TEST(Query, ThrowsWhatFits) {
  Options missing;
  missing.cli.program = "/nonexistent/cli";
  EXPECT_THROW(query("x", missing).text(), CliNotFound);
  Options nowhere = fake("init\neof");
  nowhere.cwd = "/nonexistent";
  try {
    query("x", nowhere).text();
    FAIL() << "no exception";
  } catch (const CliNotFound& error) {
    FAIL() << "it is the folder that does not exist: " << error.what();
  } catch (const ConnectionError& error) {
    EXPECT_THAT(error.what(), HasSubstr("/nonexistent"));
  }
  EXPECT_THROW(query("x", fake("expect initialize\nerr no luck\nexit 3")).text(), ConnectionError);
  EXPECT_THROW(query("x", fake("init\nexpect user\nexit 3")).text(), ProcessError);
  try {
    query("x", fake("init\nexpect user\nout {\"type\":\"result\",\"subtype\":\"success\","
                    "\"is_error\":true,\"result\":\"API Error: 500\"}\neof"))
        .text();
    FAIL() << "no exception";
  } catch (const ResultError& error) {
    EXPECT_THAT(error.what(), HasSubstr("API Error: 500"));
    EXPECT_TRUE(error.failure().last_result);
  }
}

TEST(Session, HoldsAConversation) {
  Session session(fake("init\nturn One\nturn Two\neof"));
  ASSERT_TRUE(session.connect());
  EXPECT_TRUE(session.alive());
  EXPECT_GT(session.pid().value_or(0), 0);
  EXPECT_EQ(session.ask("a").result(kPatience)->result, "One");
  EXPECT_EQ(session.ask("b").result(kPatience)->result, "Two");
  EXPECT_EQ(session.session_id(), "s-1");
  session.close();
  EXPECT_FALSE(session.alive());
  EXPECT_EQ(session.send("c").error().code(), ErrorCode::closed);
}

TEST(Session, EndsWellAfterEndInput) {
  Session session(fake("init\nturns Fine"));
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(session.ask("a").result(kPatience));
  session.end_input();
  const auto end = session.receive(kPatience);
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().code(), ErrorCode::end) << end.error().what();
  EXPECT_FALSE(session.failure());
}

TEST(Session, ReceiveHasADeadlineAndLosesNothing) {
  Session session(
      fake("init\nexpect go\nout {\"type\":\"prompt_suggestion\",\"suggestion\":\"s\"}\neof"));
  ASSERT_TRUE(session.connect());
  EXPECT_EQ(session.receive(10ms).error().code(), ErrorCode::timeout);
  EXPECT_EQ(session.try_receive().error().code(), ErrorCode::timeout);
  ASSERT_TRUE(session.send("go"));
  const auto message = session.receive(kPatience);
  ASSERT_TRUE(message);
  EXPECT_EQ(std::get<PromptSuggestion>(*message).suggestion, "s");
}

TEST(Session, CanBePolled) {
  Session session(fake("init\nturns Hello"));
  ASSERT_TRUE(session.connect());
  const int fd = session.fd().value();
  pollfd wanted{.fd = fd, .events = POLLIN, .revents = 0};
  EXPECT_EQ(::poll(&wanted, 1, 0), 0);
  ASSERT_TRUE(session.send("x"));
  std::string text;
  for (bool over = false; !over;) {
    ASSERT_EQ(::poll(&wanted, 1, 30'000), 1);
    for (auto message = session.try_receive(); message; message = session.try_receive()) {
      text += text_of(*message);
      over = over || message->is<ResultMessage>();
    }
  }
  EXPECT_EQ(text, "Hello");
  EXPECT_EQ(::poll(&wanted, 1, 0), 0);
}

TEST(Session, LivesOnALoopOfTheProgram) {
  const auto loop = Loop::create().value();
  std::promise<std::string> said;
  std::string text;
  bool elsewhere = false;
  Session* session = nullptr;
  Options options = fake("init\nturns Hello\n");
  options.delivery.loop = loop;
  options.delivery.on_ready = [&] {
    elsewhere = elsewhere || !loop->on_thread();
    auto message = session->try_receive();
    for (; message; message = session->try_receive()) text += text_of(*message);
    if (message.error().code() == ErrorCode::end) said.set_value(text);
  };
  Session made(std::move(options));
  session = &made;
  ASSERT_TRUE(made.connect());
  ASSERT_TRUE(made.send("x"));
  made.end_input();
  auto all = said.get_future();
  ASSERT_EQ(all.wait_for(kPatience), std::future_status::ready);
  EXPECT_EQ(all.get(), "Hello");
  EXPECT_FALSE(elsewhere);
}

TEST(Session, WhatOnReadyThrowsIsOnlyNoticed) {
  struct Warnings : Observer {
    void on_warning(std::string_view text) override { seen.set_value(std::string(text)); }
    std::promise<std::string> seen;
  };
  const auto warnings = std::make_shared<Warnings>();
  Options options = fake("init\nturns Hello");
  std::atomic<bool> thrown{false};
  options.delivery.on_ready = [&] {
    if (!thrown.exchange(true)) throw std::runtime_error("no");
  };
  options.delivery.observer = warnings;
  Session session(std::move(options));
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(session.send("x"));
  auto seen = warnings->seen.get_future();
  ASSERT_EQ(seen.wait_for(kPatience), std::future_status::ready);
  EXPECT_EQ(seen.get(), "on_ready threw: no");
  EXPECT_EQ(next_result(session)->result, "Hello");
}

TEST(Session, DeliversToACallback) {
  std::mutex mutex;
  std::string text;
  Options options = fake("init\nturns Hello");
  options.delivery.on_message = [&](const Message& message) {
    const std::lock_guard lock(mutex);
    text += text_of(message);
  };
  Session session(std::move(options));
  ASSERT_TRUE(session.connect());
  EXPECT_EQ(session.receive().error().code(), ErrorCode::invalid);
  EXPECT_EQ(session.ask("x").result(kPatience)->result, "Hello");
  const std::lock_guard lock(mutex);
  EXPECT_EQ(text, "Hello");
}

TEST(Session, SendsBlocksAndOptionsOfAPrompt) {
  const auto saved = temporary_file("prompt.jsonl");
  Session session(fake("save " + saved.string() + "\ninit\nturns ok"));
  ASSERT_TRUE(session.connect());
  Prompt prompt("Look at \"this\"");
  prompt.add_image("\x89PNG\r\n\x1a\n123", "image/png");
  prompt.priority = MessagePriority::later;
  prompt.verbatim = true;
  prompt.uuid = "11111111-2222-4333-8444-555555555555";
  EXPECT_EQ(session.send(prompt).value(), prompt.uuid);
  ASSERT_TRUE(next_result(session));
  const auto line = Json::parse(read_lines(saved).at(1)).value();
  EXPECT_EQ(line["type"].as_string(), "user");
  EXPECT_EQ(line["uuid"].as_string(), prompt.uuid);
  EXPECT_EQ(line["priority"].as_string(), "later");
  EXPECT_TRUE(line["client_composed"].as_bool());
  EXPECT_EQ(line["message"]["content"][0]["text"].as_string(), "Look at \"this\"");
  EXPECT_EQ(line["message"]["content"][1]["source"]["data"].as_string(), "iVBORw0KGgoxMjM=");
}

TEST(Session, TakesEveryPromptLiterallyIfItIsToldTo) {
  const auto saved = temporary_file("literal.jsonl");
  Options options = fake("save " + saved.string() + "\ninit\nturns ok");
  options.delivery.verbatim_prompts = true;
  Session session(options);
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(session.ask("/compact").result(kPatience));
  EXPECT_TRUE(Json::parse(read_lines(saved).at(1)).value()["client_composed"].as_bool());
}

TEST(Session, RequestsAreAnsweredOrRefused) {
  Session session(
      fake("init\nanswer {\"model\":\"big\"}\n"
           "expect foo\nout {\"type\":\"control_response\",\"response\":{\"subtype\":\"error\","
           "\"request_id\":\"$ID\",\"error\":\"no such "
           "thing\",\"error_code\":\"unsupported_request\"}}\n"
           "eof"));
  ASSERT_TRUE(session.connect());
  EXPECT_EQ(session.set_model("opus").value(), "big");
  const auto refused = session.request(RawJson(R"({"subtype":"foo"})"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::remote);
  EXPECT_EQ(refused.error().message(), "no such thing");
  EXPECT_EQ(refused.error().context(), "unsupported_request");
  EXPECT_EQ(session.request(RawJson("{")).error().code(), ErrorCode::malformed);
}

TEST(Session, InterruptReturnsWhenItsTurnHasEnded) {
  Session session(fake(
      "init\nexpect user\nout {\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"s\"}\n"
      "answer {\"still_queued\":[\"u1\"]}\n"
      "out {\"type\":\"result\",\"subtype\":\"error_during_execution\",\"is_error\":true,"
      "\"terminal_reason\":\"aborted_streaming\"}\nturns Next"));
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(session.send("work"));
  const auto receipt = session.interrupt();
  ASSERT_TRUE(receipt) << receipt.error().what();
  EXPECT_THAT(receipt->still_queued, ElementsAre("u1"));
  ASSERT_TRUE(receipt->turn);
  EXPECT_EQ(next_result(session).error().code(), ErrorCode::cancelled);
  EXPECT_EQ(session.ask("again").result(kPatience)->result, "Next");
}

TEST(Session, InterruptGivesUpOnATurnThatDoesNotEnd) {
  Options options = fake(
      "init\nexpect user\nout {\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"s\"}\n"
      "answer {}\neof");
  options.deadlines.interrupt = 1ms;
  Session session(options);
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(session.send("work"));
  const auto receipt = session.interrupt();
  ASSERT_FALSE(receipt);
  EXPECT_EQ(receipt.error().code(), ErrorCode::timeout);
  EXPECT_TRUE(session.alive());
}

TEST(Session, ViewsMayBeKept) {
  McpControls mcp = [] {
    Session session(fake("init\nanswer {\"mcpServers\":[]}\neof"));
    EXPECT_TRUE(session.connect());
    McpControls view = session.mcp();
    const Session moved = std::move(session);
    EXPECT_TRUE(view.status().value().empty());
    return view;
  }();
  EXPECT_FALSE(mcp.status()) << "the session has ended";
}

TEST(Session, KeepsALedger) {
  Session session(fake("init\nturns Hello"));
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(session.ask("x").result(kPatience));
  const Ledger ledger = session.ledger();
  EXPECT_EQ(ledger.model, "fake");
  EXPECT_EQ(ledger.permission_mode, PermissionMode::default_);
  EXPECT_EQ(ledger.spending.total_cost_usd, 0.5);
  EXPECT_EQ(ledger.spending.output_tokens, 4);
  ASSERT_EQ(ledger.commands.size(), 1U);
  EXPECT_EQ(ledger.commands[0].name, "help");
}

TEST(Session, StderrReachesItsCallback) {
  std::mutex mutex;
  std::vector<std::string> lines;
  Bell bell;
  Options options = fake("err \x1b[31mred\x1b[0m\nerr plain\ninit\neof");
  options.delivery.strip_ansi = true;
  options.delivery.on_stderr = [&](std::string_view line) {
    const std::lock_guard lock(mutex);
    lines.emplace_back(line);
    bell.ring();
  };
  Session session(std::move(options));
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(bell.wait(2));
  const std::lock_guard lock(mutex);
  EXPECT_THAT(lines, ElementsAre("red", "plain"));
}

TEST(Session, StderrIsToldToItsLastByte) {
  std::vector<std::string> lines;
  Bell bell;
  Options options = fake("init\nrawerr one\\ntwo, and no newline\nexit 3");
  options.delivery.on_stderr = [&](std::string_view line) {
    lines.emplace_back(line);
    bell.ring();
  };
  Session session(std::move(options));
  ASSERT_TRUE(session.connect());
  EXPECT_FALSE(session.receive(kPatience));
  ASSERT_TRUE(bell.wait(2));
  EXPECT_THAT(lines, ElementsAre("one", "two, and no newline"));
}

TEST(Session, CanBeMoved) {
  Session first(fake("init\nturns Hello"));
  ASSERT_TRUE(first.connect());
  Session second = std::move(first);
  EXPECT_EQ(second.ask("x").result(kPatience)->result, "Hello");
  second = Session(fake("init\nturns Other"));
  ASSERT_TRUE(second.connect());
  EXPECT_EQ(second.ask("x").result(kPatience)->result, "Other");
}

TEST(Session, RequiresAVersion) {
  Options options = fake("init\neof");
  options.process.require_version = CliVersion{2, 1, 400};
  Session session(options);
  const auto connected = session.connect();
  ASSERT_FALSE(connected);
  EXPECT_THAT(connected.error().what(), HasSubstr("2.1.400 or newer is required"));
}

TEST(SessionPool, HandsOutStartedSessions) {
  SessionPool pool(fake("init\nturns Warm"), 2);
  EXPECT_EQ(pool.ready(), 2U);
  auto first = pool.take();
  ASSERT_TRUE(first) << first.error().what();
  EXPECT_EQ(pool.ready(), 2U);
  EXPECT_EQ(first->ask("x").result(kPatience)->result, "Warm");
}

TEST(SessionPool, ReportsWhyNothingStarts) {
  SessionPool pool(fake("err broken\nexit 4"), 2);
  const auto taken = pool.take();
  ASSERT_FALSE(taken);
  EXPECT_THAT(taken.error().what(), HasSubstr("broken"));
}

}  // namespace
}  // namespace parley::testing
