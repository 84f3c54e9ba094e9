// The programs that only look, each with the options under which that is all they do.
#pragma once

#include <cstddef>
#include <string_view>

#include "program_options.hpp"

namespace parley::agent {

struct ReadOnlyProgram {
  enum class Operands {
    files,            ///< Each names a file to read.
    text_then_files,  ///< The first is a text (what to search for), the others are files.
    text,             ///< None names a file.
  };
  std::string_view name;
  OptionTable options = {};
  Operands operands = Operands::files;
  std::size_t most_operands = 100'000;
};

/// Null if there is none of that name.
[[nodiscard]] const ReadOnlyProgram* find_read_only_program(std::string_view name);

}  // namespace parley::agent
