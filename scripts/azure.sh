#!/usr/bin/env bash
# Tries azblob:// with Azurite, the emulator that Azure's makers keep. It is hundreds of packages of npm, so no test needs
# it, and scripts/setup.sh installs it only when asked:
#
#   scripts/setup.sh azure && cargo build -p evergreen-smt-cli && scripts/azure.sh [EVERGREEN]
#
# EVERGREEN is the program, target/debug/evergreen by default. Says what it checked, and ends with 1 at the first thing
# that is not so. Needs z3, curl and openssl.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
evergreen=${1:-$root/target/debug/evergreen}
azurite=${AZURITE:-$root/.tools/bin/azurite-blob}
PATH=$root/.tools/bin:$PATH

die() { echo "azure: error: $*" >&2 && exit 1; }
[ -x "$evergreen" ] || die "no program '$evergreen': cargo build -p evergreen-smt-cli"
[ -x "$azurite" ] || die "no program '$azurite': scripts/setup.sh azure"

tmp=$(mktemp -d)
server=
cleanup() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  rm -rf "$tmp"
}
trap cleanup EXIT

# The account and the key that every emulator of Azure's storage has.
account=devstoreaccount1
key=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==
container=answers

# start: a server on a free port.
start() {
  local attempt
  for attempt in 1 2 3 4 5; do
    port=$((20000 + RANDOM % 20000))
    "$azurite" --silent --inMemoryPersistence --blobHost 127.0.0.1 --blobPort "$port" >"$tmp/log" 2>&1 &
    server=$!
    for _ in $(seq 300); do
      kill -0 "$server" 2>/dev/null || continue 2
      ! curl -s -o "$tmp/reply" "http://127.0.0.1:$port/" || return 0
      sleep 0.1
    done
    kill "$server"
  done
  die "Azurite does not start: $(tail -n 3 "$tmp/log")"
}

# make_container: Azurite begins without any.
make_container() {
  local date version=2022-11-02 text signature
  date=$(LC_ALL=C date -u '+%a, %d %b %Y %H:%M:%S GMT')
  text="PUT\n\n\n\n\n\n\n\n\n\n\n\nx-ms-date:$date\nx-ms-version:$version\n"
  text+="/$account/$account/$container\nrestype:container"
  signature=$(printf '%b' "$text" | openssl dgst -sha256 -binary \
    -mac HMAC -macopt "hexkey:$(base64 -d <<<"$key" | od -An -v -tx1 | tr -d ' \n')" | base64 -w0)
  curl -sf -X PUT -H "x-ms-date: $date" -H "x-ms-version: $version" -H 'Content-Length: 0' \
    -H "Authorization: SharedKey $account:$signature" \
    "http://127.0.0.1:$port/$account/$container?restype=container" || die "no container was made"
}

# connection KEY: what a program needs to know.
connection() {
  echo "DefaultEndpointsProtocol=http;AccountName=$account;AccountKey=$1;BlobEndpoint=http://127.0.0.1:$port/$account"
}

# query N: one that needs a solver.
query() { echo "(declare-const x Int)(assert (and (< $1 (* x x)) (< x $1)))(check-sat)(reset)"; }

# solve FOLDER [FLAG]...: a run with a folder of its own before the container.
solve() {
  local folder=$tmp/$1
  shift
  "$evergreen" solve --store "$folder" --store "azblob://$container/ci" --reuse exact "$@" 2>>"$tmp/told"
}

run_checks() {
  local n wrong
  export EVERGREEN_NATIVE=off EVERGREEN_STORE_TIMEOUT_MS=3000
  AZURE_STORAGE_CONNECTION_STRING=$(connection "$key")
  export AZURE_STORAGE_CONNECTION_STRING
  for n in $(seq 100 110); do query "$n"; done >"$tmp/script"
  solve one <"$tmp/script" >"$tmp/first"
  [ "$(grep -c '^sat$' "$tmp/first")" = 11 ] || die "not all is answered: $(<"$tmp/first")"
  solve two --mode require-hit <"$tmp/script" >"$tmp/second" || die "an answer is missing: $(<"$tmp/told")"
  cmp "$tmp/first" "$tmp/second" || die "a cold runner has other answers"
  echo "a cold runner starts no solver"
  local runners=()
  for n in 201 202 203 204; do
    query "$n" | solve "runner-$n" >"$tmp/out-$n" &
    runners+=($!)
  done
  for n in "${runners[@]}"; do wait "$n" || die "a runner failed: $(<"$tmp/told")"; done
  for n in 201 202 203 204; do query "$n"; done >"$tmp/script"
  solve three --mode require-hit <"$tmp/script" >"$tmp/third" || die "a runner's answer is lost: $(<"$tmp/told")"
  echo "four runners at once lose nothing of each other"
  "$evergreen" store --store "azblob://$container/ci" verify | grep ' 0 damaged' || die "something is damaged"
  [ ! -s "$tmp/told" ] || die "there was trouble: $(<"$tmp/told")"
  wrong=c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3JldA==
  query 300 | AZURE_STORAGE_CONNECTION_STRING=$(connection "$wrong") solve four >"$tmp/fourth"
  [ "$(<"$tmp/fourth")" = sat ] || die "no answer with a wrong key"
  grep -q '403' "$tmp/told" || die "a wrong key is not told: $(<"$tmp/told")"
  ! grep -F "$wrong" "$tmp/told" || die "a key is told"
  echo "a wrong key is told, without it, and the answer comes all the same"
}

start
make_container
run_checks
