#!/usr/bin/env bash
# The real CLI against `parley model`: answers, tools, errors, faults, and the demo.
ROOT=$PARLEY_SOURCE_DIR
# shellcheck source=scripts/npm.sh
source "$ROOT/scripts/npm.sh"
# shellcheck source=tests/apps/tap.sh
source "$ROOT/tests/apps/tap.sh"
npm_package @anthropic-ai/claude-agent-sdk-linux-x64 0.3.325 || exit 1
CLI="$NPM_FOLDER/node_modules/@anthropic-ai/claude-agent-sdk-linux-x64/claude"

# run PROMPT MODEL-ARGUMENT...: one print turn of the CLI with that model, in ./work; sets ANSWER
# (what it prints) and CODE.
run() {
  local prompt=$1 url input process
  shift
  coproc MODEL { exec "$PARLEY" model --until-eof --record asked.jsonl "$@"; }
  process=$MODEL_PID input=${MODEL[1]}
  read -r url <&"${MODEL[0]}"
  rm -rf home work
  mkdir home work
  # IS_SANDBOX: the tests may run as root, where the CLI refuses to skip permissions otherwise.
  ANSWER=$(cd work && env -i HOME="$PWD/../home" PATH=/usr/bin:/bin ANTHROPIC_API_KEY=sk-dummy \
    ANTHROPIC_BASE_URL="$url" CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 IS_SANDBOX=1 \
    timeout 100 "$CLI" -p "$prompt" --dangerously-skip-permissions --output-format stream-json \
    --verbose </dev/null 2>&1)
  CODE=$?
  exec {input}>&-
  wait "$process"
}
play() { # SCRIPT
  printf '%s' "$1" >script.json
  run "do it" script.json
}
result() { tail -n 1 <<<"$ANSWER" | node -pe 'JSON.parse(require("fs").readFileSync(0, "utf8")).result'; }
text() { printf '{"content":[{"type":"text","text":"%s"}]%s}' "$1" "${2:-}"; }

play "[$(text 'Hello from the script.' ',"usage_start":{"input_tokens":123}')]"
check "a text turn" same "$(result)" "Hello from the script."
check "exit code 0" same $CODE 0
check "the usage of the script" contains "$ANSWER" '"input_tokens":123'
check "the model was asked for a stream" contains "$(cat asked.jsonl)" '"stream":true'

play '[{"content":[{"type":"text","text":"I make it."},{"type":"tool_use","id":"toolu_01",
  "name":"Bash","input":{"command":"echo made > made.txt","description":"x"}}]},
  {"when_last":"tool_result","content":[{"type":"text","text":"It is made."}]}]'
check "a tool turn" same "$(result)" "It is made."
check "the tool ran" same "$(cat work/made.txt)" "made"

play '[{"repeat":true,"status":400,"error":{"type":"error","error":{"type":"invalid_request_error",
  "message":"that was wrong"}}}]'
check "an error of the API" contains "$(result)" "that was wrong"
check "exit code 1" same $CODE 1

play "[{\"status\":500,\"error\":{\"type\":\"error\",\"error\":{\"type\":\"api_error\",\"message\":\"x\"}},
  \"headers\":{\"retry-after\":\"0\"}},$(text 'After a retry.')]"
check "an error that passes is retried" same "$(result)" "After a retry."
play "[{\"drop\":true},$(text 'Second try.')]"
check "a dropped connection is retried" same "$(result)" "Second try."
play "[$(text 'This is cut in the middle' ',"cut_after":4'),$(text 'Whole again.' ',"repeat":true')]"
check "a cut stream is recovered" same "$(result)" "Whole again."

run "Edit a file" --demo
check "the demo edits a file" contains "$(cat work/demo-edit.txt)" "- oat milk"
check "and says that it is a demo" contains "$(result)" "Demo model: "
run "Show me an image" --demo
check "the demo shows a picture" contains "$(result)" "a red dot"
finish
