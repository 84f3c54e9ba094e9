// Files and folders as the log needs them. Internal to the log.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "wire/error.hpp"

namespace parley::server {

/// `io` with what `errno` says.
[[nodiscard]] Error io_error(const std::string& what, const std::filesystem::path& path);

[[nodiscard]] Result<void> write_all(int fd, std::string_view bytes,
                                     const std::filesystem::path& path);
/// Fewer bytes than wanted if the file ends before.
[[nodiscard]] Result<std::string> read_range(const std::filesystem::path& path, std::size_t from,
                                             std::size_t most);

/// Makes a file, for this user only, whose bytes are on the disk when this returns. There is none
/// after an error.
[[nodiscard]] Result<void> write_durably(const std::filesystem::path& path, std::string_view bytes);

/// Makes a folder and those above it, for this user only; one that is there stays as it is.
[[nodiscard]] Result<void> make_private_folder(const std::filesystem::path& folder);

/// Whether the machine was started after the last change of a file, so that a power cut may have
/// taken what came after that.
[[nodiscard]] bool written_before_boot(const std::filesystem::path& path);

/// Whether so many files could be opened now.
[[nodiscard]] bool has_free_descriptors(std::size_t count);

}  // namespace parley::server
