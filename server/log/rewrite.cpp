#include "server/log/rewrite.hpp"

#include <cstdio>
#include <string>

#include "server/log/disk.hpp"

namespace parley::server {

bool Rewrite::run() {
  if (!abandoned_) outcome_ = write_draft();
  done_ = true;
  return !abandoned_;
}

Result<std::optional<std::size_t>> Rewrite::write_draft() const {
  const std::optional<std::size_t> as_it_is;
  const auto bytes = read_range(segment_.path, 0, segment_.bytes);
  if (!bytes) return as_it_is;  // whoever wants to read it will hear why
  std::string kept;
  bool whole = true;
  scan_records(
      *bytes, {segment_.first - 1, next_},
      [&](Record&& record, std::size_t at) {
        if (!record.transient) kept.append(*bytes, at, kRecordOverhead + record.event.size());
        return true;
      },
      [&](const Broken&) { return whole = false; });
  // Somebody may yet be able to mend what is damaged, so nothing of it goes.
  if (!whole || kept.size() == bytes->size()) return as_it_is;
  if (auto done = write_durably(draft(), kept); !done) return done.error();
  return std::optional(kept.size());
}

Result<std::size_t> Rewrite::adopt() {
  if (!outcome_) return outcome_.error();
  if (!*outcome_) return segment_.bytes;
  if (::rename(draft().c_str(), segment_.path.c_str()) != 0) {
    return io_error("cannot rename", draft());
  }
  return **outcome_;
}

}  // namespace parley::server
