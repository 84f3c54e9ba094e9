#!/usr/bin/env bash
# shell_oracles.sh [SEED [COUNT [MOST]]]: what the agent lets pass unasked, held to what bash reads and does. COUNT
# commands (100,000) from SEED are judged, three fifths in the mode default, the rest in acceptEdits; up to MOST of
# those that pass in each mode are read by bash and run in a sandbox. Prints TAP. PARLEY_BUILD_DIR is the build.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
hold=$PARLEY_BUILD_DIR/bin/hold_commands
seed=${1:-11} count=${2:-100000} most=${3:-7000}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

held() { # MODE LINES OUTPUT [OPTION...]
  local mode=$1 lines=$2 output=$3
  shift 3
  python3 "$here/generate.py" "$seed" "$lines" --mode "$mode" |
    bash "$here/caged.sh" "$scratch/cage-$mode" "$hold" '{root}' '{pristine}' '{harmless}' --most "$most" "$@" >"$output" 2>&1
}
told() { # STATUS NUMBER NAME OUTPUT
  cat "$4"
  ((!$1)) && echo "ok $2 - $3" || echo "not ok $2 - $3"
}

echo 1..3
# An oracle that finds nothing must have been able to: here everything is let through, and all of it is harm.
status=0
bash "$here/caged.sh" "$scratch/cage" "$hold" '{root}' '{pristine}' '{harmless}' --shown 0 <"$here/offences.jsonl" \
  >"$scratch/offences" 2>&1 || true
found=$(sed -n 's/.* \([0-9]*\) found$/\1/p' "$scratch/offences")
[[ $found == "$(wc -l <"$here/offences.jsonl")" ]] || status=1
told $status 1 'the sandbox notices every offence' "$scratch/offences"

held default $((count * 3 / 5)) "$scratch/default" &
first=$!
held acceptEdits $((count * 2 / 5)) "$scratch/edits" &
second=$!
status=0
wait $first || status=1
told $status 2 'what passes unasked is harmless' "$scratch/default"
status=0
wait $second || status=1
told $status 3 'what acceptEdits lets pass edits the project only' "$scratch/edits"
