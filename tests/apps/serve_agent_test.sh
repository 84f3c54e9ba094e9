# parley serve: which agent it takes, and when it shows the demo.
# shellcheck source=tests/apps/tap.sh
source "$PARLEY_SOURCE_DIR/tests/apps/tap.sh"
mkdir home empty

# What it says about the demo, with the given variables and no CLI but its own.
serve() {
  coproc SERVER {
    exec env -i HOME="$PWD/home" PATH="$PWD/empty" "$@" "$PARLEY" serve --no-open --port 0 \
      --data "$PWD/data" --root "$PWD/home" 2>err
  }
  local link
  read -r link <&"${SERVER[0]}" # all that it has to say about itself comes before
  kill "$SERVER_PID"
  wait "$SERVER_PID"
  cat err
}

demo="This is a demo"
if cli_is_installed; then
  echo "1..0 # SKIP an agent CLI is installed on this machine"
  exit 0
fi
check "without a key it is the demo" contains "$(serve)" "$demo"
check "a token that the own agent cannot use is none" \
  contains "$(serve CLAUDE_CODE_OAUTH_TOKEN=t)" "$demo"
check "nor is an address without a key" \
  contains "$(serve ANTHROPIC_BASE_URL=http://127.0.0.1:9)" "$demo"
check "a key is" lacks "$(serve ANTHROPIC_API_KEY=k)" "$demo"
check "and so is a token that it can use" lacks "$(serve ANTHROPIC_AUTH_TOKEN=t)" "$demo"
finish
