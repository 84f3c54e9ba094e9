#include "agent/session/session_title.hpp"

namespace parley::agent {

void SessionTitle::note(const std::string& title) {
  transcript_.note(Json::object({{"type", "custom-title"}, {"customTitle", title}}));
}

void SessionTitle::rename(const std::string& title) {
  // In this order: begin_transcript() on another thread misses the title or sees it, and then
  // `begun_` is seen here.
  title_.set(title);
  if (begun_) note(title);
  SessionTitleChanged message;
  message.title = title;
  messages_.send(std::move(message));
}

void SessionTitle::begin_transcript() {
  if (begun_.exchange(true)) return;
  const std::optional<std::string> title = title_.copy();
  if (name_ || title) note(name_.value_or(title.value_or("")));
}

}  // namespace parley::agent
