#include "server/sessions/list_feed.hpp"

#include <chrono>

namespace parley::server {
namespace {

/// A moment, so that changes that come together are told together.
constexpr std::chrono::milliseconds kPause{20};
constexpr std::size_t kWatchersAtOnce = 20;
/// And not more than this: a change of everything is a long message for everybody, and events must
/// find their way in between.
constexpr std::size_t kBytesAtOnce = std::size_t{512} << 10;
constexpr std::size_t kKeptMessages = 4;

}  // namespace

void ListFeed::changed(const std::string& id) {
  std::uint64_t& number = numbers_[id];
  changes_.erase(number);
  number = ++last_;
  changes_.emplace(number, id);
  messages_.clear();
  schedule();
}

void ListFeed::gone(const std::string& id) {
  if (const auto found = numbers_.find(id); found != numbers_.end()) {
    changes_.erase(found->second);
    numbers_.erase(found);
  }
  messages_.clear();
  for (const auto& [watcher, number] : watchers_) watcher->on_gone(id);
}

void ListFeed::stop() {
  stopped_ = true;
  if (timer_) loop_.cancel(*timer_);
  timer_.reset();
}

void ListFeed::schedule() {
  if (timer_ || stopped_ || watchers_.empty()) return;
  timer_ = loop_.at(Loop::Clock::now() + kPause, [this] {
    timer_.reset();
    serve();
  });
}

void ListFeed::serve() {
  std::size_t served = 0;
  std::size_t bytes = 0;
  bool behind = false;
  auto next = watchers_.upper_bound(served_);
  for (std::size_t i = 0; i < watchers_.size(); ++i, ++next) {
    if (next == watchers_.end()) next = watchers_.begin();
    auto& [watcher, number] = *next;
    if (number == last_) continue;
    if (served == kWatchersAtOnce || bytes >= kBytesAtOnce || !watcher->has_room()) {
      behind = true;
      continue;
    }
    const std::string& message = message_since(number);
    watcher->on_sessions(message);
    number = last_;
    served_ = watcher;
    ++served;
    bytes += message.size();
  }
  if (behind) {
    schedule();
  } else {
    messages_.clear();
  }
}

const std::string& ListFeed::message_since(std::uint64_t number) {
  if (const auto known = messages_.find(number); known != messages_.end()) return known->second;
  Json sessions = Json::array();
  for (auto change = changes_.upper_bound(number); change != changes_.end(); ++change) {
    if (auto summary = summarize_(change->second)) sessions.push(*std::move(summary));
  }
  if (messages_.size() == kKeptMessages) messages_.clear();
  return messages_[number] =
             Json::object({{"type", "sessions"}, {"sessions", std::move(sessions)}}).dump();
}

}  // namespace parley::server
