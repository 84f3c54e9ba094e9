#!/usr/bin/env bash
# Holds what a program pays for <parley/client/query.hpp>: at most twice what the standard headers behind
# it cost. Prints TAP.
set -euo pipefail
work=$TMPDIR
# shellcheck source=tests/headers/measure.sh
source "$PARLEY_SOURCE_DIR/tests/headers/measure.sh"

write_programs
ours=$(megabytes "$work/query.cpp")
standard=$(megabytes "$work/standard.cpp")
printf '# the compiler allocates %d MB for query.hpp, %d MB for the standard headers\n' "$ours" "$standard"
if ((standard > 50 && ours <= 2 * standard)); then
  printf 'ok 1 - query.hpp costs at most twice as much as its standard headers\n'
else
  printf 'not ok 1 - query.hpp costs at most twice as much as its standard headers\n'
fi

# Templates and tables of the codec, and what only some programs ask for, stay out of it.
heavy=$("${compiler[@]}" -H "$work/query.cpp" 2>&1 |
  grep -oE '(wire/codec/(codec|fields)|wire/json/(json|reader)|wire/tables/[a-z_]+|wire/control/(control|requests|replies|hooks)|wire/tools/[a-z]+)\.hpp$' || true)
if [[ -z $heavy ]]; then
  printf 'ok 2 - query.hpp includes neither codecs nor control requests\n'
else
  printf 'not ok 2 - query.hpp includes neither codecs nor control requests\n'
  printf '%s\n' "$heavy" | sed 's/^/# /'
fi
printf '1..2\n'
