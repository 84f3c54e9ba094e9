#!/usr/bin/env bash
# Stands before the compiler in the build of the shared libraries: an object that the build in
# PARLEY_OBJECTS has made from the same source is taken from there, anything else is compiled.
set -euo pipefail
words=("$@")
for ((i = 0; i + 1 < ${#words[@]}; ++i)); do
  case ${words[i]} in
  -o) object=${words[i + 1]} ;;
  -MF) dependencies=${words[i + 1]} ;;
  esac
done
[[ -f $PARLEY_OBJECTS/${object:-} ]] || exec "$@"
cp "$PARLEY_OBJECTS/$object" "$object"
echo "$object:" >"$dependencies"
