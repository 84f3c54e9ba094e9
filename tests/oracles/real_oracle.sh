#!/usr/bin/env bash
# real_oracle.sh [SEED [COUNT]]: generated commands (1000), judged by us and by the real CLI. Where it asks and we do
# not, real_reasons.txt must say why. All of it runs in a sandbox, on the files of pristine.sh.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
ROOT=$PARLEY_SOURCE_DIR
source "$ROOT/scripts/npm.sh"
seed=${1:-23} count=${2:-1000}
npm_package @anthropic-ai/claude-agent-sdk-linux-x64 0.3.325
cli=$NPM_FOLDER/node_modules/@anthropic-ai/claude-agent-sdk-linux-x64/claude
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
bash "$here/pristine.sh" "$scratch/cage"

# One session runs many commands: those that move it to another folder would change the others.
python3 "$here/generate.py" "$seed" $((count * 4)) | python3 -c 'import json, re, sys
texts = {}
for line in map(json.loads, sys.stdin):
    moves = re.search(r"\b(cd|pushd|popd|exec|exit|kill|set|shopt|enable|trap)\b|c\\*\n*d", line["command"])
    if not moves and "allow" not in line and "deny" not in line:
        texts[line["command"]] = True
for text in list(texts)[:int(sys.argv[1])]:
    print(json.dumps({"command": text}))' "$count" >"$scratch/lines"

in_cage() { # COMMAND...
  env -i PATH=/usr/bin:/bin LANG=C.UTF-8 HOME=/cage/home bwrap --unshare-all --die-with-parent --new-session --cap-drop ALL \
    --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 --ro-bind /etc /etc \
    --dev /dev --proc /proc --tmpfs /tmp --ro-bind "$ROOT" "$ROOT" --bind "$scratch/cage" /cage --chdir /cage/work -- "$@"
}
in_cage "$PARLEY_BUILD_DIR/bin/judge_commands" /cage <"$scratch/lines" >"$scratch/ours"
in_cage python3 "$here/asked_by_real.py" "$cli" "$PARLEY_BUILD_DIR/bin/parley" /cage/work <"$scratch/lines" >"$scratch/real"
[[ -z ${PARLEY_KEEP:-} ]] || cp "$scratch/ours" "$scratch/real" "$PARLEY_KEEP"
python3 "$here/compare_real.py" "$scratch/real" "$scratch/ours" "$here/real_reasons.txt"
