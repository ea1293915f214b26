#!/usr/bin/env bash
# Packages every crate that is published, in the order of their dependencies, as `cargo publish` would upload
# it.
#
#   scripts/package.sh [--verify]     with --verify each package is unpacked and compiled, too
#
# Nothing is uploaded. Crates that the registry does not have yet are taken from the packages made before
# them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

verify=--no-verify
[ "${1-}" != --verify ] || verify=
# shellcheck disable=SC2086 # no word if it is empty
cargo package --workspace --exclude evergreen-smt-testing --exclude evergreen-smt-lab \
  --allow-dirty --quiet $verify

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
missing=0
for manifest in crates/*/Cargo.toml; do
  grep -q '^publish = false' "$manifest" && continue
  name=$(sed -n 's/^name = "\(.*\)"/\1/p' "$manifest" | head -1)
  file=target/package/$name-$version.crate
  if [ -s "$file" ]; then
    echo "package: $name $version, $(du -k "$file" | cut -f1) KB"
  else
    echo "package: $name $version is missing" >&2
    missing=1
  fi
done
exit "$missing"
