#!/usr/bin/env bash
# shellcheck disable=SC2317  # every function is called through check
# libparley as a file: what it exports, what it needs, and that the programs of its page and a
# binding of Python's ctypes run with it. Prints TAP.
set -uo pipefail
# shellcheck source=tests/apps/tap.sh
source "$PARLEY_SOURCE_DIR/tests/apps/tap.sh"
library=$PARLEY_BUILD_DIR/lib/libparley.so
header=$PARLEY_BUILD_DIR/include/parley.h
page=$PARLEY_SOURCE_DIR/docs/sdk/c.md

# Every function of the header, and nothing else, each with its version.
exported=$(nm --dynamic --defined-only "$library" | awk '$2 != "A" { print $3 }' | sort)
declared=$(grep -oE '^PARLEY_API [^(]*\(' "$header" | grep -oE 'parley_\w+\(' |
  sed 's/($/@@PARLEY_0.1/' | sort)
check 'exports the functions of the header, with their version, and nothing else' \
  same "$exported" "$declared"
check 'the header declares functions' contains "$declared" 'parley_open@@PARLEY_0.1'

dynamic=$(readelf --dynamic "$library")
check 'is called after its version' contains "$dynamic" 'Library soname: [libparley.so.0.1]'
foreign=$(sed -nE 's/.*NEEDED.*\[(.*)\]/\1/p' <<<"$dynamic" |
  grep -vE '^(libstdc\+\+|libgcc_s|libm|libc|ld-linux[-a-z0-9_]*)\.so\.[0-9]+$')
check 'needs nothing but the runtime of the compiler' same "$foreign" ''
version=$(sed -nE 's/^  VERSION ([0-9.]+)$/\1/p' "$PARLEY_SOURCE_DIR/CMakeLists.txt")
check 'is of the version of the project' test -f "$library.$version"

strict=(-Wall -Wextra -Wpedantic -Werror -fsyntax-only "-I$PARLEY_BUILD_DIR/include")
printf '#include <parley.h>\nint main(void) { return parley_version()[0] == 0; }\n' >program.c
check 'the header is C99' gcc -std=c99 "${strict[@]}" -Wstrict-prototypes program.c
check 'the header is C++' g++ -std=c++11 "${strict[@]}" -x c++ program.c

# snippet LANGUAGE: the program of the page.
snippet() { awk -v fence="\`\`\`$1 runnable" '$0 == "```" { on = 0 } on { print } $0 == fence { on = 1 }' "$page"; }

ask='{"type":"control_request","request_id":"q","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"ls"},"tool_use_id":"t"}}'
# shellcheck disable=SC2016  # $LINE is for the fake CLI
result='{"type":"result","subtype":"success","is_error":false,"session_id":"s","result":$LINE}'
script=$(printf '%s\n' init 'expect user' "out $ask" 'expect control_response' "out $result" eof)
# with_agent COMMAND...: in an environment with an agent that asks before it answers.
with_agent() {
  env -i HOME="$HOME" PATH="$PATH" LD_LIBRARY_PATH="$PARLEY_BUILD_DIR/lib" \
    PARLEY_CLI="$PARLEY_BUILD_DIR/bin/parley_fake_cli" PARLEY_FAKE_SCRIPT="$script" "$@"
}

snippet c >page.c
check 'the C program of the page compiles' gcc -std=c99 "${strict[@]:0:4}" page.c -o page \
  "-I$PARLEY_BUILD_DIR/include" "-L$PARLEY_BUILD_DIR/lib" -lparley
check 'and answers' contains "$(with_agent ./page)" 'Reading only.'
snippet python >page.py
check 'the Python program of the page answers' contains "$(with_agent python3 page.py)" \
  '"updatedInput":{"command":"ls"}'

check 'a binding of ctypes drives sessions' python3 "$PARLEY_SOURCE_DIR/tests/c/ctypes_test.py"
finish
