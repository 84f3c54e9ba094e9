// Texts that users keep for agents in files of their own.
#pragma once

#include <filesystem>
#include <string>

namespace parley::agent {

/// The text of a file as UTF-8, cut after a few hundred kilobytes; empty if it cannot be read.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path);
[[nodiscard]] bool is_plain_file(const std::filesystem::path& path);

}  // namespace parley::agent
