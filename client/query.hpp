// One question, one answer: a range of messages.
//
//   for (const parley::Message& message : parley::query("What is 2 + 2?")) { ... }
#pragma once

#include <iterator>
#include <memory>
#include <string>

#include "session.hpp"

namespace parley {

/// The messages of one turn, read as they come: a range to be walked once. The CLI ends with the
/// object. The last message is the ResultMessage.
///
/// Failures are exceptions in the loop and in text() (errors.hpp): ConnectionError and CliNotFound
/// before the first message, ProcessError if the CLI dies, ResultError after the result if the turn
/// failed. Who wants Results uses next().
class Query {
 public:
  Query(Prompt prompt, Options options);
  ~Query();
  Query(Query&&) noexcept;
  Query& operator=(Query&&) noexcept;

  detail::PullIterator<Message> begin();
  [[nodiscard]] std::default_sentinel_t end() const { return std::default_sentinel; }

  /// The next message; `end` after the result, or, if the turn failed, its error.
  Result<Message> next();
  /// Reads to the end: the text of the answer. Throws as above.
  std::string text();

  /// The session behind, e.g. to interrupt it from another thread.
  Session& session();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Starts the CLI with the first message that is asked for.
[[nodiscard]] Query query(Prompt prompt, Options options);
[[nodiscard]] Query query(Prompt prompt);

}  // namespace parley
