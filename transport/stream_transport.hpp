// What transports over descriptors share: reading with pause and resume, queued writing, and the
// order of the end. Internal to transport/.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include "../support/files/unique_fd.hpp"
#include "loop.hpp"
#include "transport.hpp"

namespace parley::detail {

/// The part that lives on the loop's thread. Tasks and handlers there keep it alive, so it may
/// outlive its transport; then `sink_` is null and nothing is reported.
class Stream : public std::enable_shared_from_this<Stream> {
 public:
  explicit Stream(std::shared_ptr<Loop> loop) : loop_(std::move(loop)) {}
  virtual ~Stream() = default;

  // From any thread.
  Result<void> start(TransportSink& sink);
  void write(std::string bytes);
  [[nodiscard]] std::size_t unsent() const { return unsent_; }
  void set_paused(bool paused);
  void close_input();
  void stop();
  void kill();
  /// Lets go of the sink and of all descriptors; nothing is reported after it returns.
  void abandon();
  [[nodiscard]] Loop& loop() { return *loop_; }

 protected:
  // On the loop's thread.
  /// Opens the descriptors.
  virtual Result<void> open() = 0;
  /// The output has ended.
  virtual void on_output_end() = 0;
  /// Reading goes on after a pause.
  virtual void on_resume() {}
  virtual void begin_stop() = 0;
  virtual void begin_kill() = 0;
  virtual void release() {}

  Result<void> watch_all();
  /// Reports the end, once, and drops everything.
  void finish(const ExitStatus& status);
  /// Reads what is there. False if it would block or reading is paused.
  void drain();
  void input_lost(int error_number);
  void end_input_after_queue();
  void drop_input();
  [[nodiscard]] bool output_open() const { return output_.valid(); }
  [[nodiscard]] bool errors_open() const { return errors_.valid(); }
  [[nodiscard]] bool paused() const { return paused_; }
  [[nodiscard]] bool finished() const { return finished_; }
  std::shared_ptr<Stream> self() { return shared_from_this(); }

  UniqueFd input_, output_, errors_;

 private:
  void flush();
  void read_output();
  void read_errors();
  void end_reading(UniqueFd& fd);
  /// Ends without a word to the sink, and lets go of what is behind the descriptors.
  void give_up();
  void close_all();
  /// Begins the end on the loop; what is left is read, whether the reader is paused or not.
  void end_by(void (Stream::*begin)());
  void apply_pause();
  void close_fd(UniqueFd& fd);

  std::shared_ptr<Loop> loop_;
  TransportSink* sink_ = nullptr;
  std::deque<std::string> queue_;
  std::size_t sent_of_front_ = 0;
  bool input_watched_ = false;
  bool input_ending_ = false;
  bool finished_ = false;
  std::atomic<bool> paused_{false};
  std::atomic<bool> stopping_{false};
  std::atomic<std::size_t> unsent_{0};

  std::mutex mutex_;  ///< For the next two, which any thread touches.
  std::deque<std::string> arriving_;
  bool flush_posted_ = false;
};

/// The handle.
class StreamTransport : public Transport {
 public:
  explicit StreamTransport(std::shared_ptr<Stream> stream) : stream_(std::move(stream)) {}
  ~StreamTransport() override { stream_->abandon(); }

  Result<void> start(TransportSink& sink) override { return stream_->start(sink); }
  void write(std::string bytes) override { stream_->write(std::move(bytes)); }
  [[nodiscard]] std::size_t unsent() const override { return stream_->unsent(); }
  void pause() override { stream_->set_paused(true); }
  void resume() override { stream_->set_paused(false); }
  void close_input() override { stream_->close_input(); }
  void stop() override { stream_->stop(); }
  void kill() override { stream_->kill(); }

 private:
  std::shared_ptr<Stream> stream_;
};

}  // namespace parley::detail
