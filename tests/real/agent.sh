#!/usr/bin/env bash
# The same tests as real_cli.sh with parley-agent in the place of the real CLI, but for those of parts
# that it does not have yet. Prints TAP.
set -euo pipefail

left_out=(
  'TurnsTest.SlashCommand'                              # slash commands
  'SubagentsTest.*' 'HooksTest.SubagentsStartAndStop'   # subagents
  'HooksTest.CompactionIsAnnounced'                     # compaction
  'ControlsTest.EnvironmentIsChangedAsFarAsTheCliTakesIt'
)
filter=$(IFS=:; echo "-${left_out[*]}")
IS_SANDBOX=1 PARLEY_REAL_VERSION=2.1.325 PARLEY_REAL_CLI=$PARLEY_BUILD_DIR/bin/parley-agent \
  "$PARLEY_BUILD_DIR/bin/real_cli_tests" --gtest_filter="$filter" 2>&1 |
  sed -uE "s/^\[       OK \] (.*) \([0-9]+ ms\)$/ok - \1/
           s/^\[  FAILED  \] (.*) \([0-9]+ ms\)$/not ok - \1/
           s/^\[  SKIPPED \] (.*) \([0-9]+ ms\)$/ok - \1 # SKIP/"
