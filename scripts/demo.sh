#!/usr/bin/env bash
# The main job, shown: answered cold (by what is built in) and then warm (from the store).
#
#   scripts/demo.sh [SCRIPT.smt2]         an SMT-LIB script; default: examples/scripts/demo.smt2
#   scripts/demo.sh explore [FILE.java]   the paths of a Java class; default: examples/Coupon.java
#   scripts/demo.sh explore FILE.c [FLAG...]   those of a C program, with flags of explore; default: --sym-stdin 2
#   scripts/demo.sh z3 [SCRIPT.smt2]      the same with z3 for what is not built in; default: examples/scripts/factors.smt2
#
# Needs Rust and a C compiler; to explore Java, a JDK; to explore C, a clang for WebAssembly. What is missing of z3, JDK and
# clang is installed into .tools.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

step() { echo "demo: $*"; }

job=solve
solver=none
file=examples/scripts/demo.smt2
case "${1:-}" in
  explore)
    job=explore
    file=examples/Coupon.java
    shift
    ;;
  z3)
    solver=z3
    file=examples/scripts/factors.smt2
    shift
    ;;
esac
file=${1:-$file}
language=java
flags=()
case "$job $file" in
  explore\ *.c | explore\ *.wasm)
    language=c
    flags=("${@:2}")
    [ "${#flags[@]}" -gt 0 ] || flags=(--sym-stdin 2)
    ;;
esac
[ -r "$file" ] || { echo "demo: error: cannot read '$file'" >&2; exit 2; }

if [ "$solver" = z3 ]; then
  step "installing z3 (scripts/setup.sh demo)"
  bash scripts/setup.sh demo
fi
if [ "$language" = c ]; then
  step "looking for clang for WebAssembly (scripts/setup.sh c)"
  bash scripts/setup.sh c
fi
if [ "$job $language" = "explore java" ] && ! command -v javac >/dev/null; then
  step "looking for a JDK (scripts/setup.sh java)"
  bash scripts/setup.sh java
fi
step "building the command evergreen (cargo build --release)"
cargo build --release --quiet -p evergreen-smt-cli

export PATH=$PWD/.tools/bin:$PATH
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# solve NAME: the script in one process. NAME.out has its answers, NAME.summary the items of its summary, one a line.
solve() {
  local status=0
  target/release/evergreen solve --solver "$solver" --store "$scratch/store" --summary "$file" >"$scratch/$1.out" 2>"$scratch/$1.err" || status=$?
  if [ "$status" -ne 0 ]; then
    cat "$scratch/$1.out" "$scratch/$1.err" >&2
    exit "$status"
  fi
  sed -n '/^evergreen: [0-9]* queries/{s/^evergreen: //;s/; /\n/g;p}' "$scratch/$1.err" >"$scratch/$1.summary"
}

# explore NAME: the same for a class or a C program. Exit code 1 says that something was found, which is what a
# demonstration wants.
explore() {
  local status=0
  target/release/evergreen explore --solver "$solver" --store "$scratch/store" --out "$scratch/suite" "$file" "${flags[@]}" >"$scratch/$1.all" || status=$?
  [ "$status" -le 1 ] || exit "$status"
  # Its last paragraph is the summary; the folder of the suite goes with this script.
  sed '/^$/,$d' "$scratch/$1.all" >"$scratch/$1.out"
  sed '1,/^$/d; / are in /d' "$scratch/$1.all" >"$scratch/$1.summary"
}

# run NAME TITLE: one run with its output, its summary and its wall time; NAME.us has the microseconds.
run() {
  local begin end
  step "$2: evergreen $job --solver $solver $file${flags[*]:+ ${flags[*]}}"
  begin=$(date +%s%N)
  "$job" "$1"
  end=$(date +%s%N)
  echo $(((end - begin) / 1000)) >"$scratch/$1.us"
  sed 's/^/    /' "$scratch/$1.out"
  sed 's/^/  - /' "$scratch/$1.summary"
  echo "  - $(ms "$1") from start to end"
}

# ms NAME: the wall time of a run.
ms() {
  local us
  us=$(<"$scratch/$1.us")
  echo "$((us / 1000)).$((us / 100 % 10)) ms"
}

run cold "cold (empty store)"
run warm "warm (same store)"

if [ "$language" = c ]; then
  step "the tests it wrote: $(find "$scratch/suite/tests" -name outcome | wc -l) folders and run.sh; the last one:"
  last=$(find "$scratch/suite/tests" -name outcome | sort | tail -n 1)
  (cd "$(dirname "$last")" && find . -type f | sort | while read -r part; do
    echo "    ${part#./}: $(head -c 100 "$part" | cat -A | tr '\n' ' ')"
  done)
fi
if [ "$job" = explore ]; then
  find "$scratch/suite/tests" -name '*.java' | sort | while read -r suite; do
    step "the tests it wrote, $(basename "$suite"):"
    sed 's/^/    /' "$suite"
  done
fi
cmp -s "$scratch/cold.out" "$scratch/warm.out" && same="the same answers" || same="DIFFERENT ANSWERS"
step "cold $(ms cold), warm $(ms warm), $same"
[ "$same" = "the same answers" ]
