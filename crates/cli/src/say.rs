//! Words for people. Nobody listening (a closed pipe) is no reason to fail.

use std::io::Write;

/// A line on standard output.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}

/// A line on standard error, after the program's name.
pub fn warn(line: &str) {
    // One write, so that lines of processes that share a terminal do not mix.
    let _ = std::io::stderr().lock().write_all(format!("evergreen: {line}\n").as_bytes());
}
