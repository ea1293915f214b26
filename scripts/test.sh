#!/usr/bin/env bash
# Everything that has to hold before a change goes in: set-up, formatting, lints, every test, every doc test.
#
#   scripts/test.sh [FILTER]      with FILTER only the tests whose names contain it
#
# Ends with the test runner's own summary. Exit code 0: all passed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

step() { echo "test: $*"; }

scratch=$(mktemp -d)
setup=
# The set-up ends before this script does, so that nothing writes into .tools afterwards.
finish() {
  [ -z "$setup" ] || { kill "$setup" && wait "$setup"; } 2>/dev/null || true
  rm -rf "$scratch"
}
trap finish EXIT

# Downloads wait for the network and compilers for the processor, and the compilers need nothing of what is downloaded.
step "installing what the tests talk to, beside what follows (scripts/setup.sh all)"
bash scripts/setup.sh all >"$scratch/setup" 2>&1 &
setup=$!
export EVERGREEN_TOOLS=$PWD/.tools

if [ $# -eq 0 ]; then
  step "formatting (cargo fmt --all -- --check)"
  cargo fmt --all -- --check
  step "lints (cargo clippy, warnings are errors)"
  cargo clippy --quiet --workspace --all-targets -- -D warnings
  step "the library without its features, and with each alone (scripts/features.sh)"
  bash scripts/features.sh
fi

# Examples are checked by the lints above; linking them takes minutes of the processor's time. Two of them are clients
# that tests start.
what=(--workspace --no-fail-fast --lib --bins --tests)
step "compiling the tests (cargo test ${what[*]} --no-run)"
cargo test --quiet "${what[@]}" --no-run
cargo build --quiet --workspace --example easy_smt_client --example rsmt2_client

installed=0
wait "$setup" || installed=$?
setup=
cat "$scratch/setup"
[ "$installed" -eq 0 ] || { step "scripts/setup.sh failed with exit code $installed" && exit "$installed"; }

# `cargo test` runs one test program after the other and each one's tests in parallel; --no-fail-fast, so that one
# run shows every failure.
step "tests (cargo test ${what[*]}, then --doc)"
status=0
# Processes that tests kill leave files: they go with the others. Some tests start processes of another user.
chmod a+x "$scratch"
mkdir -m 755 "$scratch/tmp"
export TMPDIR=$scratch/tmp
cargo test "${what[@]}" -- ${1+"$1"} 2>&1 | tee "$scratch/log" || status=$?
cargo test --workspace --no-fail-fast --doc -- ${1+"$1"} 2>&1 | tee -a "$scratch/log" || status=$?

[ "$status" -eq 0 ] || grep -E '^(test .* FAILED|error(\[|:).*)$' "$scratch/log" | sort -u || true
awk '/^test result:/ { passed += $4; failed += $6; ignored += $8; filtered += $12 }
     END { printf "test: %d passed, %d failed, %d ignored, %d filtered out\n", passed, failed, ignored, filtered }' "$scratch/log"
exit "$status"
