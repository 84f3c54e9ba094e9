#include "http/server_context.hpp"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <vector>

namespace parley::http {

ServerContext::ServerContext(const ServerOptions& options, Handler handler)
    : io_(std::make_unique<boost::asio::io_context>()),
      limits_(options.limits),
      gate_(options.gate),
      refusal_(options.refusal),
      handler_(std::move(handler)),
      bodies_(options.limits.body * options.limits.bodies) {}

ServerContext::~ServerContext() = default;

Response ServerContext::refusal(int status) const {
  if (refusal_) return refusal_(status);
  return Response::text(status, std::string(reason_phrase(status)) + "\n");
}

std::uint64_t BodyRoom::add(std::weak_ptr<Peer> peer) {
  const std::lock_guard lock(mutex_);
  shares_[++added_].peer = std::move(peer);
  return added_;
}

void BodyRoom::complete(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  if (const auto found = shares_.find(number); found != shares_.end()) {
    found->second.complete = true;
  }
}

void BodyRoom::remove(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  const auto found = shares_.find(number);
  if (found == shares_.end()) return;
  bytes_ -= found->second.bytes;
  shares_.erase(found);
}

bool BodyRoom::grow(std::uint64_t number, std::size_t bytes) {
  std::vector<std::shared_ptr<Peer>> gone;  // told without the lock
  bool fits = false;
  {
    const std::lock_guard lock(mutex_);
    const auto own = shares_.find(number);
    if (own == shares_.end() || own->second.lost) return false;
    const std::size_t more = bytes - std::min(bytes, own->second.bytes);
    for (auto& [other, share] : shares_) {
      if (bytes_ + more <= most_) break;
      if (other == number || share.complete || share.bytes == 0) continue;
      bytes_ -= std::exchange(share.bytes, 0);
      share.lost = true;
      if (auto peer = share.peer.lock()) gone.push_back(std::move(peer));
    }
    fits = bytes_ + more <= most_;
    if (fits) {
      bytes_ += more;
      own->second.bytes += more;
    }
  }
  for (const auto& peer : gone) peer->give_up_body();
  return fits;
}

void ServerContext::add(const std::shared_ptr<Peer>& peer) {
  bool late = false;
  bool at_once = false;
  {
    const std::lock_guard lock(mutex_);
    peers_.emplace(peer.get(), Entry{peer, ++arrived_});
    late = leaving_;
    at_once = at_once_;
  }
  if (late) peer->leave(at_once);
}

void ServerContext::remove(const Peer& peer) {
  std::shared_ptr<Peer> last;  // destroyed outside the lock: it may be the last owner
  const std::lock_guard lock(mutex_);
  const auto found = peers_.find(&peer);
  if (found == peers_.end()) return;
  last = std::move(found->second.peer);
  peers_.erase(found);
  if (peers_.empty()) changed_.notify_all();
}

void ServerContext::replace(const Peer& previous, const std::shared_ptr<Peer>& next) {
  add(next);
  remove(previous);
}

std::size_t ServerContext::count() const {
  const std::lock_guard lock(mutex_);
  return peers_.size();
}

bool ServerContext::make_room() {
  std::shared_ptr<Peer> chosen;
  {
    const std::lock_guard lock(mutex_);
    Entry* longest = nullptr;
    for (auto& [key, entry] : peers_) {
      const bool older = longest == nullptr || entry.number < longest->number;
      if (older && !entry.goes && entry.peer->waits()) longest = &entry;
    }
    if (longest == nullptr) return false;
    longest->goes = true;
    chosen = longest->peer;
  }
  chosen->leave(true);
  return true;
}

bool ServerContext::leaving() const {
  const std::lock_guard lock(mutex_);
  return leaving_;
}

void ServerContext::leave_all(bool at_once) {
  std::vector<std::shared_ptr<Peer>> all;
  {
    const std::lock_guard lock(mutex_);
    leaving_ = true;
    at_once_ = at_once;
    all.reserve(peers_.size());
    for (const auto& [key, entry] : peers_) all.push_back(entry.peer);
  }
  for (const auto& peer : all) peer->leave(at_once);
}

bool ServerContext::wait_until_empty(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, patience, [this] { return peers_.empty(); });
}

}  // namespace parley::http
