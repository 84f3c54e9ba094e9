# parley doctor: what it finds, what it says about it, and what it keeps to itself.
# shellcheck source=tests/apps/tap.sh
source "$PARLEY_SOURCE_DIR/tests/apps/tap.sh"

mkdir bin home
printf '#!/bin/sh\necho "2.1.325 (Claude Code)"\n' >bin/claude
chmod +x bin/claude
doctor() { env -i HOME="$PWD/home" PATH="$PWD/bin:/usr/bin:/bin" "${variables[@]}" "$PARLEY" doctor "$@"; }

variables=(ANTHROPIC_API_KEY=sk-very-secret)
out=$(doctor)
code=$?
check "a healthy place: exit code 0" same $code 0
check "says which CLI and why" contains "$out" "$PWD/bin/claude, found by: PATH"
check "says its version" contains "$out" "2.1.325"
check "says that there is a key" contains "$out" "ANTHROPIC_API_KEY is set"
check "never prints the key" lacks "$out" "very-secret"
check "no colours in a pipe" lacks "$out" $'\e'

variables=()
out=$(doctor)
check "no key is a warning, with advice" contains "$out" "Set ANTHROPIC_API_KEY"
doctor >/dev/null
check "warnings are no failure" same $? 0

variables=(PARLEY_CLI=/nowhere/claude)
out=$(doctor)
code=$?
check "no CLI: exit code 1" same $code 1
check "no CLI: says where it looked" contains "$out" "/nowhere/claude does not exist"

variables=(ANTHROPIC_API_KEY=$'sk-with-newline\n' ANTHROPIC_BASE_URL=localhost:1)
out=$(doctor)
check "a key with a newline is a problem" contains "$out" "holds a space or a newline"
check "an address without scheme is a problem" contains "$out" "does not begin with http"

printf '#!/bin/sh\necho "2.0.1 (Claude Code)"\n' >bin/old
printf '#!/bin/sh\necho "hello"; exit 3\n' >bin/odd
printf '#!/usr/bin/env node\n' >bin/script
chmod +x bin/old bin/odd bin/script
variables=()
check "an old CLI is a warning" contains "$(doctor --cli old)" "older than any that Parley is tested with"
check "a program that is no CLI is a problem" contains "$(doctor --cli odd)" "which is no version"
out=$(env -i HOME="$PWD/home" PATH="$PWD/bin" "$PARLEY" doctor --cli "$PWD/bin/script")
check "a script without Node is a problem" contains "$out" 'there is no `node` in PATH'

mkdir empty
alone() { env -i HOME="$PWD/home" PATH="$PWD/empty" "${variables[@]}" "$PARLEY" doctor "$@"; }
if ! cli_is_installed; then
  variables=()
  out=$(alone)
  code=$?
  check "without another CLI, the agent beside parley will do" same $code 0
  check "and it says that it is that one" contains "$out" "$PARLEY-agent, which comes with parley"
  check "without a key it says in one line how to begin" \
    contains "$out" "Set ANTHROPIC_API_KEY, or try it without a key: parley serve --demo"
  variables=(CLAUDE_CODE_OAUTH_TOKEN=secret)
  check "a token that parley-agent cannot use is no key" \
    contains "$(alone)" "no key that parley-agent can use was found"
  variables=(ANTHROPIC_AUTH_TOKEN=secret)
  check "one that it can use is" contains "$(alone)" "ANTHROPIC_AUTH_TOKEN is set"
fi
variables=(CLAUDE_CODE_OAUTH_TOKEN=secret)
check "another CLI has a use for that token" contains "$(doctor)" "CLAUDE_CODE_OAUTH_TOKEN is set"
variables=(PARLEY_CLI=/nowhere/claude)
alone >/dev/null
check "a CLI that was named is not replaced by another" same $? 1

touch home/.claude
check "a file in place of the folder is a problem" contains "$(doctor)" "home/.claude is no folder"

variables=(ANTHROPIC_API_KEY=sk-very-secret CLAUDE_CONFIG_DIR="$PWD/config")
out=$(doctor --json)
check "--json is JSON with the findings" node -e '
  const found = JSON.parse(process.argv[1]);
  const key = found.findings.find((f) => f.subject === "key");
  process.exit(found.healthy === true && key.level === "ok" ? 0 : 1)' "$out"
check "CLAUDE_CONFIG_DIR counts" contains "$out" "$PWD/config/projects (will be made)"
check "wrong usage: exit code 2" same "$("$PARLEY" doctor --nonsense >/dev/null 2>&1 || echo $?)" 2
finish
