#include "client/asio.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include "support.hpp"

namespace parley::testing {
namespace {

TEST(Asio, MessagesAreAwaited) {
  Session session(fake("init\nturns Hello"));
  ASSERT_TRUE(session.connect());
  boost::asio::io_context context;
  AsioSession waiter(context.get_executor(), session);
  std::string text;
  const auto talk = [&]() -> boost::asio::awaitable<void> {
    EXPECT_TRUE(session.send("x"));
    for (;;) {
      const auto message = (co_await waiter.receive()).value();
      if (!message || std::holds_alternative<ResultMessage>(*message)) break;
      text += text_of(*message);
    }
  };
  boost::asio::co_spawn(context, talk(), boost::asio::detached);
  context.run();
  EXPECT_EQ(text, "Hello");
}

}  // namespace
}  // namespace parley::testing
