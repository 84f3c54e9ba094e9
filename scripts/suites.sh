# shellcheck shell=bash
# Runs suites: each in its own scratch home with a minimal environment and a time limit, a few at a
# time, and counts test cases. ./test drives it: queue_suite ..., then run_queue.

PASSED=0 FAILED=0 SKIPPED=0
JOBS=$(jobs_at_once)
SCRATCH=$(mktemp -d "${TMPDIR:-/tmp}/parley-test.XXXXXX")
QUEUE=()              # one suite per item: name, kind, timeout, file, preset, arguments (tab between)
declare -A RUNNING=() # scratch folder of the suite -> "started<TAB>queue item"

# Ends the process group of a suite, also what the suite itself left behind.
stop_suite() { # SCRATCH-FOLDER
  [[ ! -s $1/pid ]] || kill -KILL -- "-$(<"$1/pid")" 2>/dev/null || true
}

stop_everything() {
  local folder
  for folder in "${!RUNNING[@]}"; do stop_suite "$folder"; done
  rm -rf "$SCRATCH"
}
trap stop_everything EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

NODE_FOLDER=$(dirname "$(command -v node || echo /usr/bin/node)")
# ThreadSanitizer of g++ 12 cannot place its shadow memory where the kernel randomises addresses
# widely; without randomisation it can. Containers may forbid that, so ask first.
FIXED_ADDRESSES=()
if setarch --addr-no-randomize true 2>/dev/null; then
  FIXED_ADDRESSES=(setarch --addr-no-randomize)
fi

queue_suite() { # NAME KIND TIMEOUT FILE PRESET [ARGUMENT...]
  local IFS=$'\t'
  QUEUE+=("$*")
}

log_of() { printf '%s' "$ROOT/build/$2/logs/$1.log"; } # NAME PRESET

start_suite() {
  local item=$1 name kind limit file preset arguments
  IFS=$'\t' read -r name kind limit file preset arguments <<<"$item"
  local log folder command=() extra=()
  log=$(log_of "$name" "$preset")
  folder=$(mktemp -d "$SCRATCH/XXXXXX")
  mkdir -p "$(dirname "$log")" "$folder/home" "$folder/tmp"
  case $kind in
    bash) command=(bash "$file") ;;
    node) command=(node --test-reporter=tap "$file") ;;
    *) command=("$file") ;;
  esac
  [[ $preset == tsan ]] && command=("${FIXED_ADDRESSES[@]}" "${command[@]}")
  [[ -z $arguments ]] || IFS=$'\t' read -r -a extra <<<"$arguments"
  RUNNING[$folder]="$EPOCHREALTIME"$'\t'"$item"
  {
    # timeout makes a process group of its own, named by its process id.
    env -i HOME="$folder/home" TMPDIR="$folder/tmp" LANG=C.UTF-8 \
      PATH="/usr/bin:/bin:$NODE_FOLDER" \
      PARLEY_SOURCE_DIR="$ROOT" PARLEY_BUILD_DIR="$ROOT/build/$preset" \
      PARLEY_JOBS="$JOBS" \
      timeout --kill-after=5 "$limit" "${command[@]}" "${extra[@]}" >"$log" 2>&1 </dev/null &
    echo $! >"$folder/pid"
    local status=0
    wait $! || status=$?
    echo "$status" >"$folder/status"
  } 2>/dev/null & # bash would announce in its own words that a program crashed
}

count() { grep -acE "$1" "$2" || true; }

# The number behind the last line that matches PATTERN, 0 if there is none.
last_number() { sed -nE "s/$1/\\1/p" "$2" | tail -n 1 | grep . || echo 0; }

# Sets passed, failed and skipped from the output of a suite, and why if something is odd.
count_gtest() {
  local log=$1
  # Not anchored: a test may leave its own output without an end of line.
  passed=$(count '\[       OK \] [^ ]+.* \([0-9]+ ms\)$' "$log")
  failed=$(count '\[  FAILED  \] [^ ]+.* \([0-9]+ ms\)$' "$log")
  skipped=$(count '\[  SKIPPED \] [^ ]+.* \([0-9]+ ms\)$' "$log")
  grep -qaE '\[==========\] [0-9]+ tests? from .* ran\.' "$log" || why='ended before its summary'
}

