// One file of lines that are chained by uuid and parentUuid: the transcript of a session, or of one
// of its subagents.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "../../history/writing/appender.hpp"
#include "../../wire/json/json.hpp"

namespace parley::agent {

/// Of one thread at a time. The file is opened by the first line; the first write that fails is the
/// last one.
class TranscriptFile {
 public:
  struct Setup {
    std::string cwd;
    std::string session_id;
    std::string entrypoint;
    bool persist = true;
    /// Is shown every line after it was written; may be empty.
    std::function<void(const std::string& path, const std::string& line)> mirror = {};
  };
  explicit TranscriptFile(Setup setup) : setup_(std::move(setup)) {}

  /// Where it is: of a subagent if `agent_id` is not empty. Before the first line.
  void set_place(history::SessionPlace place, std::string agent_id = {});
  /// The next line follows the one of this uuid.
  void resume(std::string last_uuid) { last_uuid_ = std::move(last_uuid); }

  /// Adds a line of the conversation: its members behind those of `head`, and what every line says.
  /// The uuid of the line.
  std::string add(Json head, Json line);
  /// Adds a line as it is.
  void append(const Json& line);
  void sync();
  /// Lets the file go until there is more to write: it is locked while it is open.
  void close() { appender_.reset(); }

  /// Lines are written, and none has failed.
  [[nodiscard]] bool works() const { return setup_.persist && !failed_; }
  void give_up() { failed_ = true; }

 private:
  [[nodiscard]] bool open();

  const Setup setup_;
  history::SessionPlace place_;
  std::string agent_id_;
  std::optional<history::Appender> appender_;
  std::string last_uuid_;
  bool failed_ = false;
};

}  // namespace parley::agent
