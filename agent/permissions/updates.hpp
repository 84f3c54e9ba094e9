// What a permission update does to the rules and folders in memory and to a settings file.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "scope.hpp"

namespace parley::agent {

/// A working folder and who opened it.
struct Folder {
  std::filesystem::path path;
  Enum<PermissionDestination> from;
};

/// What updates change.
struct PermissionState {
  Enum<PermissionMode> mode = PermissionMode::default_;
  std::vector<Rule> rules;
  std::vector<Folder> folders;
};

/// Checks an update without doing it. Errors: `invalid` for what this build does not know or what
/// holds too much, `permission` for a destination that cannot be written to.
[[nodiscard]] Result<void> check_update(const PermissionUpdate& update);

/// `root`: what relative folders start from.
void update_state(PermissionState& state, const PermissionUpdate& update,
                  const std::filesystem::path& root);
/// The same in the JSON of a settings file. Errors: `unexpected` if what would be changed is there
/// in another shape, which is left as it is.
[[nodiscard]] Result<void> update_settings(Json& settings, const PermissionUpdate& update);
/// Where the update is kept; session if it says nothing.
[[nodiscard]] Enum<PermissionDestination> destination_of(const PermissionUpdate& update);

}  // namespace parley::agent
