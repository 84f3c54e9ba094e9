#include "client/turn.hpp"

#include "client/session/pull.hpp"
#include "client/session/session_impl.hpp"

namespace parley {
namespace {

std::optional<std::chrono::steady_clock::time_point> deadline_of(Session::Timeout timeout) {
  if (!timeout) return std::nullopt;
  return std::chrono::steady_clock::now() + *timeout;
}

/// The piece of text that an event of the stream adds, if it is one of the agent itself.
std::string streamed_text(const StreamEvent& event) {
  if (event.parent_tool_use_id) return {};
  const auto* delta = std::get_if<ContentBlockDelta>(&event.event);
  const auto* text = delta == nullptr ? nullptr : std::get_if<TextDelta>(&delta->delta);
  return text == nullptr ? std::string() : text->text;
}

std::string whole_text(const AssistantMessage& message) {
  std::string text;
  if (message.parent_tool_use_id) return text;
  for (const ContentBlock& block : message.message.content) {
    if (const auto* part = std::get_if<TextBlock>(&block)) text += part->text;
  }
  return text;
}

}  // namespace

Turn::Turn(std::shared_ptr<Session::Impl> session, std::shared_ptr<detail::TurnState> state)
    : session_(std::move(session)), state_(std::move(state)) {}

Turn::~Turn() {
  if (session_) session_->drop_turn(*state_);
}

Turn::Turn(Turn&&) noexcept = default;

Turn& Turn::operator=(Turn&& other) noexcept {
  if (this != &other) {
    if (session_) session_->drop_turn(*state_);
    state_ = std::move(other.state_);
    session_ = std::move(other.session_);
  }
  return *this;
}

const std::string& Turn::uuid() const { return state_->prompt; }
bool Turn::over() const { return session_->turn_over(*state_); }

Result<Message> Turn::next(Timeout timeout) {
  return session_->next_of(*state_, deadline_of(timeout));
}

detail::PullIterator<Message> Turn::begin() { return {this, detail::pull<Turn, Message>}; }
Turn::Text Turn::text() { return Text(*this); }

Result<ResultMessage> Turn::result(Timeout timeout) {
  return session_->result_of(*state_, deadline_of(timeout));
}

Result<std::string> Turn::answer(Timeout timeout) {
  const auto ended = result(timeout);
  if (!ended) return ended.error();
  return ended->result.value_or("");
}

Result<InterruptReceipt> Turn::interrupt() { return session_->interrupt_turn(*state_); }
Result<int> Turn::fd() { return session_->fd_of(*state_); }

detail::PullIterator<std::string> Turn::Text::begin() {
  return {this, detail::pull<Text, std::string>};
}

Result<std::string> Turn::Text::next(Timeout timeout) {
  const auto deadline = deadline_of(timeout);
  for (;;) {
    const auto message = turn_.session_->next_of(*turn_.state_, deadline);
    if (!message) {
      if (message.error().code() != ErrorCode::end) return message.error();
      const auto ended = turn_.result();
      return ended ? message.error() : ended.error();
    }
    std::string piece;
    if (const auto* event = std::get_if<StreamEvent>(&*message)) {
      piece = streamed_text(*event);
      streamed_ = streamed_ || !piece.empty();
    } else if (const auto* whole = std::get_if<AssistantMessage>(&*message)) {
      piece = whole_text(*whole);
      // It repeats what came in pieces.
      if (!piece.empty() && std::exchange(streamed_, false)) piece.clear();
    }
    if (!piece.empty()) return piece;
  }
}

}  // namespace parley
