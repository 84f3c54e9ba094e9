# parley run: what a script sees of it. Recordings play the CLI.
# shellcheck source=tests/apps/tap.sh
source "$PARLEY_SOURCE_DIR/tests/apps/tap.sh"

# cli NAME: a CLI that plays the recording of that name.
cli() {
  printf '#!/bin/sh\nexec "%s" replay "%s/tests/recordings/2.1.325/%s.jsonl" "$@"\n' \
    "$PARLEY" "$PARLEY_SOURCE_DIR" "$1" >"$1"
  chmod +x "$1"
  echo "./$1"
}

out=$("$PARLEY" run --cli "$(cli text_partial)" "hello" </dev/null 2>err)
code=$?
check "a turn that went well: exit code 0" same $code 0
check "the answer is on stdout, once" same "$out" "Hello there, this is a scripted reply."
check "cost and time are on stderr" contains "$(cat err)" "tokens in"
check "no escape codes outside a terminal" lacks "$out$(cat err)" $'\e'

out=$("$PARLEY" run --cli "$(cli bash_allow)" --allow Bash "make a file" </dev/null 2>err)
check "a tool call is one line on stderr" contains "$(cat err)" "* Bash  touch made.txt"
check "and not on stdout" lacks "$out" "touch"

out=$(echo "from stdin" | "$PARLEY" run --json --cli "$(cli text_simple)" 2>/dev/null)
check "--json: one message per line, the result last" node -e '
  const lines = process.argv[1].split("\n").map(JSON.parse);
  process.exit(lines[0].subtype === "init" && lines.at(-1).type === "result" ? 0 : 1)' "$out"

"$PARLEY" run --cli "$(cli api_400)" "hello" </dev/null >/dev/null 2>err
check "an error of the API: exit code 1" same $? 1
check "and it is said" contains "$(cat err)" "parley run: "
"$PARLEY" run --cli /nowhere/claude "hello" </dev/null >/dev/null 2>err
check "no CLI: exit code 127" same $? 127
how='Set ANTHROPIC_API_KEY, or try it without a key: parley serve --demo'
"$PARLEY" run --cli "$(cli api_no_key)" "hello" </dev/null >/dev/null 2>err
check "without a key: exit code 1" same $? 1
check "and one line says what to do" same "$(grep -cF "$how" err)" 1
mkdir home empty
if ! cli_is_installed; then
  env -i HOME="$PWD/home" PATH="$PWD/empty" "$PARLEY" run "hello" </dev/null >/dev/null 2>err
  check "without another CLI it runs the agent beside it: exit code 1 without a key" same $? 1
  check "which says what to do" same "$(grep -cF "$how" err)" 1
fi
out=$(env -i HOME="$PWD/home" PATH="$PWD/empty" "$PARLEY-agent" -p "hello" </dev/null 2>&1)
check "parley-agent without a key: exit code 1" same $? 1
check "and what to do" same "$out" "Not logged in · $how"
"$PARLEY" run --permission-mode nonsense "hello" </dev/null >/dev/null 2>&1
check "wrong usage: exit code 2" same $? 2
"$PARLEY" run </dev/null >/dev/null 2>&1
check "an empty prompt: exit code 2" same $? 2
finish
