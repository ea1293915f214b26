#!/usr/bin/env bash
# The main job, shown: answered cold (by z3) and then warm (from the store, no solver asked).
#
#   scripts/demo.sh [SCRIPT.smt2]         an SMT-LIB script; default: examples/scripts/demo.smt2
#   scripts/demo.sh explore [FILE.java]   the paths of a Java class; default: examples/Coupon.java
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

step() { echo "demo: $*"; }

job=solve
file=examples/scripts/demo.smt2
if [ "${1:-}" = explore ]; then
  job=explore
  file=examples/Coupon.java
  shift
fi
file=${1:-$file}
[ -r "$file" ] || { echo "demo: error: cannot read '$file'" >&2; exit 2; }

step "installing z3 (scripts/setup.sh demo)"
bash scripts/setup.sh demo
if [ "$job" = explore ]; then
  step "looking for a JDK (scripts/setup.sh java)"
  bash scripts/setup.sh java
fi
step "building the command evergreen (cargo build --release)"
cargo build --release --quiet -p evergreen-cli

export PATH=$PWD/.tools/bin:$PATH
store=$(mktemp -d)
trap 'rm -rf "$store"' EXIT

# solve: one whole process on the same store, its answers and its statistics.
solve() {
  rm -f "$store/stats"
  target/release/evergreen solve --store "$store/store" --stats "$store/stats" "$file" | sed 's/^/    /'
  [ ! -s "$store/stats" ] || sed 's/^/    /' "$store/stats"
}

# explore: exit code 1 says that something was found, which is what a demonstration wants.
explore() {
  local status=0
  target/release/evergreen explore --store "$store/store" --out "$store/suite" "$file" >"$store/out" || status=$?
  sed 's/^/    /' "$store/out"
  [ "$status" -le 1 ] || exit "$status"
}

# run LABEL: with its wall time.
run() {
  local begin end
  step "$1: evergreen $job $file"
  begin=$(date +%s%N)
  "$job"
  end=$(date +%s%N)
  step "$1: $(((end - begin) / 1000)) microseconds from start to end"
}

run "cold (empty store)"
run "warm (same store)"
if [ "$job" = explore ]; then
  for suite in "$store"/suite/tests/*.java; do
    step "the tests it wrote, $(basename "$suite"):"
    sed 's/^/    /' "$suite"
  done
fi
