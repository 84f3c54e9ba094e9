// A session in a program that runs on Boost.Asio: co_await instead of a thread that waits.
//
// The header of the SDK comes first: Boost 1.74 forgets one of the standard library, which it
// brings.
// clang-format off
#include <parley/client/adapters/asio.hpp>
// clang-format on

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/this_coro.hpp>
#include <iostream>

namespace {

boost::asio::awaitable<void> talk(parley::Session& session) {
  parley::Turn turn = session.ask("Hello");
  parley::AsioTurn awaited(co_await boost::asio::this_coro::executor, turn);
  const auto result = co_await awaited.result();
  std::cout << result.value().result.value_or("") << "\n";
}

}  // namespace

int main() try {
  parley::Session session;
  session.connect().value();
  boost::asio::io_context context;
  boost::asio::co_spawn(context, talk(session), boost::asio::detached);
  context.run();
} catch (const parley::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
