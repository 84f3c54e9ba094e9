#!/usr/bin/env bash
# shellcheck disable=SC2317  # every function is called through check
# Installs Parley into an empty prefix, static and shared, and builds small programs in C++ and C against
# it the ways users do: find_package, pkg-config, add_subdirectory. Prints TAP.
set -uo pipefail
here=$PARLEY_SOURCE_DIR/tests/install
work=$TMPDIR/install
mkdir -p "$work"
number=0
failures=0

# check NAME COMMAND... is one test: the command's exit code decides, its output shows on failure.
check() {
  local name=$1
  shift
  number=$((number + 1))
  if "$@" >"$work/log" 2>&1; then
    printf 'ok %d - %s\n' "$number" "$name"
  else
    failures=$((failures + 1))
    printf 'not ok %d - %s\n' "$number" "$name"
    sed 's/^/# /' "$work/log"
  fi
}

install_static() {
  cmake --install "$PARLEY_BUILD_DIR" --component sdk --prefix "$work/static"
}

# The programs work where they were put, and find each other.
install_programs() {
  cmake --install "$PARLEY_BUILD_DIR" --component programs --prefix "$work/programs" || return
  local bin=$work/programs/bin home=$work/home
  mkdir -p "$home"
  env -i HOME="$home" "$bin/parley" --version && env -i HOME="$home" "$bin/parley-agent" --version &&
    env -i HOME="$home" PATH="$bin" PARLEY_CLI=parley-agent "$bin/parley" doctor |
    grep -F "$bin/parley-agent"
}

# Shared libraries need a build of their own, but not a compiler: the objects of the static ones are
# position independent, so they are linked again. Everything else is as a user would do it.
install_shared() {
  local build=$work/shared-build
  export PARLEY_OBJECTS=$PARLEY_BUILD_DIR
  cmake -S "$PARLEY_SOURCE_DIR" -B "$build" -G Ninja -DBUILD_SHARED_LIBS=ON -DPARLEY_TESTS=OFF \
    -DCMAKE_BUILD_TYPE=None "-DCMAKE_CXX_COMPILER_LAUNCHER=$here/reuse_object.sh" &&
    cmake --build "$build" --parallel "$PARLEY_JOBS" --target parley_sdk &&
    cmake --install "$build" --component sdk --prefix "$work/shared"
}

# A program that asks the fake CLI and prints what it answers.
says_hello() { # PROGRAM
  local answer
  answer=$(PARLEY_FAKE_SCRIPT=$'init\nturns hello' "$1" "$PARLEY_BUILD_DIR/bin/parley_fake_cli") &&
    [[ $answer == hello ]]
}

# The SDK needs nothing but the standard library: its headers include that and each other.
headers_are_std_only() ( # PREFIX
  # emmintrin.h belongs to the compiler.
  cd "$1/include" || exit
  # client/adapters/asio.hpp and client/adapters/nlohmann.hpp are for those who have those libraries.
  foreign=$(grep -rnE '^ *# *include *<' parley --include='*.hpp' |
    grep -vE '^parley/client/adapters/(asio|nlohmann)\.hpp:' |
    grep -vE '<([a-z_]+|emmintrin\.h)>')
  [[ -z $foreign ]] || { echo "$foreign"; exit 1; }
)

# What only our own sources include is not installed.
private_headers_stay_here() ( # PREFIX
  cd "$1/include/parley" || exit
  strangers=$(find . -path '*/tables' -o -name 'session_impl.hpp' -o -name 'spawn.hpp')
  internal=$(grep -rlE '^// .*Internal to (client/|transport/|Parley)' . --include='*.hpp')
  [[ -z $strangers$internal ]] || { echo "$strangers $internal"; exit 1; }
)

find_package() { # PREFIX
  local build=$1-find_package
  cmake -S "$here/program" -B "$build" -G Ninja "-DCMAKE_PREFIX_PATH=$1" &&
    cmake --build "$build" && says_hello "$build/program"
}

pkg_config() { # PREFIX
  local flags
  flags=$(PKG_CONFIG_PATH=$(dirname "$(find "$1" -name parley.pc)") \
    pkg-config --cflags --libs parley) || return
  # shellcheck disable=SC2086  # the flags are words
  g++ -std=c++20 "$here/program/main.cpp" $flags -o "$1-pkg_config" || return
  LD_LIBRARY_PATH=$1/lib says_hello "$1-pkg_config"
}

# The same from C, with libparley.
c_find_package() { # PREFIX
  local build=$1-c_find_package
  cmake -S "$here/c_program" -B "$build" -G Ninja "-DCMAKE_PREFIX_PATH=$1" &&
    cmake --build "$build" && says_hello "$build/c_program"
}

c_pkg_config() { # PREFIX
  local flags
  flags=$(PKG_CONFIG_PATH=$(dirname "$(find "$1" -name libparley.pc)") \
    pkg-config --cflags --libs libparley) || return
  # shellcheck disable=SC2086  # the flags are words
  gcc -std=c99 "$here/c_program/main.c" $flags -o "$1-c_pkg_config" || return
  LD_LIBRARY_PATH=$1/lib says_hello "$1-c_pkg_config"
}

# Whoever loads it needs none of the other libraries.
libparley_stands_alone() ( # PREFIX
  mkdir -p "$1-alone" && cp "$1"/lib/libparley.so.0.1 "$1-alone" || exit
  LD_LIBRARY_PATH=$1-alone says_hello "$1-c_pkg_config"
)

# The library itself is known to build; here only that the tree behaves as a part of another one.
add_subdirectory() {
  local build=$work/subdirectory
  cmake -S "$here/program" -B "$build" -G Ninja "-DPARLEY_TREE=$PARLEY_SOURCE_DIR" &&
    cmake --build "$build" --target CMakeFiles/program.dir/main.cpp.o
}

# A header that compiles only in our tree, or only after another one, is of no use to anybody.
headers_stand_alone() ( # PREFIX
  cd "$1/include" && find parley -name '*.hpp' -not -name asio.hpp -not -name nlohmann.hpp | sort |
    xargs -I HEADER --max-procs="$PARLEY_JOBS" \
      g++ -std=c++20 -fsyntax-only -I . -include HEADER -x c++ /dev/null
)

links_shared() { readelf --dynamic "$1-find_package/program" | grep -q 'NEEDED.*libparley_client'; }

check 'static: install' install_static
check 'programs: install' install_programs
check 'static: find_package' find_package "$work/static"
check 'static: pkg-config' pkg_config "$work/static"
check 'static: find_package in C' c_find_package "$work/static"
check 'static: pkg-config in C' c_pkg_config "$work/static"
check 'shared: install' install_shared
check 'shared: find_package' find_package "$work/shared"
check 'shared: the program uses the shared library' links_shared "$work/shared"
check 'shared: pkg-config' pkg_config "$work/shared"
check 'shared: find_package in C' c_find_package "$work/shared"
check 'shared: pkg-config in C' c_pkg_config "$work/shared"
check 'shared: libparley stands alone' libparley_stands_alone "$work/shared"
check 'add_subdirectory' add_subdirectory
check 'the headers include only the standard library' headers_are_std_only "$work/static"
check 'no private header is installed' private_headers_stay_here "$work/static"
check 'every installed header compiles alone' headers_stand_alone "$work/static"
printf '1..%d\n' "$number"
exit $((failures > 0))
