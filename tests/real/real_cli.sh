#!/usr/bin/env bash
# Runs real_cli_tests with each CLI from npm and prints its results as TAP.
set -euo pipefail
ROOT=$PARLEY_SOURCE_DIR
source "$ROOT/scripts/npm.sh"

run_with() { # VERSION CLI
  PARLEY_REAL_VERSION=$1 PARLEY_REAL_CLI=$2 "$PARLEY_BUILD_DIR/bin/real_cli_tests" 2>&1 |
    sed -uE "s/^\[       OK \] (.*) \([0-9]+ ms\)$/ok - $1 \1/
             s/^\[  FAILED  \] (.*) \([0-9]+ ms\)$/not ok - $1 \1/
             s/^\[  SKIPPED \] (.*) \([0-9]+ ms\)$/ok - $1 \1 # SKIP/"
}

status=0
npm_package @anthropic-ai/claude-agent-sdk-linux-x64 0.3.325
run_with 2.1.325 "$NPM_FOLDER/node_modules/@anthropic-ai/claude-agent-sdk-linux-x64/claude" ||
  status=1
npm_package @anthropic-ai/claude-code 2.1.38
run_with 2.1.38 "$NPM_FOLDER/node_modules/@anthropic-ai/claude-code/cli.js" || status=1
exit $status
