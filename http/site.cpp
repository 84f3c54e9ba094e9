#include "http/site.hpp"

#include <boost/asio/io_context.hpp>
#include <vector>

namespace parley::http {

Site::Site(const ServerOptions& options, Handler handler)
    : io_(std::make_unique<boost::asio::io_context>()),
      limits_(options.limits),
      gate_(options.gate),
      refusal_(options.refusal),
      handler_(std::move(handler)) {}

Site::~Site() = default;

Response Site::refusal(int status) const {
  if (refusal_) return refusal_(status);
  return Response::text(status, std::string(reason_phrase(status)) + "\n");
}

BodyShare::~BodyShare() {
  if (site_) site_->body_bytes() -= bytes_;
}

bool BodyShare::grow_to(std::size_t bytes) {
  if (bytes <= bytes_) return true;
  const std::size_t more = bytes - bytes_;
  const std::size_t most = site_->limits().body * site_->limits().bodies;
  if ((site_->body_bytes() += more) > most) {
    site_->body_bytes() -= more;
    return false;
  }
  bytes_ = bytes;
  return true;
}

void Site::add(const std::shared_ptr<Peer>& peer) {
  bool late = false;
  bool at_once = false;
  {
    const std::lock_guard lock(mutex_);
    peers_.emplace(peer.get(), Guest{peer, ++arrived_});
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
  last = std::move(found->second.peer);
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

bool Site::make_room() {
  std::shared_ptr<Peer> chosen;
  {
    const std::lock_guard lock(mutex_);
    Guest* longest = nullptr;
    for (auto& [key, guest] : peers_) {
      const bool older = longest == nullptr || guest.number < longest->number;
      if (older && !guest.goes && guest.peer->waits()) longest = &guest;
    }
    if (longest == nullptr) return false;
    longest->goes = true;
    chosen = longest->peer;
  }
  chosen->leave(true);
  return true;
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
    for (const auto& [key, guest] : peers_) all.push_back(guest.peer);
  }
  for (const auto& peer : all) peer->leave(at_once);
}

bool Site::wait_until_empty(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, patience, [this] { return peers_.empty(); });
}

}  // namespace parley::http
