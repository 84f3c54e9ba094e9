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
# Some orders depend on who is quicker; what differs is tried again before it counts.
reports=()
names=$(python3 "$here/scope.py" "$PARLEY_SOURCE_DIR")
for _ in 1 2 3; do
  [[ -n $names ]] || break
  reports+=("$(mktemp)")
  # shellcheck disable=SC2086  # a list of names
  timeout 600 python3 "$here/replay" -r "$PARLEY_SOURCE_DIR/tests/recordings" \
    -j "${PARLEY_JOBS:-2}" --json "${reports[-1]}" -- "$agent" -- $names | sed 's/^/# /'
  names=$(python3 "$here/verdict.py" --unexpected "$PARLEY_SOURCE_DIR/docs/compatibility.md" \
    "${reports[-1]}")
done
python3 "$here/verdict.py" "$PARLEY_SOURCE_DIR/docs/compatibility.md" "${reports[@]}"
