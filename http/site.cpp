#include "http/site.hpp"

#include <boost/asio/io_context.hpp>
#include <vector>

namespace parley::http {

Site::Site(Limits limits, Handler handler)
    : io_(std::make_unique<boost::asio::io_context>()),
      limits_(limits),
      handler_(std::move(handler)) {}

Site::~Site() = default;

void Site::add(const std::shared_ptr<Peer>& peer) {
  bool late = false;
  bool at_once = false;
  {
    const std::lock_guard lock(mutex_);
    peers_.emplace(peer.get(), peer);
    late = leaving_;
    at_once = at_once_;
  }
  if (late) peer->leave(at_once);
}

void Site::remove(const Peer& peer) {
  std::shared_ptr<Peer> last;  // destroyed outside the lock: it may be the last owner
  const std::lock_guard lock(mutex_);
  const auto found = peers_.find(&peer);
  if (found == peers_.end()) return;
  last = std::move(found->second);
  peers_.erase(found);
  if (peers_.empty()) changed_.notify_all();
}

void Site::replace(const Peer& previous, const std::shared_ptr<Peer>& next) {
  add(next);
  remove(previous);
}

std::size_t Site::count() const {
  const std::lock_guard lock(mutex_);
  return peers_.size();
}

bool Site::leaving() const {
  const std::lock_guard lock(mutex_);
  return leaving_;
}

void Site::leave_all(bool at_once) {
  std::vector<std::shared_ptr<Peer>> all;
  {
    const std::lock_guard lock(mutex_);
    leaving_ = true;
    at_once_ = at_once;
    all.reserve(peers_.size());
    for (const auto& [key, peer] : peers_) all.push_back(peer);
  }
  for (const auto& peer : all) peer->leave(at_once);
}

bool Site::wait_until_empty(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, patience, [this] { return peers_.empty(); });
}

}  // namespace parley::http
