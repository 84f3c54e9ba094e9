#include "client/query.hpp"

namespace parley {

Query::Query(Prompt prompt, Options options)
    : session_(std::move(options)), prompt_(std::move(prompt)) {}

Query::~Query() = default;
Query::Query(Query&&) noexcept = default;
Query& Query::operator=(Query&&) noexcept = default;

Query query(Prompt prompt) { return {std::move(prompt), Options()}; }
Query query(Prompt prompt, Options options) { return {std::move(prompt), std::move(options)}; }

Result<Message> Query::next() {
  if (prompt_) {
    // The prompt does not wait for the answer to `initialize`: that would cost its time twice. If
    // the start fails, so does the turn.
    (void)session_.start();
    turn_.emplace(session_.ask(*std::exchange(prompt_, std::nullopt)));
  }
  auto message = turn_->next();  // the only thing returned, so that it is never moved
  if (message) {
    if (std::holds_alternative<ResultMessage>(*message)) session_.end_input();
  } else if (message.error().code() == ErrorCode::kEnd) {
    if (const auto result = turn_->result(); !result) message = result.error();
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
