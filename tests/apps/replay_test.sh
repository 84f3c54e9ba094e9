# parley replay: a recording plays the CLI, and what was recorded can be replayed.
# shellcheck source=tests/apps/tap.sh
source "$PARLEY_SOURCE_DIR/tests/apps/tap.sh"

cat >two.jsonl <<'END'
{"t_ms":0,"dir":"start","run":0,"argv":["claude"]}
{"t_ms":1,"dir":"in","line":"{\"type\":\"control_request\",\"request_id\":\"old\",\"request\":{\"subtype\":\"initialize\"}}"}
{"t_ms":2,"dir":"out","line":"{\"type\":\"control_response\",\"response\":{\"subtype\":\"success\",\"request_id\":\"old\"}}"}
{"t_ms":3,"dir":"err","line":"a warning"}
{"t_ms":4,"dir":"in","line":"{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"hi\"}}"}
{"t_ms":5,"dir":"out","line":"{\"type\":\"result\"}"}
{"t_ms":6,"dir":"in","eof":true}
{"t_ms":7,"dir":"exit","code":3,"signal":null}
{"t_ms":8,"dir":"start","run":1,"argv":["claude","--resume"]}
{"t_ms":9,"dir":"out","line":"second","no_newline":true}
{"t_ms":9,"dir":"exit","code":0,"signal":null}
END
ask='{"type":"control_request","request_id":"mine","request":{"subtype":"initialize"}}'
user='{"type":"user","message":{"role":"user","content":"something else"}}'

coproc CLI { "$PARLEY" replay two.jsonl --output-format stream-json --verbose --model=x 2>err; }
pid=$CLI_PID
exec 4<&"${CLI[0]}" 5>&"${CLI[1]}"
echo "$ask" >&5
read -r line <&4
check "answers with the id of this client" contains "$line" '"request_id":"mine"'
echo "$user" >&5
read -r line <&4
check "waits for the prompt, whatever it says" same "$line" '{"type":"result"}'
eval "exec 5>&- ${CLI[1]}>&-"
wait "$pid"
check "waits for the end of input and exits as recorded" same $? 3
check "stderr is played too" same "$(cat err)" "a warning"
check "the second run" same "$("$PARLEY" replay two.jsonl --run 1 </dev/null)" second
"$PARLEY" replay two.jsonl --run 2 2>err
check "a run that is not there: exit code 1" same $? 1
check "and says so" contains "$(cat err)" "has no run 2"
"$PARLEY" replay nowhere.jsonl 2>/dev/null
check "no such file: exit code 1" same $? 1
echo nonsense >bad.jsonl
"$PARLEY" replay bad.jsonl 2>err
check "no recording: says which line" contains "$(cat err)" "line 1"

recording="$PARLEY_SOURCE_DIR/tests/recordings/2.1.325/bash_allow.jsonl"
node -e '
  const e = require("fs").readFileSync(process.argv[1], "utf8").trim().split("\n").map(JSON.parse);
  const of = (dir) => e.filter((x) => x.dir == dir && x.line).map((x) => x.line + "\n").join("");
  require("fs").writeFileSync("in", of("in"));
  require("fs").writeFileSync("expected", of("out"));' "$recording"
"$PARLEY" record -o again.jsonl -- "$PARLEY" replay "$recording" <in >out
check "record and replay fit together: exit code" same $? 0
check "record and replay fit together: output" cmp out expected
"$PARLEY" replay again.jsonl <in >out
check "a recording of a replay plays the same" cmp out expected
finish
