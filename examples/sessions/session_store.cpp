// Transcripts in a store of one's own, here one in memory: another program, on another machine,
// goes on with the session from there.
#include <iostream>
#include <parley/client/session.hpp>
#include <parley/client/store/session_store.hpp>

int main() try {
  const auto store = std::make_shared<parley::MemorySessionStore>();
  parley::Options options;
  options.transcript.store = store;
  {
    parley::Session session(options);
    session.connect().value();
    session.ask("Remember the number 7.").result().value();
  }  // the end waits until everything is stored
  for (const parley::SessionKey& key : store->keys()) {
    const auto lines = store->load(key).value().value();
    std::cout << key.session_id << ": " << lines.size() << " lines\n";
  }
} catch (const parley::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
