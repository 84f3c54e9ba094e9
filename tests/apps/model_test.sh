# parley model: what scripts and clients see of it, through curl.
# shellcheck source=tests/apps/tap.sh
source "$PARLEY_SOURCE_DIR/tests/apps/tap.sh"

# start ARGUMENT...: a model in the background, which ends with this script; sets URL.
start() {
  coproc MODEL { exec "$PARLEY" model --until-eof "$@"; }
  MODEL_PROCESS=$MODEL_PID
  INPUT=${MODEL[1]}
  read -r URL <&"${MODEL[0]}"
}
# stop: ends it, and has its exit code.
stop() {
  exec {INPUT}>&-
  wait "$MODEL_PROCESS"
}
ask() { # JSON-MEMBERS...
  curl --silent --no-buffer "$URL/v1/messages?beta=true" --header 'content-type: application/json' \
    --header 'x-api-key: sk-dummy' \
    --data "{\"model\":\"m\",\"tools\":[{\"name\":\"Bash\"}],\"messages\":[{\"role\":\"user\",\"content\":\"$1\"}]${2:-}}"
}

cat >script.json <<'END'
[{"when_last": "weather", "repeat": true, "content": [{"type": "text", "text": "Sunny."}]},
 {"content": [{"type": "text", "text": "Hello"}], "chunk": 2},
 {"status": 429, "error": {"type": "error"}, "headers": {"retry-after": "7"}},
 {"drop": true}]
END
start script.json --record asked.jsonl
check "it says where it listens" contains "$URL" "http://127.0.0.1:"
check "a turn by its pattern" contains "$(ask 'How is the weather?')" '"text":"Sunny."'
streamed=$(ask hi ',"stream":true')
check "streams begin with message_start" same "$(head -n 1 <<<"$streamed")" "event: message_start"
check "pieces as the script wants" same "$(grep -c text_delta <<<"$streamed")" 3
check "streams end with message_stop" contains "$streamed" 'data: {"type": "message_stop"}'
check "errors with status and headers" contains \
  "$(curl --silent --include "$URL/v1/messages" --data '{"tools":[{}],"messages":[]}')" "retry-after: 7"
ask hi >/dev/null
check "no answer at all: curl's code 52" same $? 52
check "the script is over" contains "$(ask hi)" "(script exhausted)"
check "side business is answered aside" contains \
  "$(curl --silent "$URL/v1/messages" --data '{"messages":[]}')" '"text":"ok"'
check "tokens are counted" same \
  "$(curl --silent "$URL/v1/messages/count_tokens" --data '{"messages":[]}')" '{"input_tokens":100}'
check "probes are answered" same \
  "$(curl --silent --head --output /dev/null --write-out '%{http_code}' "$URL/")" 200
check "what was asked is on record" same "$(wc -l <asked.jsonl)" 8
check "and served" same "$(curl --silent "$URL/_parley/requests")" "$(cat asked.jsonl)"
check "a key is not" lacks "$(cat asked.jsonl)" sk-dummy
stop
check "it ends with its input, exit code 0" same $? 0

start script.json --json
check "--json: the same for programs" node -e '
  const { url, port } = JSON.parse(process.argv[1]);
  process.exit(url === `http://127.0.0.1:${port}` ? 0 : 1)' "$URL"
kill -TERM "$MODEL_PROCESS"
stop
check "SIGTERM: exit code 0" same $? 0

start "$PARLEY_SOURCE_DIR/tests/recordings/2.1.325/text_simple.scenario.json"
check "it plays the scenarios of the recordings" contains "$(ask hi)" '"type":"message"'
taken=$("$PARLEY" model script.json --port "${URL##*:}" 2>&1)
check "a port that is taken: exit code 1" same $? 1
check "and it is said" contains "$taken" "cannot listen"
stop

start --demo
answer=$(ask "List the files")
check "the demo says that it is one" contains "$answer" "Demo model: "
check "and calls tools" contains "$answer" '"name":"Bash"'
stop

echo '[{"content": [{"type": "text", "txt": "x"}]}]' >bad.json
said=$("$PARLEY" model bad.json 2>&1 </dev/null)
check "a bad script: exit code 1" same $? 1
check "and the place of the mistake" contains "$said" "bad.json: [0].content[0].txt: unknown key"
"$PARLEY" model nowhere.json >/dev/null 2>&1 </dev/null
check "no script: exit code 1" same $? 1
"$PARLEY" model >/dev/null 2>&1 </dev/null
check "neither script nor --demo: exit code 2" same $? 2
"$PARLEY" model script.json --demo >/dev/null 2>&1 </dev/null
check "both: exit code 2" same $? 2
finish
