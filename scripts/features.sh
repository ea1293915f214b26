#!/usr/bin/env bash
# The library with each of its features alone and with none: every one compiles without a warning, and the
# smallest does what its documentation says.
#
#   scripts/features.sh
#
# A step of scripts/test.sh. Dependencies are shared with its lints; the small library itself is compiled
# without optimization, which takes a third of the time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Features of `evergreen` only pass on those of the store and the solver, except for what these two change in
# it.
for features in "" disk redis tls cloud; do
  cargo clippy --quiet -p evergreen-smt-store --no-default-features --features "$features" -- -D warnings
done
for features in "" disk processes; do
  cargo clippy --quiet -p evergreen-smt --no-default-features --features "$features" -- -D warnings
done
cargo test --quiet -p evergreen-smt --no-default-features --test small --config profile.dev.opt-level=0
