#include "client/query.hpp"

#include "client/session/pull.hpp"

namespace parley {

struct Query::State {
  Session session;
  std::optional<Prompt> prompt;  ///< Until it is sent.
  std::optional<Turn> turn;      ///< From then on.
};

Query::Query(Prompt prompt, Options options)
    : state_(new State{Session(std::move(options)), std::move(prompt), std::nullopt}) {}

Session& Query::session() { return state_->session; }

Query::~Query() = default;
Query::Query(Query&&) noexcept = default;
Query& Query::operator=(Query&&) noexcept = default;

Query query(Prompt prompt) { return {std::move(prompt), Options()}; }
Query query(Prompt prompt, Options options) { return {std::move(prompt), std::move(options)}; }

detail::PullIterator<Message> Query::begin() { return {this, detail::pull<Query, Message>}; }

Result<Message> Query::next() {
  auto& [session, prompt, turn] = *state_;
  if (prompt) {
    // The prompt does not wait for the answer to `initialize`: that would cost its time twice. If
    // the start fails, so does the turn.
    (void)session.start();
    turn.emplace(session.ask(*std::exchange(prompt, std::nullopt)));
  }
  auto message = turn->next();  // the only thing returned, so that it is never moved
  if (message) {
    if (std::holds_alternative<ResultMessage>(*message)) session.end_input();
  } else if (message.error().code() == ErrorCode::end) {
    if (const auto result = turn->result(); !result) message = result.error();
  }
  return message;
}

std::string Query::text() {
  std::string last;
  for (const Message& message : *this) {
    if (const auto* result = std::get_if<ResultMessage>(&message)) {
      last = result->result.value_or("");
    }
  }
  return last;
}

}  // namespace parley
