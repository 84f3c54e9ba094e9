// Reading the arguments of a program by a table of the options that are known to be harmless. An
// option that is not in the table, in any spelling, makes the call one that is not read.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "invocation.hpp"

namespace parley::agent {

/// Names are separated by blanks. Long names count only when they are written out: what a
/// shortening means depends on the version of the program.
struct OptionTable {
  std::string_view letters = {};           ///< Short options without a value.
  std::string_view valued_letters = {};    ///< Short options with one: `-n 5`, `-n5`.
  std::string_view names = {};             ///< Long options without a value.
  std::string_view valued_names = {};      ///< Long options with one: `--lines 5`, `--lines=5`.
  std::string_view optional_names = {};    ///< Long options with or without one: `--color=always`.
  std::string_view numbered_letters = {};  ///< With or without a number behind them: `-U`, `-U5`.
  std::string_view pattern_names = {};     ///< Whose value may be a pattern.
  /// Short options whose value is the next word, whatever is written behind them: more options
  /// (tree). Only a number there is a value.
  std::string_view apart_letters = {};
  bool number = false;  ///< `-5` is an option, too.
};

struct Operand {
  const shell::Word* word = nullptr;
  bool behind_dashes = false;  ///< Stands behind `--`: can't be an option, whatever it becomes.
};

struct OptionValue {
  std::string_view option;  ///< "n" or "lines"
  std::string_view value;
};

struct Arguments {
  std::vector<Operand> operands;
  std::vector<OptionValue> values;                  ///< Of options that have one.
  std::vector<const shell::Word*> separate_values;  ///< Those that are words of their own.
  std::vector<std::string_view> options;            ///< All, letter by letter and without dashes.

  [[nodiscard]] bool has(std::string_view option) const;
};

/// The words from `from` on, or nothing if one of them is an option that the table does not know,
/// or may become one.
[[nodiscard]] std::optional<Arguments> read_arguments(const OptionTable& table, const Words& words,
                                                      std::size_t from = 1);

}  // namespace parley::agent
