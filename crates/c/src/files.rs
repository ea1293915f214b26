//! Tests as files that a shell runs: a folder for each, with what the program is given and what has to
//! happen.
//!
//! | file | has |
//! |---|---|
//! | `args` | an argument a line, as the shell quotes it |
//! | `stdin` | standard input |
//! | `files/` | files that the program finds |
//! | `env` | variables, `NAME=value` as the shell quotes it |
//! | `draws` | what a harness draws: a line each, `LENGTH HEX NAME` |
//! | `stdout` | what has to be printed |
//! | `outcome` | `exits STATUS` or `fails KIND` |
//!
//! `run.sh PROGRAM` runs them all on a native program and says which differ.

use crate::case::{Case, Ending};
use crate::drawn;
use crate::native;
use std::path::PathBuf;

/// Quotes a text for a shell.
fn quoted(bytes: &[u8]) -> Vec<u8> {
    let mut text = vec![b'\''];
    for &byte in bytes {
        if byte == b'\'' {
            text.extend_from_slice(b"'\\''");
        } else {
            text.push(byte);
        }
    }
    text.push(b'\'');
    text
}

/// The files of one test, in a folder.
pub fn of_case(folder: &str, case: &Case) -> Vec<(PathBuf, Vec<u8>)> {
    let path = |name: &str| PathBuf::from(folder).join(name);
    let lines = |all: Vec<Vec<u8>>| all.into_iter().flat_map(|line| [line, vec![b'\n']].concat()).collect();
    let mut files = vec![
        (path("outcome"), format!("{}\n", case.end).into_bytes()),
        (path("stdout"), case.stdout.clone()),
    ];
    if !case.args.is_empty() {
        files.push((path("args"), lines(case.args.iter().map(|arg| quoted(arg)).collect())));
    }
    if let Some(stdin) = &case.stdin {
        files.push((path("stdin"), stdin.clone()));
    }
    if !case.env.is_empty() {
        let env = case.env.iter().map(|(name, value)| [name.as_bytes(), b"=", &quoted(value)].concat());
        files.push((path("env"), lines(env.collect())));
    }
    for (name, bytes) in &case.files {
        let name: Vec<&str> = name.split('/').filter(|part| !matches!(*part, "" | "." | "..")).collect();
        files.push((path("files").join(name.join("/")), bytes.clone()));
    }
    if !case.draws.is_empty() {
        let values = drawn::native_records(case);
        let draws: Vec<native::Draw<'_>> =
            values.iter().map(|bytes| native::Draw { name: "", bytes }).collect();
        files.push((path("draws"), native::record(&draws).into_bytes()));
    }
    files
}

/// The script that runs all tests beside it on a native program.
pub const RUN: &str = r#"#!/bin/sh
# Runs the tests of this folder on a native program: sh run.sh ./program
# A program with a harness is linked with the runtime that reads draws (EVERGREEN_REPLAY).
program=$(realpath "$1") && cd "$(dirname "$0")" && here=$PWD || exit 2
passed=0 failed=0
for test in */outcome; do
  test=$here/${test%/outcome}
  read -r word status rest <"$test/outcome"
  [ "$word" = exits ] || continue
  work=$(mktemp -d) && [ ! -d "$test/files" ] || cp -r "$test/files/." "$work"
  [ -f "$test/stdin" ] && input=$test/stdin || input=/dev/null
  set --
  [ ! -f "$test/args" ] || eval "set -- $(tr '\n' ' ' <"$test/args")"
  (
    cd "$work"
    if [ -f "$test/env" ]; then set -a; . "$test/env"; set +a; fi
    [ ! -f "$test/draws" ] || export EVERGREEN_REPLAY="$test/draws"
    "$program" "$@" <"$input" >"$work.out" 2>/dev/null
  )
  code=$?
  if [ "$code" = "$((status & 255))" ] && cmp -s "$work.out" "$test/stdout"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1)) && echo "differs: $test (exits $code)"
  fi
  rm -rf "$work" "$work.out"
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
"#;

/// A test in the format of KLEE (version 3 of `.ktest`): its objects are the draws, or what a program was
/// given.
pub fn ktest(case: &Case) -> Vec<u8> {
    let mut bytes = b"KTEST".to_vec();
    let number = |bytes: &mut Vec<u8>, n: usize| bytes.extend_from_slice(&(n as u32).to_be_bytes());
    let text = |bytes: &mut Vec<u8>, text: &[u8]| {
        bytes.extend_from_slice(&(text.len() as u32).to_be_bytes());
        bytes.extend_from_slice(text);
    };
    number(&mut bytes, 3);
    let name = case.target.unit.as_bytes();
    number(&mut bytes, 1 + case.args.len());
    text(&mut bytes, name);
    case.args.iter().for_each(|arg| text(&mut bytes, arg));
    number(&mut bytes, 0);
    number(&mut bytes, 0);
    let mut objects: Vec<(String, Vec<u8>)> = Vec::new();
    objects.extend(case.stdin.iter().map(|stdin| ("stdin".to_string(), stdin.clone())));
    objects.extend(case.files.iter().cloned());
    let fields = case.objects.iter().flat_map(|object| object.fields.iter().map(|(_, field)| field));
    let drawn = case.draws.iter().chain(fields).filter(|drawn| drawn.points.is_none());
    objects.extend(drawn.map(|drawn| (drawn.name.clone(), drawn.placed(&[]))));
    number(&mut bytes, objects.len());
    for (name, content) in objects {
        text(&mut bytes, name.as_bytes());
        text(&mut bytes, &content);
    }
    bytes
}

/// A name of a test's folder.
pub fn folder_name(number: u64, case: &Case) -> String {
    let end = match &case.end {
        Ending::Exits(status) => format!("exits-{status}"),
        Ending::Fails(kind, _) => kind.replace(' ', "-"),
    };
    format!("{number:06}-{end}")
}
