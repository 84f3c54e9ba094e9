// A compiled expression: instructions of a nondeterministic machine over bytes.
#pragma once

#include <bitset>
#include <cstdint>
#include <vector>

#include "pattern.hpp"

namespace parley::history {

struct Pattern::Program {
  enum class Op : std::uint8_t {
    kBytes,
    kSplit,
    kJump,
    kLineBegin,
    kLineEnd,
    kWord,
    kNotWord,
    kEnd
  };
  struct Step {
    Op op;
    std::uint32_t a = 0;  ///< kBytes: index of the set. kSplit, kJump: where to go.
    std::uint32_t b = 0;  ///< kSplit: the other way.
  };
  std::vector<Step> steps;
  std::vector<std::bitset<256>> sets;
};

}  // namespace parley::history
