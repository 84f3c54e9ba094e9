// Runs what the documentation shows inside a test, against the fake CLI.
#pragma once

#include <gtest/gtest.h>

#include "client/client.hpp"

namespace parley::testing {

/// Calls `run`, the main() of a snippet, with a CLI that answers every prompt with "Hello", and
/// expects success and that answer on stdout.
void expect_answer(int (*run)());

/// Calls a fragment with options, with a session that has just been sent a prompt, and with a
/// server; then expects that a session with the options, as the fragment left them, answers a
/// prompt.
void run_fragment(void (*fragment)(Options&, Session&, McpServer&));

}  // namespace parley::testing
