// Transcripts somewhere else than on this machine's disk: a database, a bucket, the memory of a
// test.
//
//   options.transcript.store = std::make_shared<MyStore>();
//   options.resume.id = id;  // also of a session that another machine began
//
// The CLI goes on writing its transcripts locally; what it writes is appended to the store, too,
// and a resumed session is taken from there.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../../wire/error.hpp"
#include "../../wire/json/raw_json.hpp"

namespace parley {

/// Names one transcript. A value.
struct SessionKey {
  std::string project;  ///< The working folder, all but letters and digits as '-'.
  std::string session_id;
  std::string subpath;  ///< Of a subagent, e.g. "subagents/agent-1"; empty: the session itself.
  auto operator<=>(const SessionKey&) const = default;

  /// Out of a file name of the CLI: …/projects/<project>/<session>[/<subpath>].jsonl.
  static std::optional<SessionKey> of_file(std::string_view path);
};

/// Where transcripts go to and come from. A resource, shared by any number of sessions; all members
/// may be called from several threads at once.
class SessionStore {
 public:
  virtual ~SessionStore() = default;

  /// Adds lines to the end of a transcript, which begins with the first call. Called for one
  /// session in the order of the lines, on a thread of its own. An error is tried again twice and
  /// then told by a MirrorError message; entries have a `uuid`, for stores that want to recognise
  /// those that came before.
  [[nodiscard]] virtual Result<void> append(const SessionKey& key,
                                            const std::vector<RawJson>& entries) = 0;
  /// The whole transcript; nothing if there is none.
  [[nodiscard]] virtual Result<std::optional<std::vector<RawJson>>> load(const SessionKey& key) = 0;
  /// The subpaths there are below a session, so that a resumed one knows its subagents.
  [[nodiscard]] virtual Result<std::vector<std::string>> subpaths(const SessionKey& session);
};

/// Keeps everything in memory, for tests and short-lived programs.
class MemorySessionStore final : public SessionStore {
 public:
  [[nodiscard]] Result<void> append(const SessionKey& key,
                                    const std::vector<RawJson>& entries) override;
  [[nodiscard]] Result<std::optional<std::vector<RawJson>>> load(const SessionKey& key) override;
  [[nodiscard]] Result<std::vector<std::string>> subpaths(const SessionKey& session) override;
  [[nodiscard]] std::vector<SessionKey> keys() const;

 private:
  mutable std::mutex mutex_;
  std::map<SessionKey, std::vector<RawJson>> transcripts_;
};

}  // namespace parley
