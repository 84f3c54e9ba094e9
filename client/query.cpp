#include "client/query.hpp"

namespace parley {

Query::Query(Prompt prompt, Options options)
    : session_(std::move(options)), prompt_(std::move(prompt)) {}

Query::~Query() = default;
Query::Query(Query&&) noexcept = default;
Query& Query::operator=(Query&&) noexcept = default;

Query query(Prompt prompt) { return {std::move(prompt), Options()}; }
Query query(Prompt prompt, Options options) { return {std::move(prompt), std::move(options)}; }

Result<std::optional<Message>> Query::next() {
  if (over_) return std::optional<Message>();
  if (prompt_) {
    // The prompt does not wait for the answer to `initialize`: that would cost its time twice.
    const Prompt prompt = *std::exchange(prompt_, std::nullopt);
    if (auto started = session_.start(); !started) {
      over_ = true;
      return started.error();
    }
    if (auto sent = session_.send(prompt); !sent) {
      over_ = true;
      return sent.error();
    }
  }
  auto message = session_.receive();
  if (!message || !*message) {
    over_ = true;
  } else if (std::holds_alternative<ResultMessage>(**message)) {
    over_ = true;
    session_.end_input();
  }
  return message;
}

bool Query::advance() {
  const bool was_result = current_ && std::holds_alternative<ResultMessage>(*current_);
  if (was_result) {
    if (const auto error = error_of(std::get<ResultMessage>(*current_))) {
      Failure failure;
      failure.error = *error;
      failure.phase = Phase::kTurn;
      failure.last_result = std::get<ResultMessage>(*current_);
      failure.stderr_tail = session_.stderr_tail();
      throw_failure(failure);
    }
  }
  auto message = next();
  if (!message) {
    if (const auto failure = session_.failure()) throw_failure(*failure);
    throw message.error();
  }
  current_ = *std::move(message);
  return current_.has_value();
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
