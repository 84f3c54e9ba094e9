// Keeps everybody's list of sessions up to date, without a message per change and client: with
// hundreds of sessions and clients that would be hundreds of thousands at a time, in the way of the
// events that people wait for.
//
// Changes are numbered. For each client the feed keeps the number of the last change that the
// client was told of, and nothing else; whatever has changed since then is told in one message.
// Clients are served a few at a time, and only while their sockets have room.
//
// Thread rule: all of it on one loop.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "transport/loop.hpp"
#include "wire/json/json.hpp"

namespace parley::server {

/// Whoever shows the list of sessions.
class ListWatcher {
 public:
  virtual ~ListWatcher() = default;
  /// `message` is what a client gets: {"type":"sessions","sessions":[Summary]}
  virtual void on_sessions(const std::string& message) = 0;
  virtual void on_gone(const std::string& id) = 0;
  /// False while its client does not read; it is asked again.
  [[nodiscard]] virtual bool has_room() const = 0;
};

class ListFeed {
 public:
  /// The summary of a session, if it is still there.
  using Summarize = std::function<std::optional<Json>(const std::string& id)>;

  ListFeed(Loop& loop, Summarize summarize) : loop_(loop), summarize_(std::move(summarize)) {}
  ListFeed(const ListFeed&) = delete;
  ListFeed& operator=(const ListFeed&) = delete;

  /// A watcher knows all that is there now.
  void add(ListWatcher& watcher) { watchers_[&watcher] = last_; }
  void remove(ListWatcher& watcher) { watchers_.erase(&watcher); }

  void changed(const std::string& id);
  void gone(const std::string& id);
  /// Tells nobody anything any more.
  void stop();

 private:
  void schedule();
  void serve();
  const std::string& message_since(std::uint64_t number);

  Loop& loop_;
  const Summarize summarize_;
  std::uint64_t last_ = 0;
  std::map<std::uint64_t, std::string> changes_;  ///< The last one of each session.
  std::map<std::string, std::uint64_t> numbers_;  ///< The same, by session.
  std::map<ListWatcher*, std::uint64_t> watchers_;
  /// What is told to those who are equally far, as long as nothing changes. Few and not for long.
  std::map<std::uint64_t, std::string> messages_;
  ListWatcher* served_ = nullptr;  ///< The last one, whom the others come after. May be gone.
  std::optional<Loop::TimerId> timer_;
  bool stopped_ = false;
};

}  // namespace parley::server