count_tap() {
  local log=$1
  if grep -qaE '^# pass [0-9]+$' "$log"; then # node:test sums up by itself
    passed=$(last_number '^# pass ([0-9]+)$' "$log")
    failed=$(($(last_number '^# fail ([0-9]+)$' "$log") +
      $(last_number '^# cancelled ([0-9]+)$' "$log")))
    skipped=$(($(last_number '^# skipped ([0-9]+)$' "$log") +
      $(last_number '^# todo ([0-9]+)$' "$log")))
  else
    skipped=$(count '^ok\b.*# (SKIP|skip)' "$log")
    passed=$(($(count '^ok\b' "$log") - skipped))
    failed=$(count '^not ok\b' "$log")
    local plan
    plan=$(last_number '^1\.\.([0-9]+)$' "$log")
    ((plan == 0 || plan == passed + failed + skipped)) || why="planned $plan tests"
  fi
}

# Prints what a reader needs of a failed suite: without the tests that passed, and not endlessly.
show_log() {
  local log=$1 most=200 shown="$SCRATCH/shown"
  awk '/^\[ RUN      \] / { run = $0; next }
       /^\[       OK \] / { run = ""; next }
       { if (run != "") print run; run = ""; print }
       END { if (run != "") print run }' "$log" >"$shown"
  tail -n "$most" "$shown" | sed 's/^/    /'
  if (($(wc -l <"$shown") > most)); then
    say "    (the last $most lines; all of it: ${log#"$ROOT"/})"
  fi
}

finish_suite() { # SCRATCH-FOLDER
  local folder=$1 status started item
  status=$(cat "$folder/status")
  started=${RUNNING[$folder]%%$'\t'*} item=${RUNNING[$folder]#*$'\t'}
  unset "RUNNING[$folder]"
  stop_suite "$folder"
  rm -rf "$folder"

  local name kind limit file preset log passed=0 failed=0 skipped=0 why=''
  IFS=$'\t' read -r name kind limit file preset _ <<<"$item"
  log=$(log_of "$name" "$preset")
  case $kind in
    gtest) count_gtest "$log" ;;
    fuzzer) ((status != 0)) || passed=1 ;;
    *)
      count_tap "$log"
      if ((passed + failed + skipped == 0 && status == 0)); then passed=1; fi
      ;;
  esac
  if ((status == 124 || status == 137)) &&
    ((${EPOCHREALTIME%[.,]*} - ${started%[.,]*} >= limit)); then
    why="timed out after $limit s"
  elif ((status > 128 && status < 128 + 65)); then
    why="crashed: SIG$(kill -l $((status - 128)) 2>/dev/null || echo $((status - 128)))"
  elif ((status != 0 && failed == 0)); then
    why="exit code $status"
  elif ((passed + failed + skipped == 0)); then
    why='ran no test'
  fi
  # What ended badly as a whole is one failure more, so that it can never look like a success.
  [[ -z $why ]] || failed=$((failed + 1))

  PASSED=$((PASSED + passed)) FAILED=$((FAILED + failed)) SKIPPED=$((SKIPPED + skipped))
  local mark="${GREEN}ok  $PLAIN" text="$passed passed"
  ((failed == 0)) || mark="${RED}FAIL$PLAIN" text+=", $failed failed"
  ((skipped == 0)) || text+=", $skipped skipped"
  [[ -z $why ]] || text+=" ($why)"
  printf '  %s %-36s %7s s  %s\n' "$mark" "$name" "$(seconds_since "$started")" "$text"
  ((failed == 0)) || show_log "$log"
}

# Sanitizers leave their reports in a folder, whoever started the program and whatever became of its
# output and exit code (cmake/sanitizer_options.cpp.in). Each is a failure.
forget_reports() { rm -rf "$ROOT/build/$1/reports/"*; } # PRESET
count_reports() {                                       # PRESET
  local report
  for report in "$ROOT/build/$1/reports/"*; do
    [[ -s $report ]] || continue
    # A program that is killed while its leaks are looked for leaves this line, which reports nothing.
    grep -qvE '==Unable to get registers from thread [0-9]+\.$' "$report" || continue
    FAILED=$((FAILED + 1))
    say "  ${RED}FAIL$PLAIN a sanitizer's report: ${report#"$ROOT"/}"
    head -n 60 "$report" | sed 's/^/    /'
  done
}

# Runs what was queued and empties the queue.
run_queue() {
  local most=2 folder item status
  ((JOBS >= most)) || most=$JOBS
  for item in "${QUEUE[@]}" ''; do
    while ((${#RUNNING[@]} >= most)) || [[ -z $item && ${#RUNNING[@]} -gt 0 ]]; do
      status=0
      wait -n 2>/dev/null || status=$?
      for folder in "${!RUNNING[@]}"; do
        # Nobody is left to wait for: who has not written a status will not do so any more.
        ((status != 127)) || [[ -s $folder/status ]] || echo 255 >"$folder/status"
        [[ ! -s $folder/status ]] || finish_suite "$folder"
      done
    done
    [[ -z $item ]] || start_suite "$item"
  done
  QUEUE=()
}
