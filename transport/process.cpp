#include "transport/process.hpp"

#include <signal.h>
#include <sys/wait.h>

#include <cerrno>
#include <future>

#include "transport/spawn.hpp"
#include "transport/stream_transport.hpp"

namespace parley {
namespace {

/// After the process has ended, its pipes may still be held open by what it started. What is in
/// them is read; this long is waited for more.
constexpr std::chrono::milliseconds kDrainTime{200};

class ProcessStream final : public detail::Stream {
 public:
  ProcessStream(std::shared_ptr<Loop> loop, ProcessSpec spec)
      : Stream(std::move(loop)), spec_(std::move(spec)) {}

  [[nodiscard]] std::optional<int> pid() const {
    const int pid = public_pid_;
    return pid > 0 ? std::optional(pid) : std::nullopt;
  }

 private:
  Result<void> open() override {
    if (started_) return Error(ErrorCode::invalid, "the transport was started before");
    started_ = true;
    auto child = detail::start_process(spec_);
    if (!child) return child.error();
    pid_ = child->pid;
    public_pid_ = child->pid;
    pidfd_ = std::move(child->pidfd);
    input_ = std::move(child->input);
    output_ = std::move(child->output);
    errors_ = std::move(child->errors);
    return loop().watch(pidfd_.get(), true, false,
                        [this, keep = self()](Loop::Ready) { on_exit(); });
  }

  void on_exit() {
    status_ = reap();
    // What the process had not read is lost, but its last words count for more than that.
    drop_input();
    drain();
    if (finish_if_done()) return;
    arm_drain();
  }

  void arm_drain() {
    loop().cancel(drain_timer_);
    drain_timer_ = loop().after(kDrainTime, [this, keep = self()] {
      drain();
      // What a slow reader has not taken yet is not given up; on_resume() starts the time anew.
      if (finish_if_done() || paused()) return;
      finish(*status_);
    });
  }

  void on_resume() override {
    if (status_) arm_drain();
  }

  void on_output_end() override {
    if (finish_if_done()) return;
    // Without an output it can say nothing any more, whatever it still does.
    if (!status_ && !output_open()) begin_stop();
  }

  bool finish_if_done() {
    if (finished()) return true;
    if (!status_ || output_open() || errors_open()) return false;
    cancel_timers();
    finish(*status_);
    return true;
  }

  void begin_stop() override {
    if (stopping_ || status_) return;
    stopping_ = true;
    end_input_after_queue();
    stop_timer_ = loop().after(spec_.term_after, [this, keep = self()] {
      signal_group(SIGTERM);
      stop_timer_ = loop().after(spec_.kill_after, [this, keep] { signal_group(SIGKILL); });
    });
  }

  void begin_kill() override {
    stopping_ = true;
    loop().cancel(stop_timer_);
    drop_input();
    signal_group(SIGKILL);
  }

  void signal_group(int number) const {
    // Until it is reaped, the number belongs to this child and to nobody else.
    if (pid_ > 0) ::kill(-pid_, number);
  }

  /// Waits for the process, which has ended or is about to.
  ExitStatus reap() {
    siginfo_t info{};
    int result = 0;
    do {
      result = ::waitid(P_PIDFD, static_cast<id_t>(pidfd_.get()), &info, WEXITED);
    } while (result != 0 && errno == EINTR);
    loop().unwatch(pidfd_.get());
    pidfd_.reset();
    pid_ = -1;
    public_pid_ = -1;
    // A host that ignores SIGCHLD, or waits for any child, has taken the status away.
    if (result != 0) return {};
    if (info.si_code == CLD_EXITED) return {.code = info.si_status, .signal = std::nullopt};
    return {.code = std::nullopt, .signal = info.si_status};
  }

  void release() override {
    cancel_timers();
    if (pid_ <= 0) return;
    signal_group(SIGKILL);
    (void)reap();
  }

  void cancel_timers() {
    loop().cancel(stop_timer_);
    loop().cancel(drain_timer_);
  }

  ProcessSpec spec_;
  bool started_ = false;
  bool stopping_ = false;
  pid_t pid_ = -1;
  std::atomic<int> public_pid_{-1};
  UniqueFd pidfd_;
  std::optional<ExitStatus> status_;
  Loop::TimerId stop_timer_ = 0;
  Loop::TimerId drain_timer_ = 0;
};

class ProcessTransport final : public detail::StreamTransport {
 public:
  explicit ProcessTransport(std::shared_ptr<ProcessStream> stream)
      : StreamTransport(stream), process_(std::move(stream)) {}
  [[nodiscard]] std::optional<int> pid() const override { return process_->pid(); }

 private:
  std::shared_ptr<ProcessStream> process_;
};

class Collector final : public TransportSink {
 public:
  void on_output(std::string_view bytes) override { output.text += bytes; }
  void on_error_output(std::string_view bytes) override { output.errors += bytes; }
  void on_input_lost(const Error&) override {}
  void on_end(const ExitStatus& status) override {
    output.status = status;
    ended.set_value();
  }
  ProgramOutput output;
  std::promise<void> ended;
};

}  // namespace

std::unique_ptr<Transport> make_process_transport(std::shared_ptr<Loop> loop, ProcessSpec spec) {
  return std::make_unique<ProcessTransport>(
      std::make_shared<ProcessStream>(std::move(loop), std::move(spec)));
}

Result<ProgramOutput> run_program(ProcessSpec spec, std::chrono::milliseconds timeout) {
  auto loop = Loop::shared();
  if (!loop) return loop.error();
  const std::string name = spec.program;
  Collector collector;
  auto ended = collector.ended.get_future();
  const auto transport = make_process_transport(*loop, std::move(spec));
  if (auto started = transport->start(collector); !started) return started.error();
  transport->close_input();
  if (ended.wait_for(timeout) != std::future_status::ready) {
    transport->kill();
    ended.wait();
    return Error(ErrorCode::timeout,
                 name + " did not end within " + std::to_string(timeout.count()) + " ms");
  }
  return std::move(collector.output);
}

}  // namespace parley
