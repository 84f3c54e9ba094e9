#!/usr/bin/env bash
# The official TypeScript SDK drives parley-agent, with a scripted model on loopback. Prints TAP. Only
# the SDK's JavaScript is needed, not the CLI that comes with it.
set -euo pipefail
ROOT=$PARLEY_SOURCE_DIR
source "$ROOT/scripts/npm.sh"
npm_package @anthropic-ai/claude-agent-sdk 0.3.325 --omit=optional
PARLEY_SDK_MODULE="$NPM_FOLDER/node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs" \
  node --test --test-reporter=tap --test-concurrency=1 \
  "$ROOT"/tests/conformance/agent_sdk/{agent_sdk,agents,checkpoints,deferral,details,extras,hostile_mcp,limits,mcp,queries,sessions,start,user_settings}.mjs
