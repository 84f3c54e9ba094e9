# shellcheck shell=bash
# Packages from npm that benchmarks and real-counterpart tests compare us with. Each lies in a folder
# of its own below build/npm, installed once; their install scripts are not run. The caller has set
# ROOT.

# npm_package NAME VERSION [NPM OPTION...] installs it if need be and sets NPM_FOLDER to the folder
# that holds its node_modules. Returns 1, with a word on standard error, if it cannot be had.
npm_package() {
  local name=$1 version=$2 log
  shift 2
  NPM_FOLDER="$ROOT/build/npm/${name//\//+}-$version"
  log="$ROOT/build/logs/npm.log"
  [[ ! -f $NPM_FOLDER/complete ]] || return 0
  mkdir -p "$NPM_FOLDER" "$ROOT/build/logs"
  # Several suites may want the same package at the same time.
  exec {npm_lock}>"$NPM_FOLDER.lock"
  flock "$npm_lock"
  if [[ ! -f $NPM_FOLDER/complete ]]; then
    if npm install --prefix "$NPM_FOLDER" --no-save --no-audit --no-fund --ignore-scripts "$@" \
      "$name@$version" >>"$log" 2>&1 </dev/null; then
      touch "$NPM_FOLDER/complete"
    fi
  fi
  exec {npm_lock}>&-
  [[ -f $NPM_FOLDER/complete ]] && return 0
  printf 'npm could not install %s@%s; see %s\n' "$name" "$version" "${log#"$ROOT"/}" >&2
  return 1
}
