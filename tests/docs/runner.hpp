// Runs a whole program of the documentation inside a test.
#pragma once

#include <gtest/gtest.h>

namespace parley::testing {

/// Calls `run`, the main() of a snippet, with a CLI that answers every prompt with "Hello", and
/// expects success and that answer on stdout.
void expect_answer(int (*run)());

}  // namespace parley::testing
