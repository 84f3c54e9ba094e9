# shellcheck shell=bash disable=SC2034  # the colours are for the scripts that read this file
# What ./run, ./test and ./bench share: messages, Debian packages, configure and build.
# The caller has set ROOT to the source tree and `set -euo pipefail`.

# shellcheck source=scripts/packages.sh
source "$ROOT/scripts/packages.sh"

BOLD='' RED='' GREEN='' DIM='' PLAIN=''
if [[ -t 1 && -z ${NO_COLOR:-} ]]; then
  BOLD=$'\e[1m' RED=$'\e[31m' GREEN=$'\e[32m' DIM=$'\e[2m' PLAIN=$'\e[0m'
fi

say() { printf '%s\n' "$*"; }
step() { printf '%s\n' "$BOLD$*$PLAIN"; }

# fail WHAT [HOW TO MEND IT...]
fail() {
  printf '%s\n' "${RED}$1${PLAIN}" >&2
  shift
  (($# == 0)) || printf '%s\n' "$@" >&2
  exit 1
}

seconds_since() {
  local micros=$((${EPOCHREALTIME/[.,]/} - ${1/[.,]/}))
  printf '%d.%02d' $((micros / 1000000)) $((micros % 1000000 / 10000))
}

# As many as there are processors, but each with the 2.5 GB that the largest files take to compile.
jobs_at_once() {
  local jobs key kilobytes _
  jobs=$(nproc)
  while read -r key kilobytes _; do
    [[ $key != MemAvailable: ]] || ((jobs <= kilobytes / 2500000)) || jobs=$((kilobytes / 2500000))
  done </proc/meminfo
  ((jobs > 0)) || jobs=1
  printf '%s' "${PARLEY_JOBS:-$jobs}"
}

make_writable_build_folder() {
  mkdir -p "$ROOT/build/logs" 2>/dev/null || true
  [[ -w $ROOT/build && -w $ROOT/build/logs ]] ||
    fail "Cannot write to $ROOT/build." \
      "It may belong to another user from an earlier run; remove it or change its owner."
}

# missing_packages PACKAGE... prints those that are not installed.
missing_packages() {
  local -A installed=()
  local package abbrev rest
  while read -r package abbrev rest; do
    [[ $abbrev == ii ]] && installed[$package]=1
  done < <(dpkg-query -W -f='${Package} ${db:Status-Abbrev}\n' "$@" 2>/dev/null || true)
  for package; do
    [[ -n ${installed[$package]:-} ]] && continue
    [[ -n ${PACKAGE_COMMANDS[$package]:-} ]] && command -v "${PACKAGE_COMMANDS[$package]}" \
      >/dev/null && continue
    printf '%s\n' "$package"
  done
}

# need NEED... makes sure that the packages of each need (build, test, ...) are there.
need() {
  if ! command -v dpkg-query >/dev/null; then
    say "This is no Debian system, so packages are not installed for you;" \
      "scripts/packages.sh names what is needed."
    return
  fi
  local need wanted=() missing
  for need; do
    local -n list="PACKAGES_$need"
    wanted+=("${list[@]}")
  done
  mapfile -t missing < <(missing_packages "${wanted[@]}" | sort -u)
  ((${#missing[@]} == 0)) || install_packages "${missing[@]}"
}

install_packages() {
  local as_root=() log="$ROOT/build/logs/packages.log"
  # Never let apt take anything away from this machine: --no-remove makes it give up instead.
  local options=(--yes --quiet --no-install-recommends --no-remove -o DPkg::Lock::Timeout=300)
  local by_hand="apt-get update && apt-get install --no-install-recommends --no-remove $*"
  if ((EUID != 0)); then
    command -v sudo >/dev/null || fail "Debian packages are missing, and there is no sudo here." \
      "Run this as root, then try again:" "  $by_hand"
    as_root=(sudo)
    [[ -t 0 ]] || as_root+=(--non-interactive)
  fi
  as_root+=(env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8)

  make_writable_build_folder
  step "Installing Debian packages: $*"
  say "${DIM}Once only; it can take a few minutes. Log: ${log#"$ROOT"/}$PLAIN"
  # An outdated index of some other source is no reason to give up: the install below decides.
  "${as_root[@]}" apt-get update --quiet -o DPkg::Lock::Timeout=300 >"$log" 2>&1 </dev/null ||
    say "apt-get update reported a problem; going on with the package index that is there."
  if ! "${as_root[@]}" apt-get install "${options[@]}" "$@" >>"$log" 2>&1 </dev/null; then
    tail -n 15 "$log" >&2
    fail "apt-get could not install: $*" \
      "The lines above are its own words. Mend that (network, package sources, held packages)," \
      "or install by hand as root, then try again:" "  $by_hand"
  fi
}

# configure PRESET [CMAKE ARGUMENT...]
configure() {
  local preset=$1 log="$ROOT/build/logs/configure-$1.log"
  shift
  make_writable_build_folder
  # A build folder that was copied or moved with its tree refers to the old place.
  local cache="$ROOT/build/$preset/CMakeCache.txt"
  if [[ -f $cache ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$ROOT" "$cache"; then
    say "build/$preset was made for another folder; starting it afresh."
    rm -rf "${ROOT:?}/build/$preset"
  fi
  if ! (cd "$ROOT" && cmake --preset "$preset" "$@") >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    fail "CMake could not configure preset $preset." \
      "If the build folder is stale, remove build/$preset and try again."
  fi
}

# build PRESET [TARGET...]
build() {
  local preset=$1 started=$EPOCHREALTIME
  shift
  local command=(cmake --build "$ROOT/build/$preset" --parallel "$(jobs_at_once)")
  (($# == 0)) || command+=(--target "$@")
  step "Building ($preset)"
  "${command[@]}" || fail "The build of preset $preset failed; the compiler's words are above."
  say "${DIM}Built in $(seconds_since "$started") s$PLAIN"
}
