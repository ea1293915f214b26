#!/usr/bin/env bash
# Runs one real client on our small inputs and prints its result without times and paths, so that two runs can be
# compared as text.
#
#   tests/clients/run.sh NAME SOLVER_DIR
#     NAME        pysmt, yosys, boogie, boogie-wrong, dafny, dafny-wrong, dafny-more, easy-smt or rsmt2
#     SOLVER_DIR  a folder that has a program or a link called `z3`: the real one, or Evergreen under that name
#
# Exit code 0: the client ran to its end, whatever it found. 2: it could not run.
set -euo pipefail

clients=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$clients/../.." && pwd)
tools=${EVERGREEN_TOOLS:-$root/.tools}
# Above what the slowest takes by far; a client that hangs must not hang the tests.
limit=${CLIENT_TIME_LIMIT_S:-120}

die() {
  echo "clients: error: $1" >&2
  [ $# -lt 2 ] || echo "  help: $2" >&2
  exit 2
}

[ $# -eq 2 ] || die "two arguments wanted" "tests/clients/run.sh NAME SOLVER_DIR"
name=$1
solvers=$(cd "$2" && pwd) || die "no folder '$2'"
z3=$solvers/z3
[ -x "$z3" ] || die "no program '$z3'" "for the bare solver give .tools/bin (scripts/setup.sh makes it)"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

need() { [ -e "$1" ] || die "'$1' is missing" "run scripts/setup.sh all"; }

# ended STATUS...: run the command after `--`; its exit code must be one of STATUS.
ended() {
  local wanted=() status=0
  while [ "$1" != -- ]; do wanted+=("$1") && shift; done
  shift
  timeout "$limit" "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
  [[ " ${wanted[*]} " == *" $status "* ]] || {
    cat "$work/out" "$work/err" >&2
    die "$name ended with $status, not ${wanted[*]}"
  }
}

pysmt() {
  need "$tools/python/PySMT/pysmt"
  ended 0 -- env PYTHONPATH="$tools/python/PySMT" "$(<"$tools/have/python")" -B "$clients/pysmt/client.py" "$z3"
  cat "$work/out"
}

# bmc STATUS MODULE FLAG...: yosys-smtbmc finds the solver on PATH. Its lines begin with a clock.
bmc() {
  local status=$1 module=$2
  shift 2
  ended "$status" -- env PATH="$solvers:$PATH" "$tools/bin/yosys-smtbmc" -s z3 -t 12 "$@" "$work/$module.smt2"
  sed -e "s/^##  *[0-9:]* *//" -e "s#$work/##g" "$work/out"
}

yosys() {
  need "$tools/bin/yosys" && need "$tools/bin/yosys-smtbmc"
  local module
  for module in traffic fifo; do
    cp "$clients/yosys/$module.v" "$work/"
    (cd "$work" && "$tools/bin/yosys" -q -p "read_verilog -formal $module.v; prep -top $module -nordff; async2sync;
      dffunmap; write_smt2 -wires $module.smt2") >"$work/yosys.log" 2>&1 || die "yosys: $(tail -n 1 "$work/yosys.log")"
  done
  echo "traffic, bounded:" && bmc 0 traffic
  echo "traffic, by induction:" && bmc 0 traffic -i
  echo "fifo, bounded:" && bmc 1 fifo --dump-vcd "$work/fifo.vcd"
  # The shortest way to the failure is forced up to the data: the counter's values in the trace are the same whoever
  # found it.
  echo "fifo, counter in the trace:"
  awk '$1 == "$var" && $5 == "count" { id = $4 } $2 == id && /^b/ { print "  " substr($1, 2) }' "$work/fifo.vcd"
}

# verdicts: what a verifier built on Boogie says, without its banner and what z3 5.4 has to say about an option that
# is gone (see README.md). A model may choose another path to the same failing assertion: the trace is left out.
verdicts() {
  sed -e "s#$clients/[a-z]*/##g" -e '1{/ version \|^Dafny [0-9]/d}' "$work/out" |
    awk '/^Prover error: .*model_compress/ || /^Legal parameters are:/ { next }
         /^  [a-z_0-9]+ \([a-z ]+\) \(default: .*\)$/ { next }
         /^Execution trace:/ { trace = 1; next }
         trace && /^ / { next }
         { trace = 0 } NF'
}

# boogie right|wrong
boogie() {
  need "$tools/bin/boogie"
  ended 0 -- "$tools/bin/boogie" "/z3exe:$z3" "$clients/boogie/$1.bpl"
  verdicts
}

# dafny right|wrong|more
dafny() {
  need "$tools/bin/dafny"
  ended 0 4 -- "$tools/bin/dafny" /compile:0 "/z3exe:$z3" "$clients/dafny/$1.dfy"
  verdicts
}

# example NAME: the clients in Rust are examples of the crate evergreen-testing. --workspace: for one crate alone some
# dependencies have other features, and would be compiled again; so it is what scripts/test.sh has compiled.
example() {
  (cd "$root" && cargo build --quiet --workspace --example "$1") || die "$1 does not build"
  ended 0 -- "${CARGO_TARGET_DIR:-$root/target}/debug/examples/$1" "$z3"
  cat "$work/out"
}

case $name in
pysmt | yosys) "$name" ;;
boogie | dafny) "$name" right ;;
boogie-wrong | dafny-wrong) "${name%-wrong}" wrong ;;
dafny-more) dafny more ;;
easy-smt) example easy_smt_client ;;
rsmt2) example rsmt2_client ;;
*) die "no client '$name'" "pysmt, yosys, boogie, boogie-wrong, dafny, dafny-wrong, dafny-more, easy-smt or rsmt2" ;;
esac
