#!/usr/bin/env bash
# What it costs to compile a program that includes <parley/client/query.hpp>, beside one that includes just
# the standard headers behind it, in the same run.
set -euo pipefail
work=$TMPDIR
# shellcheck source=tests/headers/measure.sh
source "$PARLEY_SOURCE_DIR/tests/headers/measure.sh"

write_programs
for what in query standard; do
  lines=$("${compiler[@]}" -E "$work/$what.cpp" | wc -l)
  printf '%-10s %6d ms of CPU %6d MB allocated %8d lines\n' "$what" \
    "$(cpu_milliseconds "$work/$what.cpp")" "$(megabytes "$work/$what.cpp")" "$lines"
done
