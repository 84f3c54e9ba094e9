// Bytes in and out of an agent, whatever carries them: a child process, a pair of descriptors, a
// recording. Everything above this interface is the same for all of them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "../wire/error.hpp"

namespace parley {

/// How the other side ended. Both members are empty where there is no process, or none that could
/// be waited for.
struct ExitStatus {
  std::optional<int> code;
  std::optional<int> signal;
  bool operator==(const ExitStatus&) const = default;

  [[nodiscard]] bool clean() const { return !signal && code.value_or(0) == 0; }
};

/// "exit code 3", "killed by signal 9 (Killed)", "end of stream".
[[nodiscard]] std::string to_string(const ExitStatus& status);

/// Receives what a transport reads. All calls come from one thread at a time (the loop's), so an
/// implementation must neither block nor call user code.
class TransportSink {
 public:
  virtual ~TransportSink() = default;

  /// Bytes of the protocol, in any portions. The view is valid during the call.
  virtual void on_output(std::string_view bytes) = 0;
  /// Bytes of the other side's stderr.
  virtual void on_error_output(std::string_view bytes) = 0;
  /// The other side no longer takes input; what was written and not yet taken is lost. Output may
  /// still come. Called at most once, and not after close_input().
  virtual void on_input_lost(const Error& reason) = 0;
  /// The last call: all output has been handed over and the process, if any, is gone.
  virtual void on_end(const ExitStatus& status) = 0;
};

/// A resource: owns descriptors and the process. Not copyable. All members may be called from any
/// thread, also from within the sink; none of them blocks.
class Transport {
 public:
  virtual ~Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  /// Starts, once. The sink must outlive the transport. An error means that nothing was started
  /// and that the sink will hear nothing.
  virtual Result<void> start(TransportSink& sink) = 0;

  /// Queues bytes for the other side's input, in order. Bytes that can no longer arrive are dropped
  /// (the sink has been told).
  virtual void write(std::string bytes) = 0;
  /// Bytes queued and not yet taken by the other side.
  [[nodiscard]] virtual std::size_t unsent() const = 0;

  /// Stops and goes on reading output, so that the other side feels the pressure.
  virtual void pause() = 0;
  virtual void resume() = 0;

  /// End of input, after what is queued.
  virtual void close_input() = 0;
  /// Ends the other side: end of input, and force after a while (see ProcessSpec). on_end follows.
  /// Also takes back pause(), because an end needs the output read.
  virtual void stop() = 0;
  /// Ends it by force, now. on_end follows.
  virtual void kill() = 0;

  /// The process, if there is one.
  [[nodiscard]] virtual std::optional<int> pid() const { return std::nullopt; }

 protected:
  Transport() = default;
};

}  // namespace parley
