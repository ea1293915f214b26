#!/usr/bin/env bash
# Runs the studies again whose counts do not depend on the machine, and compares every count with the pages in
# docs/studies. Times are not compared. Prints each difference; exit code 1 if there are any.
#
#   scripts/compare-studies.sh [--all] [STUDY...]
#
# Studies: explore counting streams incremental bliss mutants. Without names all of them run, and of two that take more than three
# minutes a part: of mutants those of one subject, of bliss the cells that take less than 0.2 s. --all runs everything:
# mutants about 5 minutes, bliss about an hour, on an idle machine.
#
# EVERGREEN_LAB names the program [default: target/release/evergreen-lab, built if missing];
# STUDY_PAGES names the folder of the pages [default: docs/studies].
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

all=
studies=()
for arg in "$@"; do
  case $arg in
    --all) all=1 ;;
    explore | counting | streams | incremental | bliss | mutants) studies+=("$arg") ;;
    *) echo "compare-studies: no study is called \"$arg\"" >&2 && exit 2 ;;
  esac
done
[ ${#studies[@]} -gt 0 ] || studies=(explore counting streams incremental bliss mutants)

lab=${EVERGREEN_LAB:-target/release/evergreen-lab}
[ -x "$lab" ] || cargo build --quiet --release -p evergreen-smt-lab || exit 2
pages=${STUDY_PAGES:-docs/studies}
export EVERGREEN_TOOLS=${EVERGREEN_TOOLS:-$PWD/.tools}
PATH=$EVERGREEN_TOOLS/bin:$PATH
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
worst=0

# run PAGE [--part] STUDY FLAG...: the study again, compared with its page.
run() {
  local page=$1 part= start=$SECONDS status=0
  shift
  [ "$1" != --part ] || { part=--part && shift; }
  "$lab" study "$@" --out "$scratch/$page" >"$scratch/said" 2>&1 || status=$?
  if [ "$status" -ne 0 ]; then
    tail -5 "$scratch/said" >&2
    echo "study $1: exit code $status" >&2
  else
    "$lab" compare $part "$pages/$page" "$scratch/$page" || status=$?
  fi
  echo "study $1: $((SECONDS - start)) s"
  [ "$status" -le "$worst" ] || worst=$status
}

for study in "${studies[@]}"; do
  case $study in
    explore) run explore-study.md explore ;;
    counting) run counting-study.md counting --operations 5 ;;
    streams) run study.md streams --solver z3 --solver yices-smt2 streams/*.gz ;;
    incremental) run incremental-study.md incremental ;;
    bliss) if [ "$all" ]; then run heap-study.md --part bliss --full
      else run heap-study.md --part bliss --time 200ms; fi ;;
    mutants) if [ "$all" ]; then run mutants.md mutants
      else run mutants.md --part mutants --only trityp; fi ;;
  esac
done
exit "$worst"
