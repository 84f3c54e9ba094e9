#!/usr/bin/env bash
# Compares what our history module reads with what the official SDK reads, field by field, for every
# session folder of the recordings; then lets the SDK read what our fork and appender wrote, and us
# read what the SDK changed. Prints TAP.
set -euo pipefail
ROOT=$PARLEY_SOURCE_DIR
source "$ROOT/scripts/npm.sh"
npm_package @anthropic-ai/claude-agent-sdk 0.3.325 --omit=optional
node "$ROOT/tests/conformance/history/compare.mjs" \
  "$NPM_FOLDER/node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs" "$TMPDIR"
