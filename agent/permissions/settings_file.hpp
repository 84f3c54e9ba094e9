// Changing the permissions in a settings file and nothing else in it. Written whole beside the old
// one and moved into its place.
#pragma once

#include <filesystem>
#include <functional>

#include "../../wire/json/json.hpp"

namespace parley::agent {

/// Reads a settings file: an empty object if there is none.
/// Errors: `permission` if it is reached over a link or is no plain file, `too_large`, `malformed`
/// or `unexpected` if it is not a JSON object, `io`.
[[nodiscard]] Result<Json> read_settings_file(const std::filesystem::path& file);

/// Replaces the file, making its folder if needed. Its mode is kept. Errors: `permission`, `io`.
[[nodiscard]] Result<void> write_settings_file(const std::filesystem::path& file,
                                               const Json& content);

}  // namespace parley::agent
