#!/usr/bin/env bash
# The scenarios of @modelcontextprotocol/conformance for clients, against parley-agent. Prints TAP.
set -euo pipefail
ROOT=$PARLEY_SOURCE_DIR
source "$ROOT/scripts/npm.sh"
npm_package @anthropic-ai/claude-agent-sdk 0.3.325 --omit=optional
export PARLEY_SDK_MODULE="$NPM_FOLDER/node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs"
npm_package @modelcontextprotocol/conformance 0.1.16
PARLEY_MCP_CONFORMANCE="$NPM_FOLDER/node_modules/@modelcontextprotocol/conformance/dist/index.js" \
  node --test --test-reporter=tap --test-concurrency=1 "$ROOT/tests/conformance/mcp_client/mcp_client.mjs"
