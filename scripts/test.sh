#!/usr/bin/env bash
# Everything that has to hold before a change goes in: set-up, formatting, lints, every test, every doc test.
#
#   scripts/test.sh [FILTER]      with FILTER only the tests whose names contain it
#
# Ends with the test runner's own summary. Exit code 0: all passed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

step() { echo "test: $*"; }

step "installing what the tests talk to (scripts/setup.sh all)"
bash scripts/setup.sh all
export EVERGREEN_TOOLS=$PWD/.tools

if [ $# -eq 0 ]; then
  step "formatting (cargo fmt --all -- --check)"
  cargo fmt --all -- --check
  step "lints (cargo clippy, warnings are errors)"
  cargo clippy --quiet --workspace --all-targets -- -D warnings
fi

# `cargo test` runs one test program after the other and each one's tests in parallel; --no-fail-fast, so that one
# run shows every failure. Examples are checked by the lints above; linking them takes minutes of the processor's time.
step "tests (cargo test --workspace --lib --bins --tests, then --doc)"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
cargo test --workspace --no-fail-fast --lib --bins --tests -- ${1+"$1"} 2>&1 | tee "$log" || status=$?
cargo test --workspace --no-fail-fast --doc -- ${1+"$1"} 2>&1 | tee -a "$log" || status=$?

[ "$status" -eq 0 ] || grep -E '^(test .* FAILED|error(\[|:).*)$' "$log" | sort -u || true
awk '/^test result:/ { passed += $4; failed += $6; ignored += $8; filtered += $12 }
     END { printf "test: %d passed, %d failed, %d ignored, %d filtered out\n", passed, failed, ignored, filtered }' "$log"
exit "$status"
