#!/usr/bin/env bash
# The scenarios of @modelcontextprotocol/conformance for servers, against one of ours. Prints TAP.
set -euo pipefail
ROOT=$PARLEY_SOURCE_DIR
source "$ROOT/scripts/npm.sh"
npm_package @modelcontextprotocol/conformance 0.1.16
PARLEY_MCP_CONFORMANCE="$NPM_FOLDER/node_modules/@modelcontextprotocol/conformance/dist/index.js" \
  node --test --test-reporter=tap "$ROOT/tests/conformance/mcp/mcp_conformance.mjs"
