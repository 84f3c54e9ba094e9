#include "transport/stream_transport.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

namespace parley::detail {
namespace {

constexpr std::size_t kReadBytes = 64 * 1024;
/// Reads per wake-up, so that one busy session does not starve the others.
constexpr int kReadsPerTurn = 8;

/// One buffer per loop thread: what is read is handed over at once. Not an array, which every
/// thread of the program would have, also those that never read.
std::vector<char>& read_buffer() {
  static thread_local std::vector<char> buffer(kReadBytes);
  return buffer;
}

/// On Linux EWOULDBLOCK is the same number.
bool would_block(int error_number) { return error_number == EAGAIN; }

/// What there is, into the buffer; empty at the end, and nothing if there is none yet.
std::optional<std::string_view> read_once(const UniqueFd& fd) {
  ssize_t count = 0;
  do {
    count = ::read(fd.get(), read_buffer().data(), kReadBytes);
  } while (count < 0 && errno == EINTR);
  if (count < 0 && would_block(errno)) return std::nullopt;
  return std::string_view(read_buffer().data(),
                          static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
}

}  // namespace

Result<void> Stream::start(TransportSink& sink) {
  Result<void> result;
  loop_->run([&] {
    sink_ = &sink;
    result = open();
    if (result) result = watch_all();
    if (!result) give_up();
  });
  return result;
}

Result<void> Stream::watch_all() {
  const auto keep = self();
  if (auto done =
          loop_->watch(output_.get(), true, false, [this, keep](Loop::Ready) { read_output(); });
      !done) {
    return done;
  }
  if (!errors_) return {};
  return loop_->watch(errors_.get(), true, false, [this, keep](Loop::Ready) { read_errors(); });
}

// ---- input --------------------------------------------------------------------------------------

void Stream::write(std::string bytes) {
  unsent_ += bytes.size();
  {
    const std::lock_guard lock(mutex_);
    arriving_.push_back(std::move(bytes));
    if (flush_posted_) return;
    flush_posted_ = true;
  }
  loop_->post([keep = self()] { keep->flush(); });
}

void Stream::flush() {
  {
    const std::lock_guard lock(mutex_);
    flush_posted_ = false;
    for (std::string& bytes : arriving_) queue_.push_back(std::move(bytes));
    arriving_.clear();
  }
  if (!input_) {
    queue_.clear();
    unsent_ = 0;
    return;
  }
  while (!queue_.empty()) {
    const std::string& front = queue_.front();
    const ssize_t count =
        ::write(input_.get(), front.data() + sent_of_front_, front.size() - sent_of_front_);
    if (count < 0) {
      if (errno == EINTR) continue;
      if (would_block(errno)) break;
      return input_lost(errno);
    }
    unsent_ -= static_cast<std::size_t>(count);
    sent_of_front_ += static_cast<std::size_t>(count);
    if (sent_of_front_ == front.size()) {
      queue_.pop_front();
      sent_of_front_ = 0;
    }
  }
  if (queue_.empty() && input_ending_) return drop_input();
  if (queue_.empty() == input_watched_) {
    if (input_watched_) {
      loop_->unwatch(input_.get());
      input_watched_ = false;
    } else if (loop_->watch(input_.get(), false, true,
                            [this, keep = self()](Loop::Ready) { flush(); })) {
      input_watched_ = true;
    } else {
      input_lost(EIO);
    }
  }
}

void Stream::input_lost(int error_number) {
  const bool tell = !input_ending_;
  drop_input();
  if (tell && sink_ != nullptr) {
    sink_->on_input_lost(
        Error(ErrorCode::closed,
              "the agent takes no more input (" + std::string(std::strerror(error_number)) + ")"));
  }
}

void Stream::drop_input() {
  if (input_watched_) loop_->unwatch(input_.get());
  input_watched_ = false;
  input_.reset();
  queue_.clear();
  sent_of_front_ = 0;
  unsent_ = 0;
}

void Stream::close_input() {
  loop_->post([keep = self()] { keep->end_input_after_queue(); });
}

void Stream::end_input_after_queue() {
  input_ending_ = true;
  flush();
}

// ---- output -------------------------------------------------------------------------------------

void Stream::set_paused(bool paused) {
  if (paused && stopping_) return;
  if (paused_.exchange(paused) == paused) return;
  if (loop_->on_thread()) return apply_pause();
  loop_->post([keep = self()] { keep->apply_pause(); });
}

void Stream::apply_pause() {
  if (output_ && !loop_->rewatch(output_.get(), !paused_, false)) {
    // Nobody would ever read it again: what it said so far is all there is.
    close_fd(output_);
    on_output_end();
  }
  if (!paused_ && !finished_) on_resume();
}

void Stream::read_output() {
  const auto keep = self();
  for (int turn = 0; turn < kReadsPerTurn && output_ && !paused_; ++turn) {
    const auto bytes = read_once(output_);
    if (!bytes) return;
    if (bytes->empty()) return end_reading(output_);
    if (sink_ != nullptr) sink_->on_output(*bytes);
    // A short read emptied the pipe; asking again would only cost a call.
    if (bytes->size() < kReadBytes) return;
  }
}

void Stream::read_errors() {
  for (int turn = 0; turn < kReadsPerTurn && errors_; ++turn) {
    const auto bytes = read_once(errors_);
    if (!bytes) return;
    if (bytes->empty()) return end_reading(errors_);
    if (sink_ != nullptr) sink_->on_error_output(*bytes);
  }
}

void Stream::end_reading(UniqueFd& fd) {
  close_fd(fd);
  on_output_end();
}

void Stream::drain() {
  read_errors();
  read_output();
}

void Stream::close_fd(UniqueFd& fd) {
  if (!fd) return;
  loop_->unwatch(fd.get());
  fd.reset();
}

// ---- the end ------------------------------------------------------------------------------------

void Stream::stop() { end_by(&Stream::begin_stop); }

void Stream::kill() { end_by(&Stream::begin_kill); }

void Stream::end_by(void (Stream::*begin)()) {
  stopping_ = true;
  loop_->post([keep = self(), begin] {
    if (keep->finished_) return;
    keep->paused_ = false;
    keep->apply_pause();
    (keep.get()->*begin)();
  });
}

void Stream::finish(const ExitStatus& status) {
  if (finished_) return;
  close_all();
  if (TransportSink* sink = std::exchange(sink_, nullptr)) sink->on_end(status);
}

void Stream::abandon() {
  loop_->run([this, keep = self()] { give_up(); });
}

void Stream::give_up() {
  sink_ = nullptr;
  close_all();
  release();
}

void Stream::close_all() {
  finished_ = true;
  drop_input();
  close_fd(output_);
  close_fd(errors_);
}

}  // namespace parley::detail
