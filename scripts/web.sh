# shellcheck shell=bash
# Builds the page of parley serve into web/dist, with the npm packages that web/package-lock.json
# pins. The caller has sourced lib.sh and has Node and npm.

# web_packages installs the packages if need be; 1 with a word on standard error if that fails.
web_packages() {
  local stamp="$ROOT/web/node_modules/.parley" log="$ROOT/build/logs/web.log" wanted
  wanted=$(sha256sum <"$ROOT/web/package-lock.json")
  [[ ! -f $stamp || $(<"$stamp") != "$wanted" ]] || return 0
  mkdir -p "$ROOT/build/logs"
  if (cd "$ROOT/web" && npm ci) >"$log" 2>&1 </dev/null; then
    printf '%s' "$wanted" >"$stamp"
    return 0
  fi
  printf 'npm could not install the packages of the page; see %s\n' "${log#"$ROOT"/}" >&2
  return 1
}

# build_page: quick if nothing has changed. Without packages an older web/dist is good enough; without
# any, the server says in its place how to build one.
build_page() {
  if ! web_packages; then
    [[ ! -f $ROOT/web/dist/index.html ]] || say "Going on with the page as it was built before."
    return 0
  fi
  (cd "$ROOT/web" && node build.mjs) >>"$ROOT/build/logs/web.log" 2>&1 ||
    fail "The page could not be built; see build/logs/web.log."
}
