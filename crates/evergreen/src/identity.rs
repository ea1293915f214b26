//! What a solver says of itself, remembered as long as its file stays the same.
//!
//! Clients ask for name and version before anything else; starting the solver only for that would cost more
//! than all the rest of a warm run.

use evergreen_solver::Command;
use evergreen_store::Key;
use std::os::unix::fs::MetadataExt;

const VERSION: u8 = 1;
/// First byte: no record of an answer starts with it.
const MARK: u8 = 0xe0;

/// The key under which a reply is remembered; `None` when the program's file cannot be looked at.
pub fn key(command: &Command, question: &str) -> Option<Key> {
    let meta = std::fs::metadata(&command.program).ok()?;
    let mut text = b"evergreen solver identity".to_vec();
    for part in [
        command.program.to_string_lossy().as_bytes(),
        question.as_bytes(),
        command.args.join("\0").as_bytes(),
    ] {
        text.extend((part.len() as u64).to_le_bytes());
        text.extend(part);
    }
    for number in [meta.dev(), meta.ino(), meta.len(), meta.mtime() as u64, meta.mtime_nsec() as u64] {
        text.extend(number.to_le_bytes());
    }
    Some(Key(evergreen_canon::digest(&text)))
}

/// The stored bytes of a reply.
pub fn encode(reply: &str) -> Vec<u8> {
    [&[MARK, VERSION], reply.as_bytes()].concat()
}

/// Reads a stored reply.
pub fn decode(bytes: &[u8]) -> Option<String> {
    match bytes {
        [MARK, VERSION, rest @ ..] => String::from_utf8(rest.to_vec()).ok(),
        _ => None,
    }
}

/// Whether stored bytes are a reply: for `store verify`.
pub fn check_bytes(bytes: &[u8]) -> bool {
    decode(bytes).is_some()
}
