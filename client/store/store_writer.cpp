#include "client/store/store_writer.hpp"

#include <thread>

namespace parley::detail {
namespace {

/// How long to wait before each further attempt.
constexpr std::chrono::milliseconds kPauses[] = {std::chrono::milliseconds(200),
                                                 std::chrono::milliseconds(800)};

}  // namespace

void StoreWriter::add(SessionKey key, std::vector<RawJson> entries) {
  std::size_t bytes = 0;
  for (const RawJson& entry : entries) bytes += entry.text.size();
  waiting_bytes_ += bytes;
  thread_->run(
      [self = shared_from_this(), key = std::move(key), entries = std::move(entries), bytes] {
        if (const auto done = self->append(key, entries); !done) {
          self->events_.failed(key, done.error());
        }
        self->waiting_bytes_ -= bytes;
        self->events_.written();
      });
}

Result<void> StoreWriter::append(const SessionKey& key, const std::vector<RawJson>& entries) {
  const auto attempt = [&]() -> Result<void> {
    try {
      return store_->append(key, entries);
    } catch (const std::exception& error) {
      return Error(ErrorCode::io, "the session store threw: " + std::string(error.what()));
    } catch (...) {
      return Error(ErrorCode::io, "the session store threw");
    }
  };
  Result<void> done = attempt();
  for (const auto pause : kPauses) {
    if (done) break;
    std::this_thread::sleep_for(pause);
    done = attempt();
  }
  return done;
}

}  // namespace parley::detail
