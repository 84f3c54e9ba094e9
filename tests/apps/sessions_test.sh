#!/usr/bin/env bash
# `parley sessions` as a user meets it: output, exit codes, questions. Prints TAP.
set -uo pipefail
parley=$PARLEY_BUILD_DIR/bin/parley
root=$TMPDIR/root
cp -r "$PARLEY_SOURCE_DIR/tests/recordings/2.1.325/sessions/agent_nested_agent" "$TMPDIR/projects"
mkdir "$root" && mv "$TMPDIR/projects" "$root/projects"
export CLAUDE_CONFIG_DIR=$root
number=0 failed=0

# check NAME EXIT-CODE PATTERN COMMAND... : standard output and error together match the pattern.
check() {
  local name=$1 code=$2 pattern=$3 output status=0
  shift 3
  output=$("$@" 2>&1 </dev/null) || status=$?
  number=$((number + 1))
  if ((status == code)) && grep -qE -- "$pattern" <<<"$output"; then
    printf 'ok %d - %s\n' "$number" "$name"
  else
    failed=1
    printf 'not ok %d - %s\n# exit code %d, output:\n' "$number" "$name" "$status"
    sed 's/^/#   /' <<<"$output"
  fi
}

check 'no arguments: the list' 0 '^304ab710 .*main job$' "$parley" sessions
check 'help' 0 'Without a command: the latest 20 sessions' "$parley" sessions --help
check 'an unknown command' 2 'not expected: bogus' "$parley" sessions bogus
check 'a missing argument' 2 'session is required' "$parley" sessions show
check 'an empty root' 0 '^No sessions in /nowhere\.$' "$parley" sessions --root /nowhere
check 'a folder without sessions' 0 '^No sessions of /nowhere in /' "$parley" sessions -p /nowhere
check 'worktrees of nothing' 2 'requires --project' "$parley" sessions --no-worktrees
check 'help of a command' 0 '^Exit code 1 if nothing was found' "$parley" sessions search --help
check 'JSON' 0 '^\[\{"sessionId":"304ab710-' "$parley" sessions list --json
check 'details' 0 ' 4 +\$0\.0026 +main job$' "$parley" sessions list --long
check 'info' 0 '^Subagents +2$' "$parley" sessions info 304a
check 'an unknown session' 1 '^parley: ffff: no session with this id$' "$parley" sessions info ffff
check 'too short an id' 1 'at least its first 4 characters' "$parley" sessions info 30
check 'messages' 0 '^Main done\.$' "$parley" sessions show 304a
check 'a subagent' 0 '^SUBTASK look around$' "$parley" sessions show 304a --agent ab2fd0013066eec98
check 'no such subagent' 1 'no subagent nope' "$parley" sessions show 304a --agent nope
check 'the tree' 0 '^● assistant ' "$parley" sessions tree 304a
check 'no stored results' 0 '^This session has no stored results' "$parley" sessions result 304a
check 'search' 0 '^5 hits in 1 session$' "$parley" sessions search -i sub
check 'search with a limit' 0 '^5 hits; shown are 2 in 1 session$' "$parley" sessions search -i sub -n 2
check 'search for nothing' 1 '^0 hits in 0 sessions$' "$parley" sessions search nonsuch
check 'a bad expression' 2 'missing \)' "$parley" sessions search -e '(a'
check 'a hostile expression' 2 '1000 at most' \
  "$parley" sessions search -e '((a?){1000}){10}'
check 'a bad role' 2 'expected user, assistant' "$parley" sessions search x --role nobody
check 'a bad day' 2 'expected a day' "$parley" sessions search x --since yesterday
check 'usage' 0 '^2026-11-15 +6 +60 +120 +0 +0 +\$0\.0026$' "$parley" sessions usage --utc
check 'usage as CSV' 0 '^claude-opus-5-5,6,60,120,0,0,180,0\.00264' "$parley" sessions usage model --csv
check 'usage by nonsense' 2 'expected day, week' "$parley" sessions usage nonsense
check 'a missing price file' 1 'cannot open the price file' "$parley" sessions usage --prices /nowhere
check 'rename' 0 '' "$parley" sessions rename 304a $'New\e[31m title'
check 'titles cannot colour the terminal' 0 ' New \[31m title$' "$parley" sessions
check 'nor can JSON' 0 'New\\u009b\\u202e' \
  bash -c '"$0" sessions rename 304a "$1" && "$0" sessions list --json' \
  "$parley" $'New\u009b\u202e title'
check 'nor can an export' 0 $'^# New\uFFFD\uFFFD title' "$parley" sessions export 304a
check 'rename back' 0 '' "$parley" sessions rename 304a 'New title'
check 'tag without a tag' 2 'A tag, or --clear' "$parley" sessions tag 304a
check 'tag' 0 '' "$parley" sessions tag 304a red
check 'tagged' 0 '\[red\] New' "$parley" sessions list --tag red
check 'archive' 0 '' "$parley" sessions archive 304a
check 'not among the active' 0 '^No sessions' "$parley" sessions list --active
check 'export' 0 '^<!doctype html>$' "$parley" sessions export 304a -f html
check 'export by name' 0 '' "$parley" sessions export 304a -o "$TMPDIR/talk.html"
check 'exported by name' 0 '^<!doctype html>$' cat "$TMPDIR/talk.html"
transcript=$(echo "$root"/projects/*/304ab710-*.jsonl)
check 'export over itself' 1 'this is the session itself' \
  "$parley" sessions export 304a -o "$transcript"
check 'export as something else' 2 'pdf not in' "$parley" sessions export 304a -f pdf
check 'export to nowhere' 1 'cannot write' "$parley" sessions export 304a -o /nowhere/x
check 'fork' 0 '^[0-9a-f-]{36}$' "$parley" sessions fork 304a --title Copy
check 'forked' 0 ' Copy$' "$parley" sessions
check 'delete asks' 2 'nobody is here to ask' "$parley" sessions delete 304a
check 'delete' 0 '^Deleted 304ab710-' "$parley" sessions delete 304a --yes
check 'deleted' 1 'no session with this id' "$parley" sessions info 304a
printf '1..%d\n' "$number"
exit "$failed"
