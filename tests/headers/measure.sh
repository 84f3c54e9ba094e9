# shellcheck shell=bash
# What a program pays for <parley/client/query.hpp>, beside one that includes just the standard headers
# behind it. The test and the benchmark of the headers read this file; $work is a folder of theirs.

compiler=(g++ -std=c++20 -fsyntax-only -I"$PARLEY_BUILD_DIR/include")

# Writes the two programs to $work/query.cpp and $work/standard.cpp.
write_programs() {
  cat >"$work/query.cpp" <<'END'
#include <parley/client/query.hpp>
int main() {
  for (const parley::Message& message : parley::query("What is 2 + 2?")) {
    if (std::get_if<parley::ResultMessage>(&message) != nullptr) return 0;
  }
  return 1;
}
END
  # The standard headers that headers of ours include: in the compiler's list of what it opened, those
  # whose depth is one more than that of a header below parley/.
  "${compiler[@]}" -H "$work/query.cpp" 2>&1 | awk '
    $1 ~ /^\.+$/ {
      depth = length($1)
      path[depth] = $2
      if ($2 ~ /\/c\+\+\/[0-9]+\// && path[depth - 1] ~ /\/parley\//) {
        sub(/.*\/c\+\+\/[0-9]+\//, "", $2)
        print "#include <" $2 ">"
      }
    }' | sort -u >"$work/standard.cpp"
  printf 'int main() {}\n' >>"$work/standard.cpp"
}

# megabytes FILE: what the compiler allocates for it. Two runs give the same figure, on any machine
# and beside any load, and it follows the time closely.
megabytes() {
  "${compiler[@]}" -ftime-report "$1" 2>&1 | awk '/ TOTAL / { print int($NF) }'
}

# cpu_milliseconds FILE: the smallest of five runs.
cpu_milliseconds() {
  local least=0 run spent
  local TIMEFORMAT='%3U %3S'
  for run in 1 2 3 4 5; do
    spent=$({ time "${compiler[@]}" "$1"; } 2>&1 | awk '{ print int(($1 + $2) * 1000) }')
    ((run > 1 && spent >= least)) || least=$spent
  done
  printf '%s' "$least"
}
