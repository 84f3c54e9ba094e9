#include "server/sessions/recorder.hpp"

#include <chrono>
#include <utility>

#include "server/events/events.hpp"

namespace parley::server {
namespace {

/// Events after which the state is saved at the end of a turn.
constexpr std::uint64_t kEventsBetweenSaves = 200;
constexpr std::size_t kReadBytes = std::size_t{1} << 20;

std::int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

Error session_deleted() { return {ErrorCode::not_found, "the session was deleted"}; }

Result<void> Recorder::load() {
  if (const auto snapshot = log_->snapshot()) {
    if (auto state = SessionState::restore(state_.id(), snapshot->state)) {
      state_ = *std::move(state);
      saved_seq_ = snapshot->seq;
    }
  }
  for (std::uint64_t seq = saved_seq_; seq < log_->last();) {
    const auto records = log_->read_after(seq, kReadBytes);
    if (!records) return records.error();
    if (records->empty()) break;
    for (const Record& record : *records) state_.apply(record.seq, record.time, record.event);
    seq = records->back().seq;
  }
  return {};
}

Result<std::uint64_t> Recorder::record(std::string event, bool transient, const Message* message) {
  if (retired_) return session_deleted();
  const std::int64_t time = now_ms();
  const std::uint64_t previous = log_->last();
  auto seq = log_->append(time, transient, event);
  if (!seq) {
    failure_ = seq.error();
    for (Subscriber* subscriber : subscribers_) {
      subscriber->on_log_failure(state_.id(), seq.error());
    }
    return seq.error();
  }
  failure_.reset();
  if (message != nullptr) {
    state_.apply_message(*seq, time, *message);
  } else {
    state_.apply(*seq, time, event);
  }
  ++context_.meters.events;
  context_.meters.event_bytes += event.size();
  const Record record{*seq, time, transient, std::move(event)};
  for (Subscriber* subscriber : subscribers_) subscriber->on_event(state_.id(), record, previous);
  if (!transient) note_change();
  return *seq;
}

void Recorder::note_change() {
  std::string headline = state_.headline();
  if (headline == headline_) return;
  headline_ = std::move(headline);
  context_.on_changed(state_.id());
}

Result<void> Recorder::record_settings(const Json& settings) {
  const auto seq = record(events::settings(settings));
  if (!seq) return seq.error();
  return {};
}

void Recorder::resolve_all(std::string_view reason) {
  const auto pending = state_.pending();
  for (const auto& [id, seq] : pending) (void)record(events::resolved(id, {}, reason));
}

void Recorder::save() {
  if (retired_ || log_->last() == saved_seq_) return;
  // Without it the next start reads more of the log; nothing is lost.
  if (log_->save({log_->last(), state_.snapshot()})) saved_seq_ = log_->last();
}

void Recorder::end_turn() {
  turn_over_seq_ = log_->last();
  if (!std::exchange(tidy_due_, true)) tidy_later();
}

void Recorder::tidy_later() {
  context_.upkeep.add([weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->tidy();
  });
}

void Recorder::tidy() {
  if (retired_) return;
  const auto more = log_->compact(turn_over_seq_, [weak = weak_from_this(), &loop = context_.loop] {
    loop.post([weak] {
      if (const auto self = weak.lock()) self->tidy_later();
    });
  });
  tidy_due_ = more && *more;
  if (log_->last() - saved_seq_ >= kEventsBetweenSaves) save();
  if (!state_.alive()) log_->rest();
}

}  // namespace parley::server
