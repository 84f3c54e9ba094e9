// Plays a recording of an agent as if it were the agent, waiting for what the agent waited for.
//
// A recording is a file of JSON lines: {"dir":"in"|"out"|"err"|"start"|"exit"|…,"line":…}. What was
// `in` is waited for, what was `out` or `err` is said. Lines of the client need not be equal to the
// recorded ones, because ids and options differ from run to run: an input line counts if it is of
// the same kind (type, and subtype of a control request or the request a response answers). Ids
// that this client chose are put in place of the recorded ones in what is said to it. A control
// request that the recorded client never made is answered with an empty success.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loop.hpp"
#include "transport.hpp"

namespace parley {

struct RecordedEvent {
  enum class Kind { start, input, input_end, output, error_output, exit };
  Kind kind = Kind::output;
  std::string line;                    ///< Without its newline.
  bool newline = true;                 ///< False for a last line that had none.
  ExitStatus status;                   ///< Of `exit`.
  std::vector<std::string> arguments;  ///< Of `start`.
};

/// The events of one process. A file may hold several, one after the other: see `run`.
struct Recording {
  std::vector<RecordedEvent> events;

  /// The run of that number (from 0) in the text of a recording.
  static Result<Recording> parse(std::string_view text, std::size_t run = 0);
  static Result<Recording> load(const std::filesystem::path& file, std::size_t run = 0);
};

/// The player, without I/O: it is told what the client wrote and says what comes next.
class Replayer {
 public:
  explicit Replayer(Recording recording);

  struct Step {
    RecordedEvent::Kind kind =
        RecordedEvent::Kind::output;  ///< `output`, `error_output` or `exit`.
    std::string text;                 ///< With its newline, if it had one.
    ExitStatus status;
  };

  /// What the agent says before it waits again. Called first without any input.
  std::vector<Step> advance();
  /// A line of the client, without its newline. Lines that the recording does not wait for are
  /// remembered until it does.
  void input(std::string_view line);
  void input_end() { ended_ = true; }

  /// What the agent waits for now, as text for a person; empty at the end of the recording.
  [[nodiscard]] std::string waiting_for() const;

 private:
  struct Arrived {
    std::string kind;
    std::string id;
  };
  bool satisfied(const RecordedEvent& event);
  [[nodiscard]] bool awaits(const std::string& kind) const;
  [[nodiscard]] std::string renamed(const std::string& line) const;

  Recording recording_;
  std::size_t next_ = 0;
  std::vector<Arrived> arrived_;
  std::vector<Step> answers_;               ///< To requests the recorded client never made.
  std::map<std::string, std::string> ids_;  ///< Recorded id -> that of this client.
  bool ended_ = false;                      ///< The client has hung up.
  bool over_ = false;                       ///< The exit was said.
};

/// The same as a transport. It says everything as soon as it may, not in recorded time.
[[nodiscard]] std::unique_ptr<Transport> make_replay_transport(std::shared_ptr<Loop> loop,
                                                               Recording recording);

}  // namespace parley
