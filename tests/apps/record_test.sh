# parley record: nobody can tell that it is there, and it has written everything down.
# shellcheck source=tests/apps/tap.sh
source "$PARLEY_SOURCE_DIR/tests/apps/tap.sh"

# field EXPRESSION: evaluates it for the events of the recording.
events() { node -e '
  const e = require("fs").readFileSync(process.argv[1], "utf8").trim().split("\n").map(JSON.parse);
  console.log(JSON.stringify(eval(process.argv[2])))' "$1" "$2"; }

printf 'one\ntwo\n\nlast' | "$PARLEY" record -o a.jsonl -- sh -c 'cat; echo oops >&2; exit 7' >out 2>err
code=$?
check "the exit code is that of the CLI" same $code 7
check "stdout is unchanged" same "$(cat out; echo .)" "$(printf 'one\ntwo\n\nlast.')"
check "stderr is unchanged" same "$(cat err)" oops
check "the command is recorded" same "$(events a.jsonl 'e[0].argv')" \
  '["sh","-c","cat; echo oops >&2; exit 7"]'
check "stdin is recorded, with its end" \
  same "$(events a.jsonl 'e.filter(x=>x.dir=="in").map(x=>x.eof??x.line+(x.no_newline?"!":""))')" \
  '["one","two","","last!",true]'
check "stdout is recorded" \
  same "$(events a.jsonl 'e.filter(x=>x.dir=="out").map(x=>x.line+(x.no_newline?"!":""))')" \
  '["one","two","","last!"]'
check "stderr is recorded" same "$(events a.jsonl 'e.filter(x=>x.dir=="err").map(x=>x.line)')" '["oops"]'
check "the exit is recorded, last" same "$(events a.jsonl '[e.at(-1).dir,e.at(-1).code]')" '["exit",7]'
check "only the owner may read it" same "$(stat -c %a a.jsonl)" 600

head -c 3000000 /dev/urandom >bytes
"$PARLEY" record -o b.jsonl -- cat <bytes >copy
check "3 MB of any bytes pass unchanged" cmp bytes copy

"$PARLEY" record -o a.jsonl -- true </dev/null
check "a second recording is a further run" same "$(events a.jsonl 'e.filter(x=>x.dir=="start").map(x=>x.run)')" '[0,1]'

"$PARLEY" record -o c.jsonl -- sh -c 'kill -TERM $$' </dev/null
check "a CLI ended by a signal ends us the same way" same $? 143
check "the signal is recorded" same "$(events c.jsonl 'e.at(-1).signal')" '"SIGTERM"'

mkfifo ready hold
"$PARLEY" record -o d.jsonl -- bash -c 'trap "exit 9" TERM; echo up >ready; while :; do read -t 1 -r _ || true; done' <hold &
pid=$!
exec 3>hold
read -r _ <ready
kill -TERM $pid
wait $pid
check "signals are passed on" same $? 9
check "and recorded" same "$(events d.jsonl 'e.filter(x=>x.dir=="signal").map(x=>x.line)')" '["SIGTERM"]'
exec 3>&-

"$PARLEY" record -o e.jsonl -- yes </dev/null | head -n 1 >first
check "a reader that goes away ends the CLI" same "${PIPESTATUS[0]} $(cat first)" "141 y"

"$PARLEY" record -o f.jsonl -- sh -c 'exec <&-; echo deaf' < <(yes | head -c 1000000) >out
check "a CLI that does not read is no obstacle" same "$? $(cat out)" "0 deaf"

"$PARLEY" record -o g.jsonl -- /nowhere/claude 2>err
check "a missing CLI: exit code 127" same $? 127
check "a missing CLI: says so" contains "$(cat err)" "/nowhere/claude: No such file"
"$PARLEY" record -o g.jsonl -- / 2>/dev/null
check "what cannot be run: exit code 126" same $? 126
"$PARLEY" record -o /nowhere/r.jsonl -- true 2>/dev/null
check "a recording that cannot be written: exit code 1" same $? 1
"$PARLEY" record >/dev/null 2>&1
check "no command: exit code 2" same $? 2
if [[ -w /dev/full ]]; then
  out=$("$PARLEY" record -o /dev/full -- echo through 2>/dev/null </dev/null)
  check "a full disk does not disturb the CLI" same "$out" through
fi
finish
