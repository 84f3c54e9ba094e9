// Sessions on an io_context: nothing waits but coroutines.
#include "client/adapters/asio.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>

#include "support.hpp"

namespace parley::testing {
namespace {

using boost::asio::awaitable;

/// The text of the answers to `turns` prompts, one after the other.
awaitable<void> talk(Session& session, AsioSession& awaited, int turns, std::string& text) {
  for (int turn = 0; turn < turns; ++turn) {
    EXPECT_TRUE(session.send("x"));
    for (;;) {
      const auto message = co_await awaited.receive();
      if (!message || message->is<ResultMessage>()) break;
      text += text_of(*message);
    }
  }
}

/// What a single receive() comes to.
awaitable<void> receive_once(AsioSession& awaited, std::optional<Error>& error) {
  const auto message = co_await awaited.receive();
  if (!message) error = message.error();
}

TEST(Asio, MessagesAreAwaited) {
  Session session(fake("init\nturns Hello"));
  ASSERT_TRUE(session.connect());
  boost::asio::io_context context;
  AsioSession awaited(context.get_executor(), session);
  std::string text;
  boost::asio::co_spawn(context, talk(session, awaited, 3, text), boost::asio::detached);
  context.run();
  EXPECT_EQ(text, "HelloHelloHello");
}

/// Two turns at a time, each waited for by a coroutine of its own.
awaitable<void> wait_for(Turn& turn, std::string& text) {
  AsioTurn awaited(co_await boost::asio::this_coro::executor, turn);
  while (const auto message = co_await awaited.next()) text += text_of(*message);
  text += (co_await awaited.result())->result.value_or("");
}

TEST(Asio, TurnsAreAwaited) {
  Session session(fake("init\nturn One\nturn Two\neof"));
  ASSERT_TRUE(session.connect());
  Turn first = session.ask("a"), second = session.ask("b");
  boost::asio::io_context context;
  std::string texts[2];
  boost::asio::co_spawn(context, wait_for(second, texts[1]), boost::asio::detached);
  boost::asio::co_spawn(context, wait_for(first, texts[0]), boost::asio::detached);
  context.run();
  EXPECT_EQ(texts[0], "OneOne");
  EXPECT_EQ(texts[1], "TwoTwo");
}

TEST(Asio, OneContextServesSeveralSessions) {
  constexpr int kSessions = 5, kTurns = 20;
  boost::asio::io_context context;
  std::vector<std::unique_ptr<Session>> sessions;
  std::vector<std::unique_ptr<AsioSession>> awaited;
  std::vector<std::string> texts(kSessions);
  for (std::size_t i = 0; i < kSessions; ++i) {
    sessions.push_back(std::make_unique<Session>(fake("init\nturns " + std::to_string(i))));
    ASSERT_TRUE(sessions[i]->connect());
    awaited.push_back(std::make_unique<AsioSession>(context.get_executor(), *sessions[i]));
    boost::asio::co_spawn(context, talk(*sessions[i], *awaited[i], kTurns, texts[i]),
                          boost::asio::detached);
  }
  context.run();
  for (std::size_t i = 0; i < kSessions; ++i) {
    EXPECT_EQ(texts[i], std::string(kTurns, static_cast<char>('0' + i)));
  }
}

TEST(Asio, AFloodIsReadToItsEnd) {
  // More than the queue holds: reading stops and goes on again while the coroutine takes messages.
  constexpr std::size_t kLines = 5000;
  Session session(fake(
      "init\nexpect user\nflood " + std::to_string(kLines) +
      R"( {"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"x"}]},"parent_tool_use_id":null,"session_id":"s","uuid":"u"})"
      "\n"
      R"(out {"type":"result","subtype":"success","is_error":false,"result":"","session_id":"s"})"
      "\neof"));
  ASSERT_TRUE(session.connect());
  boost::asio::io_context context;
  AsioSession awaited(context.get_executor(), session);
  std::string text;
  boost::asio::co_spawn(context, talk(session, awaited, 1, text), boost::asio::detached);
  context.run();
  EXPECT_EQ(text.size(), kLines);
}

TEST(Asio, CancelEndsTheWaiting) {
  Session session(fake("init\neof"));
  ASSERT_TRUE(session.connect());
  boost::asio::io_context context;
  AsioSession awaited(context.get_executor(), session);
  std::optional<Error> error;
  boost::asio::co_spawn(context, receive_once(awaited, error), boost::asio::detached);
  // Runs after the coroutine has begun to wait, for there is one thread and this was queued later.
  boost::asio::post(context, [&] { boost::asio::post(context, [&] { awaited.cancel(); }); });
  context.run();
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::cancelled);
}

TEST(Asio, ADeadCliIsAnError) {
  Session session(fake("init\nexpect user\nexit 3"));
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(session.send("x"));
  boost::asio::io_context context;
  AsioSession awaited(context.get_executor(), session);
  std::optional<Error> error;
  boost::asio::co_spawn(context, receive_once(awaited, error), boost::asio::detached);
  context.run();
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::process);
}

}  // namespace
}  // namespace parley::testing
