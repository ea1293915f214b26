#!/usr/bin/env bash
# The main job, shown: a script answered cold (by z3) and then warm (from the store, no solver started).
#
#   scripts/demo.sh [SCRIPT.smt2]      default: examples/scripts/demo.smt2
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

script=${1:-examples/scripts/demo.smt2}
step() { echo "demo: $*"; }

[ -r "$script" ] || { echo "demo: error: cannot read '$script'" >&2; exit 2; }
step "installing z3 (scripts/setup.sh demo)"
bash scripts/setup.sh demo
step "building the command evergreen (cargo build --release)"
cargo build --release --quiet -p evergreen-cli

export PATH=$PWD/.tools/bin:$PATH
store=$(mktemp -d)
trap 'rm -rf "$store"' EXIT

# run LABEL: one whole process on the same store, its answers, its wall time and its statistics.
run() {
  local begin end
  rm -f "$store/stats"
  step "$1: evergreen solve $script"
  begin=$(date +%s%N)
  target/release/evergreen solve --store "$store/store" --stats "$store/stats" "$script" | sed 's/^/    /'
  end=$(date +%s%N)
  step "$1: $(((end - begin) / 1000)) microseconds from start to end"
  [ ! -s "$store/stats" ] || sed 's/^/    /' "$store/stats"
}

run "cold (empty store)"
run "warm (same store)"
