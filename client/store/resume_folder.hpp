// A configuration folder for a session that comes out of a store. Internal to client/.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "../../support/files/temporary.hpp"
#include "../../transport/process.hpp"
#include "session_store.hpp"

namespace parley::detail {

/// A resource: a private folder that looks like the user's configuration folder, but whose
/// transcripts are those of one session of the store. Gone with the object.
class ResumeFolder {
 public:
  using Getenv = std::function<std::optional<std::string>(const std::string&)>;

  /// `not_found` if the store has no such session.
  static Result<std::unique_ptr<ResumeFolder>> make(SessionStore& store, const SessionKey& session,
                                                    const Getenv& getenv);
  ResumeFolder(const ResumeFolder&) = delete;
  ResumeFolder& operator=(const ResumeFolder&) = delete;

  /// Makes another user the owner, so that a CLI that runs as that user can read and write there.
  Result<void> give_to(const ProcessUser& user) const;
  [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }

 private:
  explicit ResumeFolder(TemporaryFolder folder) : folder_(std::move(folder)) {}
  Result<void> copy_configuration(const Getenv& getenv) const;
  Result<void> write(const SessionKey& key, const std::vector<RawJson>& entries) const;

  TemporaryFolder folder_;
};

/// The name that the CLI gives the transcripts of a working folder.
[[nodiscard]] std::string project_of(const std::filesystem::path& working_folder);

}  // namespace parley::detail
