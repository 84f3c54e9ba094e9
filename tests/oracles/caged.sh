#!/usr/bin/env bash
# caged.sh SCRATCH PROGRAM [ARGUMENT...]: runs PROGRAM with the files of pristine.sh in a sandbox: no
# network, no file of this machine but /usr to read, and in /usr/bin copies that nobody else uses, so
# that whoever watches them sees what was started; two at a time need a SCRATCH each. "{root}", "{pristine}" and "{harmless}" among the
# arguments stand for where those lie in it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
scratch=$1 program=$(readlink -f "$2")
shift 2

if [[ ! -d $scratch/pristine ]]; then
  mkdir -p "$scratch"/{bin,etc}
  # Beside the harmless ones those that attacks would like to find.
  for name in $(grep -v '^#' "$here/harmless.txt" | sed 's/.*://') awk bash chmod cp dd env install ln mkdir mktemp \
    mv perl python3 rm rmdir sh split tar tee touch truncate unlink xargs nohup more less ed vi ssh curl \
    setsid shuf csplit patch gzip xz kill script printenv ln mkfifo link sync dash egrep; do
    file=$(PATH=/usr/bin:/bin command -v "$name" || true)
    [[ $name != fd ]] || file=/usr/bin/fdfind
    [[ $name != '[' ]] || file='/usr/bin/['
    [[ -x /usr/bin/$name ]] && file=/usr/bin/$name
    [[ $file != /* || ! -x $file ]] || cp -L "$file" "$scratch/bin/$name"
  done
  # Some harmless programs are scripts; their shell has a name of its own, so that "sh" is told apart.
  cp -L /bin/sh "$scratch/bin/posix-shell"
  for file in "$scratch"/bin/*; do
    sed -i '1s,^#! */bin/sh,#!/usr/bin/posix-shell,' "$file"
  done
  cp -L /bin/bash "$scratch/shell"
  cp -L /etc/ld.so.cache "$scratch/etc/"
  printf 'passwd: files\ngroup: files\n' >"$scratch/etc/nsswitch.conf"
  printf 'root:x:0:0:CANARY-PASSWD:/cage/home:/bin/bash\nuser:x:%d:%d:CANARY-PASSWD:/cage/home:/bin/bash\n' \
    "$(id -u)" "$(id -g)" >"$scratch/etc/passwd"
  printf 'root:x:0:\nuser:x:%d:\n' "$(id -g)" >"$scratch/etc/group"
  printf 'CANARY-HOST\n' | tee "$scratch/etc/hostname" >"$scratch/etc/shadow"
  bash "$here/pristine.sh" "$scratch/pristine"
fi

arguments=("${@/#\{root\}//cage}")
arguments=("${arguments[@]/#\{pristine\}//oracle/pristine}")
arguments=("${arguments[@]/#\{harmless\}//oracle/harmless.txt}")
exec env -i PATH=/usr/bin:/bin HOME=/cage/home TMPDIR=/cage/tmp LANG=C.UTF-8 ORACLE_SECRET=CANARY-ENV \
  bwrap --unshare-all --cap-drop ALL --die-with-parent --new-session \
  --tmpfs /oracle --tmpfs /cage \
  --ro-bind /usr /usr --ro-bind "$scratch/bin" /usr/bin \
  --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 \
  --ro-bind "$scratch/etc" /etc --proc /proc --dev /dev --tmpfs /tmp \
  --ro-bind "$scratch/pristine" /oracle/pristine --ro-bind "$here/harmless.txt" /oracle/harmless.txt \
  --ro-bind "$scratch/shell" /oracle/shell --ro-bind "$program" /oracle/program \
  --chdir /cage -- /oracle/program "${arguments[@]}"
