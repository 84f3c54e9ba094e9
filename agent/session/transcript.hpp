// The transcript of a session as this agent writes it: lines chained by uuid and parentUuid, in the
// folders and the format of the real CLI (see history/).
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "../../history/writing/appender.hpp"
#include "earlier_run.hpp"
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
  explicit Transcript(Setup setup) : setup_(std::move(setup)) {}

  /// Goes on with the file of an earlier run, which may be in another project.
  void resume(const EarlierRun& run);

  [[nodiscard]] std::string path() const override;
  /// Where the files of the session are.
  [[nodiscard]] history::SessionPlace place() const;
  std::string add(Json line) override;
  void note(Json line) override;
  void sync() override;

 private:
  std::string add_line(Json line);
  void write(const Json& line);

  const Setup setup_;
  mutable std::mutex mutex_;
  std::optional<history::SessionPlace> place_;  ///< Of a resumed session.
  std::optional<history::Appender> appender_;
  std::string last_uuid_;
  std::vector<Json> endings_;  ///< Of the earlier run; written when this one has something to say.
  bool failed_ = false;        ///< A write has failed: nothing more is written.
};

}  // namespace parley::agent
