# shellcheck shell=bash
# What the shell tests of the programs share: TAP output and comparing.
PARLEY="$PARLEY_BUILD_DIR/bin/parley"
cd "$(mktemp -d)" || exit 1
TESTS=0

# check NAME COMMAND...: one test, passed if the command succeeds.
check() {
  local name=$1
  shift
  TESTS=$((TESTS + 1))
  if "$@"; then
    echo "ok $TESTS - $name"
  else
    echo "not ok $TESTS - $name"
    echo "# failed: $*"
  fi
}

# same ACTUAL EXPECTED: whether two texts are equal; shows them if not.
same() {
  [[ $1 == "$2" ]] && return
  printf '# got:      %s\n# expected: %s\n' "${1//$'\n'/$'\n#   '}" "${2//$'\n'/$'\n#   '}"
  return 1
}

contains() { grep -qF -- "$2" <<<"$1" || ! printf '# not in it: %s\n# %s\n' "$2" "$1"; }
lacks() { ! grep -qF -- "$2" <<<"$1" || ! printf '# is in it: %s\n' "$2"; }
# Whether an agent CLI is installed where no variable of a test can hide it.
cli_is_installed() { [[ -e /usr/local/bin/claude || -e /opt/homebrew/bin/claude ]]; }
finish() { echo "1..$TESTS"; }
