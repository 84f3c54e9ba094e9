// What an expression is compiled to. Internal to model/.
#pragma once

#include <bitset>
#include <cstddef>
#include <string_view>
#include <vector>

#include "pattern.hpp"

namespace parley::model {

using Bytes = std::bitset<256>;

struct Instruction {
  enum class Kind {
    kByte,  ///< Takes one byte of a set.
    kSplit,
    kTextBegin,
    kTextEnd,
    kEnd,  ///< At the end, or before a line break that ends the text.
    kLineBegin,
    kLineEnd,
    kWordBoundary,
    kNoWordBoundary,
    kAhead,     ///< Goes on if `other` leads to a match from here.
    kNotAhead,  ///< Goes on if it does not.
    kMatch,
  };
  Kind kind = Kind::kMatch;
  std::size_t next = 0;
  std::size_t other = 0;  ///< For kSplit and the two kinds of look-ahead.
  std::size_t bytes = 0;  ///< For kByte: which of the sets.
};

struct Pattern::Program {
  std::vector<Instruction> code;
  std::vector<Bytes> sets;
  std::size_t start = 0;
};

[[nodiscard]] bool is_word_byte(char c);

}  // namespace parley::model
