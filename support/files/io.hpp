// Whole reads and writes: a system call may do less than it is asked for, or be interrupted.
// Internal to Parley. What fails leaves its reason in errno.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace parley {

/// Blocks until all bytes are written; false on an error.
[[nodiscard]] bool write_all(int fd, std::string_view bytes);

/// Appends what comes until the end, or until it is `most` bytes. False on an error; what was read
/// before it is there.
[[nodiscard]] bool read_all(int fd, std::string& to,
                            std::size_t most = std::numeric_limits<std::size_t>::max());

/// Reads `size` bytes at `offset`, fewer only if the file ends before. Nothing on an error.
[[nodiscard]] std::optional<std::size_t> read_at(int fd, std::uint64_t offset, char* to,
                                                 std::size_t size);

/// The bytes of a file, or the first `most` of them. Nothing if it cannot be read, or is a folder.
[[nodiscard]] std::optional<std::string> read_file(
    const std::filesystem::path& path, std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace parley
