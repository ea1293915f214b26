//! Words for people. Nobody listening (a closed pipe) is no reason to fail.

use std::io::Write;
use std::sync::Mutex;

/// A line on standard output.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}

/// A message on standard error, after the program's name.
pub fn warn(message: &str) {
    // One write, so that messages of processes that share a terminal do not mix.
    let _ = std::io::stderr().lock().write_all(format!("evergreen: {message}\n").as_bytes());
}

/// As [`warn`], but the same words only once: a store that is in trouble is so for every look-up and for the last flush.
pub fn warn_once(message: &str) {
    static TOLD: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let mut told = TOLD.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if !told.iter().any(|t| t == message) {
        told.push(message.to_string());
        warn(message);
    }
}
