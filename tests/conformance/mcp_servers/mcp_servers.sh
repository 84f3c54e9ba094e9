#!/usr/bin/env bash
# parley-agent with the reference servers of the protocol from npm, as processes and on the web, with
# a scripted model on loopback. Prints TAP.
set -euo pipefail
ROOT=$PARLEY_SOURCE_DIR
source "$ROOT/scripts/npm.sh"
version=2026.8.31
for server in everything filesystem memory; do
  npm_package "@modelcontextprotocol/server-$server" "$version"
  export "PARLEY_MCP_${server^^}=$NPM_FOLDER/node_modules/@modelcontextprotocol/server-$server/dist/index.js"
done
npm_package @anthropic-ai/claude-agent-sdk 0.3.325 --omit=optional
PARLEY_SDK_MODULE="$NPM_FOLDER/node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs" \
  node --test --test-reporter=tap --test-concurrency=1 "$ROOT/tests/conformance/mcp_servers/mcp_servers.mjs"
