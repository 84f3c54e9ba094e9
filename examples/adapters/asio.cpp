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
#include <iostream>

namespace {

boost::asio::awaitable<void> talk(parley::Session& session, parley::AsioSession& awaited) {
  session.send("Hello").value();
  while (const auto message = (co_await awaited.receive()).value()) {
    if (const auto* result = std::get_if<parley::ResultMessage>(&*message)) {
      std::cout << result->result.value_or("") << "\n";
      break;
    }
  }
}

}  // namespace

int main() try {
  parley::Session session;
  session.connect().value();
  boost::asio::io_context context;
  parley::AsioSession awaited(context.get_executor(), session);
  boost::asio::co_spawn(context, talk(session, awaited), boost::asio::detached);
  context.run();
} catch (const parley::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
