// The transcript of one subagent, in the folder of its session, with the note beside it that says
// where it came from.
#pragma once

#include <functional>
#include <mutex>
#include <string>

#include "../session/transcript_file.hpp"
#include "../session/transcript_writer.hpp"
#include "subagent_identity.hpp"

namespace parley::agent {

/// Thread-safe.
class SubagentTranscript final : public TranscriptWriter {
 public:
  struct Setup {
    history::SessionPlace place;  ///< Of the session.
    std::string cwd;
    std::string entrypoint;
    bool persist = true;
    SubagentIdentity identity;
    /// Is shown every line after it was written; may be empty.
    std::function<void(const std::string& path, const std::string& line)> mirror = {};
  };
  explicit SubagentTranscript(Setup setup);

  [[nodiscard]] std::string path() const override;
  std::string add(Json line) override;
  void note(Json line) override;
  void sync() override;

  /// Goes on behind the line of this uuid.
  void resume(std::string last_uuid);
  /// Writes the note, after the first line. `background`: how the agent was asked for; `finished`:
  /// it has ended, and the file is let go until there is more to write.
  void describe(bool background, bool finished);

 private:
  const Setup setup_;
  std::mutex mutex_;
  TranscriptFile file_;
};

}  // namespace parley::agent
