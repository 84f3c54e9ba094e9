#!/usr/bin/env bash
# Replays the recorded scenarios of the real CLI against parley-agent and holds it to them. Prints
# TAP: a scenario passes if the order of messages and their members agree with the recording, or if
# docs/compatibility.md names it with its reason. A scenario that is named there and agrees fails,
# so that the page stays true.
set -euo pipefail
here=$PARLEY_SOURCE_DIR/tests/conformance/agent
agent=$PARLEY_BUILD_DIR/bin/parley-agent

if ((EUID != 0)); then
  echo "1..0 # SKIP the scenarios need namespaces of their own, and so root"
  exit 0
fi
report=$(mktemp)
python3 "$here/replay" -r "$PARLEY_SOURCE_DIR/tests/recordings" -j "${PARLEY_JOBS:-2}" \
  --json "$report" -- "$agent" -- $(python3 "$here/scope.py" "$PARLEY_SOURCE_DIR") | sed 's/^/# /'
python3 "$here/verdict.py" "$report" "$PARLEY_SOURCE_DIR/docs/compatibility.md"
