# shellcheck shell=bash disable=SC2034  # read by lib.sh through a name
# The Debian packages behind each need. This is the only list of them.

PACKAGES_build=(g++ cmake ninja-build pkg-config libcli11-dev libboost-dev libcurl4-openssl-dev
  libssl-dev libre2-dev)
# nlohmann-json3-dev is an oracle for the JSON reader; nothing that is shipped uses it.
# python3 and iproute2 replay scenarios against the agent, each in namespaces of its own; python3 also
# drives libparley through ctypes.
# ripgrep, jq, tree and fd-find are run by generated commands (tests/oracles).
# poppler-utils and bubblewrap are what the agent's Read and Bash use where they are installed.
PACKAGES_test=(libgtest-dev libgmock-dev nlohmann-json3-dev curl nodejs npm chromium python3 iproute2 poppler-utils bubblewrap openssl
  ripgrep jq tree fd-find)
# The page of parley serve is built with packages from npm (scripts/web.sh).
PACKAGES_web=(nodejs npm)
# Real counterparts come from npm (scripts/npm.sh).
PACKAGES_real=(npm)
PACKAGES_bench=(nlohmann-json3-dev nodejs npm ripgrep)
# llvm has the symbolizer: without it a crash report shows addresses only.
PACKAGES_fuzz=(clang libclang-rt-14-dev llvm)

# For these any command in PATH will do, because people often have them from elsewhere and the
# Debian package would collide with theirs.
declare -A PACKAGE_COMMANDS=([nodejs]=node [npm]=npm [chromium]=chromium)
