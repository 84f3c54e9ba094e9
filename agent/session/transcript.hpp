// The transcript of a session as this agent writes it: lines chained by uuid and parentUuid, in the
// folders and the format of the real CLI (see history/).
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "earlier_run.hpp"
#include "transcript_file.hpp"
#include "transcript_writer.hpp"

namespace parley::agent {

/// Thread-safe.
class Transcript final : public TranscriptWriter {
 public:
  struct Setup {
    std::string root;  ///< `~/.claude` or CLAUDE_CONFIG_DIR.
    std::string cwd;
    std::string session_id;
    std::string entrypoint;
    bool persist = true;
    /// Is shown every line after it was written; may be empty.
    std::function<void(const std::string& path, const std::string& line)> mirror = {};
  };
  explicit Transcript(const Setup& setup);

  /// Goes on with the file of an earlier run, which may be in another project.
  void resume(const EarlierRun& run);

  [[nodiscard]] std::string path() const override;
  /// Where the files of the session are.
  [[nodiscard]] history::SessionPlace place() const;
  std::string add(Json line) override;
  void note(Json line) override;
  void sync() override;

 private:
  const std::string session_id_;
  mutable std::mutex mutex_;
  history::SessionPlace place_;  ///< As it is from resume() on, before anybody else looks.
  TranscriptFile file_;
  std::vector<Json> endings_;  ///< Of the earlier run; written when this one has something to say.
};

}  // namespace parley::agent
