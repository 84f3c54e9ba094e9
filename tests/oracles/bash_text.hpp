// What bash itself makes of a text: the command as it prints what it has read. Nothing is run.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace parley::test {

/// For each text the printed form; nothing for one that bash refuses, or that is more than a list
/// of commands (one that ends the function around it, or the shell).
[[nodiscard]] std::vector<std::optional<std::string>> printed_by_bash(
    const std::vector<std::string>& texts);

}  // namespace parley::test
